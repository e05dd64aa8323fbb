import { TOPICS, toWakePayload, tryParseWake } from '@watchroom/shared/protocol'
import { describe, expect, it } from 'vitest'

describe('tryParseWake', () => {
  it.each([
    ['checks', { name: 'checks', id: null }],
    ['rights', { name: 'rights', id: null }],
    ['incidents:0190', { name: 'incidents', id: '0190' }],
    ['rights:0190', { name: 'rights', id: '0190' }],
  ])('reads %j, and it is written so', (payload, wake) => {
    expect(tryParseWake(payload)).toEqual(wake)
    expect(toWakePayload(wake as NonNullable<ReturnType<typeof tryParseWake>>)).toBe(payload)
  })

  it.each(['', 'check', 'constructor', 'toString:1', ':1', 'CHECKS'])('knows no %j', (payload) => {
    expect(tryParseWake(payload)).toBeNull()
  })

  it('knows every topic', () => {
    for (const name of Object.keys(TOPICS)) expect(tryParseWake(name)).toMatchObject({ name })
  })
})
