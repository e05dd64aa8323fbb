import { NIL_UUID } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

import { toEditTarget } from '../../../../web/src/features/check-panel/editTarget.ts'

const LOCAL = { id: NIL_UUID, name: 'local' }

describe('toEditTarget', () => {
  it.each([null, undefined, '', 'UI', 'self', 'demo'])('lets a canary with source %j be edited', (source) => {
    expect(toEditTarget({ canaryId: 'c1', source, agent: LOCAL })).toEqual({
      kind: 'editable',
      href: '/settings/canaries/c1',
      area: 'settings.health',
    })
  })

  it.each([
    ['KubernetesCRD', { text: 'CRD', href: '/catalog/c1', area: 'config' }],
    ['kubernetes/k1', { text: 'CRD', href: '/catalog/k1', area: 'config' }],
    ['component/t1', { text: 'Component', href: '/topology/t1', area: 'topology' }],
    ['ConfigFile', null],
    ['Push', null],
  ])('leads to the owner of a canary with source %s, and says why it cannot be edited', (source, link) => {
    const target = toEditTarget({ canaryId: 'c1', source, agent: null })
    expect(target).toMatchObject({ kind: 'owned', link })
    expect(target.kind === 'owned' && target.reason).toMatch(/^(?:Defined|Pushed) /)
  })

  it('names the agent that owns a canary, whatever its source', () => {
    expect(toEditTarget({ canaryId: 'c1', source: 'UI', agent: { id: 'a1', name: 'edge' } })).toEqual({
      kind: 'owned',
      reason: 'Defined and run by the agent edge: change it there.',
      link: { text: 'Agent', href: '/settings/agents?id=a1', area: 'agents' },
    })
  })
})
