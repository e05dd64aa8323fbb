import { type ClockExchange, toClockBounds } from '@watchroom/shared/agents'
import { describe, expect, it } from 'vitest'

import { createRandom } from '#support/random.ts'

const NOON = Date.parse('2026-01-01T12:00:00Z')

/** An exchange of an agent whose clock is `aheadMs` ahead, with these times on the way. */
const build = (aheadMs: number, thereMs: number, backMs: number, startsAt = NOON): ClockExchange => ({
  sentAt: startsAt + aheadMs,
  upstreamAt: startsAt + thereMs,
  answeredAt: startsAt + thereMs + backMs + aheadMs,
})

describe('toClockBounds', () => {
  it('proves nothing without an exchange', () => {
    expect(toClockBounds([])).toBeNull()
  })

  it('holds the truth however long anything waited, and the quickest exchange bounds it best', () => {
    const random = createRandom(7)
    for (const aheadMs of [0, 3_600_000, -3_600_000, 4_000]) {
      const waits = () => (random() < 0.3 ? 20_000 * random() : 50 * random())
      const exchanges = Array.from({ length: 16 }, (_, at) => build(aheadMs, waits(), waits(), NOON + at * 15_000))
      const bounds = toClockBounds(exchanges)
      expect(bounds?.least_ms).toBeLessThanOrEqual(aheadMs)
      expect(bounds?.most_ms).toBeGreaterThanOrEqual(aheadMs)
      expect((bounds?.most_ms ?? 0) - (bounds?.least_ms ?? 0)).toBeLessThan(100)
    }
  })

  it('believes the newer exchange when a clock was set in between', () => {
    expect(toClockBounds([build(0, 10, 10), build(60_000, 10, 10)])).toEqual({ least_ms: 59_990, most_ms: 60_010 })
  })

  it('leaves out an exchange that ends before it began', () => {
    expect(toClockBounds([{ sentAt: 10, upstreamAt: 5, answeredAt: 9 }])).toBeNull()
  })
})
