import {
  FUTURE_PRESETS,
  MAPPED_RANGE_NAMES,
  type MappedRangeName,
  PAST_PRESETS,
  RANGE_KEYS,
  rangeKeyMs,
  rangeOfKey,
  resolveTimeRange,
  type TimeRange,
  toRangeExpressions,
  toRelativeRange,
  type Zone,
} from '@watchroom/shared/time'
import { describe, expect, it } from 'vitest'

/** A Wednesday. */
const NOW = Date.parse('2026-03-18T10:20:30.000Z')

function resolved(range: TimeRange, zone: Zone = 'UTC'): string {
  const { from, to } = resolveTimeRange(range, { now: NOW, zone })
  return `${new Date(from).toISOString()} ${new Date(to).toISOString()}`
}

const mapped = (timeRange: MappedRangeName): TimeRange => ({ rangeType: 'mapped', display: timeRange, timeRange })

describe('presets', () => {
  it('reach from 5 minutes to 5 years into the past and into the future', () => {
    const amounts = '5m 15m 30m 1h 3h 6h 12h 24h 2d 7d 30d 90d 6M 1y 2y 5y'.split(' ')
    expect(PAST_PRESETS.map(({ range }) => range)).toEqual(amounts.map((amount) => `now-${amount}`))
    expect(FUTURE_PRESETS.map(({ range }) => range)).toEqual(amounts.map((amount) => `now+${amount}`))
  })

  it('are named by their length', () => {
    expect(PAST_PRESETS[0]?.display).toBe('Last 5 minutes')
    expect(PAST_PRESETS[3]?.display).toBe('Last 1 hour')
    expect(FUTURE_PRESETS.at(-1)?.display).toBe('Next 5 years')
  })

  it('lets any other expression stand for itself', () => {
    expect(toRelativeRange('now-1w/w').display).toBe('now-1w/w to now')
  })
})

describe('resolveTimeRange', () => {
  it('ends a past range now and starts a future one now', () => {
    expect(resolved(toRelativeRange('now-2d'))).toBe('2026-03-16T10:20:30.000Z 2026-03-18T10:20:30.000Z')
    expect(resolved(toRelativeRange('now+1h'))).toBe('2026-03-18T10:20:30.000Z 2026-03-18T11:20:30.000Z')
    expect(resolved(toRelativeRange('now+1d-3d'))).toBe('2026-03-16T10:20:30.000Z 2026-03-18T10:20:30.000Z')
  })

  it.each([
    ['Yesterday', '2026-03-17T00:00:00.000Z 2026-03-17T23:59:59.999Z'],
    ['Day before yesterday', '2026-03-16T00:00:00.000Z 2026-03-16T23:59:59.999Z'],
    ['This day last week', '2026-03-11T00:00:00.000Z 2026-03-11T23:59:59.999Z'],
    ['Previous week', '2026-03-09T00:00:00.000Z 2026-03-15T23:59:59.999Z'],
    ['Previous month', '2026-02-01T00:00:00.000Z 2026-02-28T23:59:59.999Z'],
    ['Previous year', '2025-01-01T00:00:00.000Z 2025-12-31T23:59:59.999Z'],
    ['Today', '2026-03-18T00:00:00.000Z 2026-03-18T23:59:59.999Z'],
    ['Today so far', '2026-03-18T00:00:00.000Z 2026-03-18T10:20:30.000Z'],
    ['This week', '2026-03-16T00:00:00.000Z 2026-03-22T23:59:59.999Z'],
    ['This week so far', '2026-03-16T00:00:00.000Z 2026-03-18T10:20:30.000Z'],
    ['This month', '2026-03-01T00:00:00.000Z 2026-03-31T23:59:59.999Z'],
    ['This month so far', '2026-03-01T00:00:00.000Z 2026-03-18T10:20:30.000Z'],
    ['This year', '2026-01-01T00:00:00.000Z 2026-12-31T23:59:59.999Z'],
    ['This year so far', '2026-01-01T00:00:00.000Z 2026-03-18T10:20:30.000Z'],
  ] as const)('%s is a whole unit, or a unit so far', (name, ends) => {
    expect(resolved(mapped(name))).toBe(ends)
  })

  it('knows a quick range by each name above', () => {
    expect(MAPPED_RANGE_NAMES).toHaveLength(14)
  })

  it('means the days of the zone', () => {
    expect(resolved(mapped('Yesterday'), 'Asia/Tokyo')).toBe('2026-03-16T15:00:00.000Z 2026-03-17T14:59:59.999Z')
  })

  it('takes an absolute range as it is', () => {
    const range = { rangeType: 'absolute', display: 'Custom', from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
    expect(resolved(range as TimeRange, 'Asia/Tokyo')).toBe('2026-01-01T00:00:00.000Z 2026-01-02T00:00:00.000Z')
  })

  it('throws on a range that no reader lets in', () => {
    expect(() => resolved(toRelativeRange('lately'))).toThrow('not a time: lately')
  })
})

describe('toRangeExpressions', () => {
  it('gives both ends as date math', () => {
    expect(toRangeExpressions(toRelativeRange('now-2d'))).toEqual({ from: 'now-2d', to: 'now' })
    expect(toRangeExpressions(toRelativeRange('now+1h'))).toEqual({ from: 'now', to: 'now+1h' })
    expect(toRangeExpressions(mapped('Previous week'))).toEqual({ from: 'now-1w/w', to: 'now-1w/w' })
  })
})

describe('rangeOfKey', () => {
  it.each(RANGE_KEYS)('%s is a relative range of the length of the key', (key) => {
    const { from, to } = resolveTimeRange(rangeOfKey(key), { now: NOW, zone: 'UTC' })
    expect(to - from).toBe(rangeKeyMs(key))
    expect(to).toBe(NOW)
  })

  it('is named by the key', () => {
    expect(rangeOfKey('3h').display).toBe('Last 3 hours')
    expect(rangeOfKey('2mo').display).toBe('Last 2 months')
  })
})
