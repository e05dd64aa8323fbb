import { describe, expect, it } from 'vitest'

import {
  type Attempt,
  type AttemptOutcome,
  createAttemptLimiter,
} from '../../../../gateway/src/embedded-backend/identity/createAttemptLimiter.ts'
import { FakeClock } from '../../../support/fakeClock.ts'

const HERE = '192.0.2.1'

const buildAttempt = (changes: Partial<Attempt> = {}): Attempt => ({
  identifier: 'a@b.c',
  address: HERE,
  origin: changes.address ?? HERE,
  isKnown: false,
  ...changes,
})

function setUp() {
  const clock = new FakeClock()
  const limiter = createAttemptLimiter(clock)
  /** @returns milliseconds to wait, 0 when the attempt was let through */
  const attempt = (changes: Partial<Attempt> = {}, outcome: AttemptOutcome = 'wrong'): number => {
    const admission = limiter.begin(buildAttempt(changes))
    if (!admission.ok) return admission.waitMs
    admission.settle(outcome)
    return 0
  }
  const attemptTimes = (times: number, changes: Partial<Attempt> = {}): number[] =>
    Array.from({ length: times }, () => attempt(changes))
  return { clock, limiter, attempt, attemptTimes }
}

describe('createAttemptLimiter', () => {
  it('lets five typing mistakes pass, then one attempt in 5 s for an account, over all addresses', async () => {
    const { clock, attempt } = setUp()
    for (let n = 0; n < 5; n++) expect(attempt({ address: `192.0.2.${n}` })).toBe(0)
    expect(attempt({ address: '192.0.2.99' })).toBe(5_000)
    await clock.advance(5_000)
    expect(attempt({ address: '192.0.2.98' })).toBe(0)
    expect(attempt({ address: '192.0.2.97' })).toBe(5_000)
    expect(attempt({ identifier: ' A@B.C ', address: '192.0.2.96' })).toBe(5_000)
    expect(attempt({ identifier: 'other@b.c', address: '192.0.2.95' })).toBe(0)
  })

  it('lets in whom the account knows, however much others guess elsewhere', () => {
    const { attempt, attemptTimes } = setUp()
    attemptTimes(40, { address: '198.51.100.1' })
    expect(attempt({ address: '198.51.100.2' })).toBeGreaterThan(0)
    expect(attempt({ isKnown: true, origin: 'device' })).toBe(0)
  })

  it('makes a known origin wait for its own mistakes, twice as long each time, never longer than a minute', async () => {
    const { clock, attempt, attemptTimes } = setUp()
    const known = { isKnown: true, origin: 'device' }
    expect(attemptTimes(5, known)).toEqual([0, 0, 0, 0, 0])
    for (const waitMs of [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      expect(attempt(known)).toBe(waitMs)
      await clock.advance(waitMs)
      expect(attempt(known)).toBe(0)
    }
  })

  it('bounds one address over all accounts, and gives it a supply that fills again', async () => {
    const { clock, attempt } = setUp()
    for (let n = 0; n < 30; n++) expect(attempt({ identifier: `${n}@b.c` })).toBe(0)
    expect(attempt({ identifier: 'next@b.c' })).toBe(2_000)
    expect(attempt({ identifier: 'next@b.c', address: '192.0.2.2' })).toBe(0)
    await clock.advance(2_000)
    expect(attempt({ identifier: 'next@b.c' })).toBe(0)
  })

  it('bounds everyone together', () => {
    const { attempt } = setUp()
    const waits = Array.from({ length: 101 }, (_, n) => attempt({ identifier: `${n}@b.c`, address: `host-${n}` }))
    expect(waits.slice(0, 100).every((waitMs) => waitMs === 0)).toBe(true)
    expect(waits[100]).toBe(100)
  })

  it('counts attempts that are still under way: many at once get no further than one after the other', () => {
    const { limiter } = setUp()
    const admissions = Array.from({ length: 50 }, () => limiter.begin(buildAttempt()))
    expect(admissions.filter(({ ok }) => ok)).toHaveLength(5)
  })

  it('takes nothing for a right password, nor for one that nobody looked at', () => {
    const { attempt } = setUp()
    for (const outcome of ['right', 'dropped'] as const) {
      for (let n = 0; n < 200; n++) expect(attempt({}, outcome)).toBe(0)
    }
  })

  it('forgets own mistakes after a right password, not after one that nobody looked at', () => {
    const { attempt, attemptTimes } = setUp()
    const known = { isKnown: true, origin: 'device' }
    attemptTimes(4, known)
    attempt(known, 'dropped')
    expect(attempt(known)).toBe(0)
    expect(attempt(known)).toBe(2_000)
    const other = { ...known, origin: 'other device' }
    attemptTimes(4, other)
    attempt(other, 'right')
    expect(attemptTimes(5, other)).toEqual([0, 0, 0, 0, 0])
  })

  it('forgets own mistakes after an hour', async () => {
    const { clock, attempt, attemptTimes } = setUp()
    const known = { isKnown: true, origin: 'device' }
    attemptTimes(5, known)
    await clock.advance(3_600_001)
    expect(attemptTimes(5, known)).toEqual([0, 0, 0, 0, 0])
    expect(attempt(known)).toBe(2_000)
  })
})
