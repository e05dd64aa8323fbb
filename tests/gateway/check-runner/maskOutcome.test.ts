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
        { name: 'MODE', value: 'of-the-environment' },
      ],
      headers: [
        { name: 'Authorization', value: 'Bearer tok-123456' },
        { name: 'X-Own', value: 'custom-header' },
        { name: 'Accept', value: 'text/plain' },
      ],
    }
    const secrets = collectSecrets(spec)
    expect(secrets).toEqual(secrets.toSorted((a, b) => b.length - a.length))
    expect(secrets).toEqual(
      expect.arrayContaining([
        'Bearer tok-123456',
        'of-the-environment',
        'custom-header',
        'p%40ssword',
        'tok-123456',
        'key-value',
        'p@ssword',
        'hunter2',
      ]),
    )
    for (const plain of ['visible', 'text/plain', 'MODE']) expect(secrets).not.toContain(plain)
  })

  it('knows them in the encodings that others send them back in, alone and with the user', () => {
    const base64 = (text: string): string => Buffer.from(text).toString('base64')
    expect(collectSecrets({ username: 'ada', password: 'a "b"/c' })).toEqual(
      expect.arrayContaining([base64('ada:a "b"/c'), base64('a "b"/c'), 'a%20%22b%22%2Fc', String.raw`a \"b\"/c`]),
    )
  })

  it('knows what was filled in for the run, and each line of it', () => {
    expect(collectSecrets({}, ['first line\nsecond line'])).toEqual(
      expect.arrayContaining(['first line', 'second line']),
    )
  })

  it('leaves out what is too short to be worth the damage', () => {
    expect(collectSecrets({ password: 'abc' })).toEqual([])
  })

  it('keeps a password whose percent sign is stray', () => {
    expect(collectSecrets({ url: 'http://u:100%25%zz@h' })).toContain('100%25%zz')
  })
})

describe('maskOutcome', () => {
  it('leaves nothing of a secret at the end of a text that was cut there', () => {
    const outcome = { passed: false, durationMs: 1, message: 'you said correct-hor' }
    expect(maskOutcome(outcome, ['correct-horse-battery']).message).toBe('you said ***')
  })

  it('leaves numbers, booleans and null alone', () => {
    const outcome = { passed: true, durationMs: 1.5, details: { a: null, b: false, c: [1] } }
    expect(maskOutcome(outcome, ['hunter2'])).toEqual(outcome)
  })
})
