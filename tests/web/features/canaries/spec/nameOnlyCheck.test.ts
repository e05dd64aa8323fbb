import { describe, expect, it } from 'vitest'

import { nameOnlyCheck } from '../../../../../web/src/features/canaries/spec/nameOnlyCheck.ts'

describe('nameOnlyCheck', () => {
  it('calls the only check like its canary', () => {
    expect(nameOnlyCheck({ interval: 5, http: [{ url: 'https://a' }] }, 'shop')).toEqual({
      interval: 5,
      http: [{ name: 'shop', url: 'https://a' }],
    })
  })

  it.each([
    ['a name of its own', { http: [{ name: 'front', url: 'https://a' }] }],
    ['a second check', { http: [{ url: 'https://a' }, { url: 'https://b' }] }],
    ['a check of another kind', { http: [{ url: 'https://a' }], tcp: [{ endpoint: 'a:1' }] }],
    ['a kind that is not known here', { kubernetes: [{ url: 'https://a' }] }],
    ['no check', {}],
  ])('leaves %s as it is', (_what, spec) => {
    expect(nameOnlyCheck(spec, 'shop')).toBe(spec)
  })

  it('waits for a name', () => {
    const spec = { http: [{ url: 'https://a' }] }
    expect(nameOnlyCheck(spec, '')).toBe(spec)
  })
})
