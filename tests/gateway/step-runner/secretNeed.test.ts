import { describe, expect, it } from 'vitest'

import { findSecretNeed } from '../../../gateway/src/step-runner/secretNeed.ts'

describe('what agents are not given', () => {
  it.each([
    ['a stored value', { exec: { script: 'true', env: [{ name: 'T', value: '***' }] } }, 'a value that is stored'],
    ['the password of an address', { sql: { url: 'postgres://me:***@db/x' } }, 'a value that is stored'],
    ['a token', { http: { url: 'http://x', headers: [{ name: 'a', value: 'Bearer ***' }] } }, 'a value that is stored'],
    ['a connection', { http: { connection: 'connection://shop' } }, 'a connection'],
    ['a parameter', { exec: { script: 'echo {{ params.key }}' } }, 'the secret parameter key'],
    ['a parameter as other servers write it', { exec: { script: '{{.params.key}}' } }, 'the secret parameter key'],
    ['a parameter in brackets', { exec: { script: `{{ params [ "key" ] + "" }}` } }, 'the secret parameter key'],
    [
      'a parameter of the condition',
      { if: `params['key'] == "x"`, exec: { script: 'true' } },
      'the secret parameter key',
    ],
  ])('is %s', (_what, action, need) => {
    expect(findSecretNeed({ name: 'step', ...action }, ['other', 'key'])).toContain(need)
  })

  it.each([
    ['another parameter', { exec: { script: 'echo {{ params.keys }} {{ params.key-two }} {{ myparams.key }}' } }],
    ['stars among words', { exec: { script: 'echo "*** begun ***"' } }],
  ])('is not %s', (_what, action) => {
    expect(findSecretNeed({ name: 'step', ...action }, ['key'])).toBeNull()
  })
})
