import { createRateLimit, createRateLimits } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

describe('createRateLimit', () => {
  it('gives a burst and then as fast as it fills', async () => {
    const clock = new FakeClock()
    const limit = createRateLimit(clock, { burst: 2, perSecond: 0.5 })
    expect([limit.tryTake(), limit.tryTake(), limit.tryTake()]).toEqual([true, true, false])
    expect(limit.waitMs()).toBe(2_000)
    await clock.advance(1_999)
    expect(limit.tryTake()).toBe(false)
    await clock.advance(1)
    expect([limit.tryTake(), limit.isFull()]).toEqual([true, false])
    await clock.advance(60_000)
    expect([limit.isFull(), limit.waitMs()]).toEqual([true, 0])
    expect([limit.tryTake(), limit.tryTake(), limit.tryTake()]).toEqual([true, true, false])
  })

  it('goes into debt for what cannot be refused, and takes back what was not used', () => {
    const limit = createRateLimit(new FakeClock(), { burst: 1, perSecond: 1 })
    limit.take(2)
    expect(limit.waitMs()).toBe(2_000)
    limit.giveBack()
    expect(limit.waitMs()).toBe(1_000)
  })
})

describe('createRateLimits', () => {
  it('gives a burst and then as fast as it fills, each key by itself', async () => {
    const clock = new FakeClock()
    const limits = createRateLimits(clock, { burst: 2, perSecond: 0.5 })
    limits.take('a')
    expect(limits.waitMs('a')).toBe(0)
    limits.take('a')
    expect(limits.waitMs('a')).toBe(2_000)
    expect(limits.waitMs('b')).toBe(0)
    await clock.advance(1_500)
    expect(limits.waitMs('a')).toBe(500)
    await clock.advance(500)
    expect(limits.waitMs('a')).toBe(0)
  })

  it('takes tokens back, and forgets who has all of them', () => {
    const limits = createRateLimits(new FakeClock(), { burst: 1, perSecond: 1 })
    limits.take('a')
    expect(limits.size()).toBe(1)
    limits.giveBack('a')
    expect(limits.size()).toBe(0)
    expect(limits.waitMs('a')).toBe(0)
  })

  it('remembers only so many keys', () => {
    const limits = createRateLimits(new FakeClock(), { burst: 1, perSecond: 1 }, 3)
    for (const key of ['a', 'b', 'c', 'd']) limits.take(key)
    expect(limits.size()).toBe(3)
    expect(limits.waitMs('a')).toBe(0)
    expect(limits.waitMs('d')).toBe(1_000)
  })
})
