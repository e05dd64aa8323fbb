import { describe, expect, it } from 'vitest'

import { ADVISORY_LOCKS, lockKey } from '../../../../gateway/src/platform/database/advisoryLocks.ts'

describe('advisory locks', () => {
  it('have numbers that are unique', () => {
    const numbers = Object.values(ADVISORY_LOCKS)
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  it('of rows differ by what is locked, and fit a bigint', () => {
    const keys = [lockKey('notification-rule', 'a'), lockKey('incident-rule', 'a'), lockKey('notification-rule', 'b')]
    expect(new Set(keys).size).toBe(keys.length)
    for (const key of keys) expect(BigInt.asIntN(64, BigInt(key)).toString()).toBe(key)
  })
})
