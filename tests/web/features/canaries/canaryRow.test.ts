import { NIL_UUID } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

import { type CanaryRow, toReadOnlyReason } from '../../../../web/src/features/canaries/canaryRow.ts'

const row = (overrides: Partial<CanaryRow> = {}): CanaryRow => ({
  id: 'c1',
  name: 'shop',
  namespace: 'default',
  spec: {},
  agent_id: NIL_UUID,
  ...overrides,
})

describe('toReadOnlyReason', () => {
  it.each([null, undefined, '', 'UI', 'ui', 'self', 'demo'])('lets people edit what has the source %s', (source) => {
    expect(toReadOnlyReason(row({ source }))).toBeNull()
  })

  it.each([
    ['kubernetes/cfg-1', '/catalog/cfg-1'],
    ['KubernetesCRD', '/catalog/c1'],
    ['component/comp-1', '/topology/comp-1'],
  ])('leads from the source %s to where it is defined', (source, to) => {
    expect(toReadOnlyReason(row({ source }))?.link?.to).toBe(to)
  })

  it.each([
    ['ConfigFile', 'Linked to local file'],
    ['Push', 'pushed from outside'],
    ['push', 'pushed from outside'],
  ])('says why the source %s cannot be edited', (source, text) => {
    expect(toReadOnlyReason(row({ source }))?.text).toContain(text)
  })

  it('names the agent of a check that an agent runs', () => {
    const reason = toReadOnlyReason(row({ source: 'UI', agent_id: 'a1', agents: { id: 'a1', name: 'edge' } }))
    expect(reason?.link).toEqual({ to: '/settings/agents', search: { id: 'a1' }, text: 'Linked to edge' })
  })

  it('does not let anybody edit what was deleted', () => {
    expect(toReadOnlyReason(row({ deleted_at: '2026-01-01T00:00:00Z' }))?.text).toContain('deleted')
  })
})
