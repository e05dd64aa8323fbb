import { describe, expect, it } from 'vitest'

import { fillSecrets } from '../../../../gateway/src/embedded-backend/secrets/fillSecrets.ts'

const at = (path: string, value: unknown, span = 0, place: number | null = null) => ({
  path: path.split('.'),
  span,
  place,
  value,
})

describe('fillSecrets', () => {
  it('puts values where their *** stand, of whatever kind they are', () => {
    const document = { spec: { http: [{ a: '***' }, { password: '***', port: '***' }] } }
    expect(fillSecrets(document, [at('spec.http.1.password', 'hunter2'), at('spec.http.1.port', 8080)])).toEqual({
      spec: { http: [{ a: '***' }, { password: 'hunter2', port: 8080 }] },
    })
    expect(document.spec.http[1]?.password).toBe('***')
  })

  it('puts several into one text, each in its place, also behind characters of two units', () => {
    const document = { url: 'https://***@😀.example/?token=***' }
    expect(fillSecrets(document, [at('url', 'ada:a longer one', 1, 8), at('url', 'abc', 2, 29)])).toEqual({
      url: 'https://ada:a longer one@😀.example/?token=abc',
    })
  })

  it('leaves out what has no *** any more', () => {
    const document = { url: 'https://plain', list: ['x'], gone: null }
    const secrets = [at('url', 'a', 1, 8), at('list.0', 'b'), at('list.7', 'c'), at('gone.deep', 'd'), at('new', 'e')]
    expect(fillSecrets(document, secrets)).toEqual(document)
  })
})
