import { describe, expect, it } from 'vitest'

import { measureExcess, measureSkew } from '../../../../gateway/src/embedded-backend/agents/clockSkew.ts'

const NOW = Date.parse('2026-01-01T12:00:00Z')
const around = (aheadMs: number, within = 30) => ({ least_ms: aheadMs - within, most_ms: aheadMs + within })

describe('measureSkew', () => {
  it.each([
    ['a message that arrives at once', { sentAt: NOW }, 0],
    ['one that waited for a minute', { sentAt: NOW - 60_000 }, 0],
    ['one that waited, of a clock that is right', { sentAt: NOW - 12_000, bounds: around(0) }, 0],
    ['one that arrives before it was sent', { sentAt: NOW + 60_000 }, 60_000],
    ['a result from the future, and nothing else', { newestAt: NOW + 60_000 }, 60_000],
    ['a result of the past, and nothing else', { newestAt: NOW - 60_000 }, 0],
    ['exchanges of a clock that is an hour ahead', { bounds: around(3_600_000) }, 3_600_000],
    ['exchanges of a clock that is an hour behind', { bounds: around(-3_600_000) }, -3_600_000],
    ['exchanges that leave open whether it is off', { bounds: { least_ms: -12_000, most_ms: 40 } }, 0],
    ['exchanges within the tolerance', { bounds: around(4_900) }, 0],
    ['a clock that was set forward since the exchanges', { sentAt: NOW + 60_000, bounds: around(0) }, 60_000],
    ['backlog of a time when it was ahead', { sentAt: NOW, bounds: around(0), newestAt: NOW + 60_000 }, 0],
  ])('takes from %s what is proven', (_, witness, aheadMs) => {
    expect(measureSkew(NOW, witness)).toBe(aheadMs)
  })
})

describe('measureExcess', () => {
  it('is what the latest start lies ahead, beyond the tolerance', () => {
    expect(measureExcess(NOW, [NOW - 5, NOW + 60_000])).toBe(60_000)
    expect(measureExcess(NOW, [NOW + 4_000])).toBe(0)
    expect(measureExcess(NOW, [])).toBe(0)
  })
})
