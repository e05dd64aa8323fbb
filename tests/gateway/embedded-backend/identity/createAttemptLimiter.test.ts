import { describe, expect, it } from 'vitest'

import { createAttemptLimiter } from '../../../../gateway/src/embedded-backend/identity/createAttemptLimiter.ts'
import { FakeClock } from '../../../support/fakeClock.ts'

const ADDRESS = '192.0.2.1'

function failTimes(limiter: ReturnType<typeof createAttemptLimiter>, times: number, identifier = 'a@b.c'): void {
  for (let attempt = 0; attempt < times; attempt++) limiter.failed(identifier, ADDRESS)
}

describe('createAttemptLimiter', () => {
  it('lets typing mistakes pass and then waits twice as long each time, up to 15 minutes', () => {
    const limiter = createAttemptLimiter(new FakeClock())
    failTimes(limiter, 4)
    expect(limiter.waitMs('a@b.c', ADDRESS)).toBe(0)
    failTimes(limiter, 1)
    expect(limiter.waitMs('a@b.c', ADDRESS)).toBe(2_000)
    failTimes(limiter, 1)
    expect(limiter.waitMs('a@b.c', ADDRESS)).toBe(4_000)
    failTimes(limiter, 40)
    expect(limiter.waitMs('a@b.c', ADDRESS)).toBe(900_000)
  })

  it('counts per identifier and address, whatever the case of the identifier', () => {
    const limiter = createAttemptLimiter(new FakeClock())
    failTimes(limiter, 10)
    expect(limiter.waitMs(' A@B.C ', ADDRESS)).toBeGreaterThan(0)
    expect(limiter.waitMs('other@b.c', ADDRESS)).toBe(0)
    expect(limiter.waitMs('a@b.c', '192.0.2.2')).toBe(0)
  })

  it('lets the next attempt pass once the wait is over, and forgets after an hour', async () => {
    const clock = new FakeClock()
    const limiter = createAttemptLimiter(clock)
    failTimes(limiter, 6)
    await clock.advance(4_000)
    expect(limiter.waitMs('a@b.c', ADDRESS)).toBe(0)
    limiter.failed('a@b.c', ADDRESS)
    expect(limiter.waitMs('a@b.c', ADDRESS)).toBe(8_000)
    await clock.advance(3_600_001)
    limiter.failed('a@b.c', ADDRESS)
    expect(limiter.waitMs('a@b.c', ADDRESS)).toBe(0)
  })

  it('forgets everything after a success', () => {
    const limiter = createAttemptLimiter(new FakeClock())
    failTimes(limiter, 10)
    limiter.succeeded('a@b.c', ADDRESS)
    expect(limiter.waitMs('a@b.c', ADDRESS)).toBe(0)
  })

  it('holds 10,000 entries at most and drops the oldest', () => {
    const limiter = createAttemptLimiter(new FakeClock())
    failTimes(limiter, 10, 'oldest@b.c')
    for (let made = 0; made < 10_000; made++) limiter.failed(`${made}@b.c`, ADDRESS)
    expect(limiter.waitMs('oldest@b.c', ADDRESS)).toBe(0)
  })
})
