import { describe, expect, it } from 'vitest'

import { collectSecrets, maskOutcome } from '../../../gateway/src/check-runner/maskOutcome.ts'

describe('collectSecrets', () => {
  it('finds fields with the name of a secret, named values and passwords in URLs, longest first', () => {
    const spec = {
      url: 'postgres://u:p%40ssword@h/db',
      username: 'visible',
      password: 'hunter2',
      env: [
        { name: 'API_KEY', value: 'key-value' },
        { name: 'HOME', value: '/home/visible' },
      ],
      headers: [{ name: 'Authorization', value: 'Bearer tok-123456' }],
    }
    expect(collectSecrets(spec)).toEqual([
      'Bearer tok-123456',
      'p%40ssword',
      'tok-123456',
      'key-value',
      'p@ssword',
      'hunter2',
    ])
  })

  it('leaves out what is too short to be worth the damage', () => {
    expect(collectSecrets({ password: 'abc' })).toEqual([])
  })

  it('keeps a password whose percent sign is stray', () => {
    expect(collectSecrets({ url: 'http://u:100%25%zz@h' })).toContain('100%25%zz')
  })
})

describe('maskOutcome', () => {
  it('leaves numbers, booleans and null alone', () => {
    const outcome = { passed: true, durationMs: 1.5, details: { a: null, b: false, c: [1] } }
    expect(maskOutcome(outcome, ['hunter2'])).toEqual(outcome)
  })
})
