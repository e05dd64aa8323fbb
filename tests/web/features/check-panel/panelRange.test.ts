import { rangeOfKey, RANGE_KEYS, toAbsoluteRange, type TimeRange } from '@watchroom/shared/time'
import { describe, expect, it } from 'vitest'

import { toPanelWindow, toRangeId } from '../../../../web/src/features/check-panel/panelRange.ts'

const now = Date.parse('2026-01-10T12:30:00Z')
const toWindow = (range: TimeRange) => toPanelWindow(range, { now, zone: 'UTC' })
const last = (range: string): TimeRange => ({ rangeType: 'relative', display: 'Last', range })

describe('toPanelWindow', () => {
  it.each([
    ['now-1h', 'start=1h'],
    ['now-2d', 'start=2d'],
    ['now-6M', 'start=6mo'],
    ['now-1y', 'start=1y'],
  ])('asks for %s as the length %s, which the backend counts by its own clock', (range, graphQuery) => {
    expect(toWindow(last(range))).toMatchObject({ graphQuery, endsNow: true, to: now })
  })

  it('asks for everything else by its two ends', () => {
    expect(toWindow(last('now-1d/d'))).toMatchObject({
      graphQuery: 'start=2026-01-09T00%3A00%3A00.000Z&end=2026-01-10T12%3A30%3A00.000Z',
      endsNow: true,
    })
    expect(toWindow({ rangeType: 'mapped', display: 'Yesterday', timeRange: 'Yesterday' })).toMatchObject({
      from: Date.parse('2026-01-09T00:00:00Z'),
      endsNow: false,
    })
    const fixed = toAbsoluteRange(now - 5_000, now - 1_000)
    expect(toWindow(fixed)).toEqual({
      from: now - 5_000,
      to: now - 1_000,
      endsNow: false,
      graphQuery: 'start=2026-01-10T12%3A29%3A55.000Z&end=2026-01-10T12%3A29%3A59.000Z',
    })
  })

  it('knows every short key', () => {
    for (const key of RANGE_KEYS) expect(toWindow(rangeOfKey(key)).graphQuery).toMatch(/^start=\d+[mhdw]$/)
  })
})

describe('toRangeId', () => {
  it('tells ranges apart', () => {
    const ids = [last('now-1h'), last('now-2h'), toAbsoluteRange(0, 1), toAbsoluteRange(0, 2)].map(toRangeId)
    expect(new Set(ids).size).toBe(4)
  })
})
