import { describe, expect, it } from 'vitest'

import { toSpecText } from '../../../../../web/src/editor/readSpecText.ts'
import { orderSpec } from '../../../../../web/src/features/canaries/spec/orderSpec.ts'

describe('orderSpec', () => {
  it('puts first what people write first, and loses nothing', () => {
    const stored = {
      tcp: [{ tls: true, name: 'b', endpoint: 'a:1' }],
      http: [{ url: 'https://a', name: 'a', labels: { z: '1', a: '2' }, ntlm: true, timeout: '5s' }],
      custom: 1,
      schedule: '@daily',
    }
    const ordered = orderSpec(stored)
    expect(ordered).toEqual(stored)
    expect(Object.keys(ordered)).toEqual(['schedule', 'http', 'tcp', 'custom'])
    expect(toSpecText(ordered)).toBe(
      `schedule: "@daily"
http:
  - name: a
    url: https://a
    labels:
      z: "1"
      a: "2"
    timeout: 5s
    ntlm: true
tcp:
  - name: b
    endpoint: a:1
    tls: true
custom: 1
`,
    )
  })

  it('puts the name first inside of fields too', () => {
    const reference = { valueFrom: { secretKeyRef: { key: 'k', name: 'n' } } }
    const ordered = orderSpec({
      http: [{ url: 'https://a', password: reference, headers: [{ value: 'b', name: 'A' }] }],
    })
    expect(JSON.stringify(ordered)).toContain('{"secretKeyRef":{"name":"n","key":"k"}}')
    expect(JSON.stringify(ordered)).toContain('[{"name":"A","value":"b"}]')
  })

  it('leaves alone what has another form than a list of checks', () => {
    const odd = { http: { b: 1, a: 2 }, tcp: ['x', null, [1]], severity: null }
    expect(orderSpec(odd)).toEqual(odd)
  })
})
