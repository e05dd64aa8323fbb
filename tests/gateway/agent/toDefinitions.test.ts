import { describe, expect, it } from 'vitest'

import { parseCanaries } from '../../../gateway/src/agent/readCanaries.ts'
import { toDefinitions } from '../../../gateway/src/agent/toDefinitions.ts'
import { nameUuid } from '../../../gateway/src/platform/nameUuid.ts'

const AGENT = '018f0000-0000-7000-8000-000000000001'

describe('nameUuid', () => {
  it('is the one of the standard', () => {
    // RFC 9562, appendix A.4.
    expect(nameUuid('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    )
  })
})

describe('parseCanaries', () => {
  it('reads resources as Kubernetes has them and plain ones, several in a file', () => {
    const text = `
apiVersion: canaries.flanksource.com/v1
kind: Canary
metadata: { name: a, namespace: shop, labels: { tier: 1 } }
spec: { http: [{ url: http://x }] }
---
# nothing here
---
name: b
spec: { interval: 5, tcp: [{ endpoint: 'db:5432' }] }
`
    const { canaries, problems } = parseCanaries(text, 'c.yaml')
    expect(problems).toEqual([])
    expect(canaries).toMatchObject([
      { name: 'a', namespace: 'shop', labels: { tier: '1' }, origin: 'c.yaml (document 1)' },
      { name: 'b', namespace: 'default', labels: {} },
    ])
  })

  it.each([
    ['a: [', 'c.yaml: '],
    ['5', 'c.yaml: document: '],
    ['name: a', 'c.yaml: spec: expected an object'],
    ['kind: Pod\nmetadata: {name: a}\nspec: {}', 'c.yaml: kind: '],
    ['name: a\nspec: {}\nnamepsace: x', 'namepsace'],
    ['', 'c.yaml: there is no canary in this file'],
  ])('says what is wrong with %j', (text, said) => {
    const { canaries, problems } = parseCanaries(text, 'c.yaml')
    expect(canaries).toEqual([])
    expect(problems.join('\n')).toContain(said)
  })
})

describe('toDefinitions', () => {
  const canary = (name: string, spec: Record<string, unknown>) => ({
    name,
    namespace: 'edge',
    labels: { site: 'north' },
    spec,
    origin: `${name}.yaml`,
  })

  it('gives the same ids every time, and others to another agent', () => {
    const canaries = [canary('a', { tcp: [{ name: 'db', endpoint: 'db:1' }] })]
    const first = toDefinitions(AGENT, canaries, [])
    const again = toDefinitions(AGENT, canaries, [])
    const other = toDefinitions('018f0000-0000-7000-8000-000000000002', canaries, [])
    expect(again.pushedChecks).toEqual(first.pushedChecks)
    expect(other.pushedChecks[0]?.id).not.toBe(first.pushedChecks[0]?.id)
    expect(first.pushedCanaries[0]).toMatchObject({ name: 'a', source: 'ConfigFile', labels: { site: 'north' } })
    expect(first.pushedChecks[0]?.canary_id).toBe(first.pushedCanaries[0]?.id)
  })

  it('tells the upstream of checks of assigned canaries, not of those canaries, and marks them', () => {
    const id = '018f0000-0000-7000-8000-00000000000a'
    const { pushedCanaries, pushedChecks, checks } = toDefinitions(
      AGENT,
      [],
      [{ id, name: 'x', namespace: 'edge', spec: { exec: [{ name: 's', script: 'true' }] } }],
    )
    expect(pushedCanaries).toEqual([])
    expect(pushedChecks).toMatchObject([{ canary_id: id, type: 'exec', name: 's' }])
    expect(checks[0]?.isAssigned).toBe(true)
  })

  it('leaves out what cannot run here and says so by file and place', () => {
    const { checks, problems } = toDefinitions(
      AGENT,
      [canary('a', { http: [{ url: 'http://ok' }, { url: 7 }], self: [{ name: 'me', probe: 'database' }] })],
      [],
    )
    expect(checks.map(({ check }) => check.type)).toEqual(['http'])
    expect(problems.join('\n')).toContain('a.yaml: http[1]: url')
    expect(problems.join('\n')).toContain('a.yaml: self')
  })
})
