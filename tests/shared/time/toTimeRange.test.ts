import {
  formatMoments,
  formatWallTime,
  resolveTimeRange,
  toTimeRange,
  tryParseTimeExpression,
  resolveTimeExpression,
  tryParseTimeRangeText,
} from '@watchroom/shared/time'
import { describe, expect, it } from 'vitest'

const NOW = Date.parse('2026-03-18T10:20:30.000Z')
const UTC = { now: NOW, zone: 'UTC' }

describe('toTimeRange', () => {
  it('fixes two timestamps, read in the zone', () => {
    expect(
      toTimeRange({ from: '2026-03-01 08:00', to: '2026-03-01 09:30' }, { now: NOW, zone: 'Europe/Berlin' }),
    ).toEqual({
      ok: true,
      value: {
        rangeType: 'absolute',
        display: 'Custom',
        from: '2026-03-01T07:00:00.000Z',
        to: '2026-03-01T08:30:00.000Z',
      },
    })
  })

  it.each([
    ['now-45m', 'now', { rangeType: 'relative', display: 'Last 45 minutes', range: 'now-45m' }],
    ['now', 'now+2h', { rangeType: 'relative', display: 'Next 2 hours', range: 'now+2h' }],
    [' now-1d/d ', 'now-1d/d', { rangeType: 'mapped', display: 'Yesterday', timeRange: 'Yesterday' }],
    ['now/d', 'now', { rangeType: 'mapped', display: 'Today so far', timeRange: 'Today so far' }],
  ])('keeps %s to %s moving with the clock', (from, to, range) => {
    expect(toTimeRange({ from, to }, UTC)).toEqual({ ok: true, value: range })
  })

  it('fixes expressions that no relative range says', () => {
    expect(toTimeRange({ from: 'now-2d', to: 'now-1d' }, UTC)).toMatchObject({
      value: { rangeType: 'absolute', from: '2026-03-16T10:20:30.000Z', to: '2026-03-17T10:20:30.000Z' },
    })
  })

  it('rounds the end up when both ends say the same', () => {
    expect(toTimeRange({ from: 'now/h', to: 'now/h' }, UTC)).toMatchObject({
      value: { rangeType: 'absolute', from: '2026-03-18T10:00:00.000Z', to: '2026-03-18T10:59:59.999Z' },
    })
  })

  it('names the end that cannot be read, and each when it is both', () => {
    expect(toTimeRange({ from: 'now', to: 'later' }, UTC)).toEqual({
      ok: false,
      error: { to: 'A time starts with "now" or a date like 2026-01-31 (character 1)' },
    })
    expect(toTimeRange({ from: '', to: 'now-' }, UTC)).toEqual({
      ok: false,
      error: { from: 'A time is missing (character 1)', to: 'Expected a number after "-" (character 5)' },
    })
  })

  it.each([
    ['2026-03-02', '2026-03-01'],
    ['2026-03-01', '2026-03-01'],
    ['now', 'now'],
    ['now', 'now-1h'],
  ])('refuses %s to %s: the end must be after the start', (from, to) => {
    expect(toTimeRange({ from, to }, UTC)).toEqual({ ok: false, error: { to: 'The end must be after the start' } })
  })
})

describe('formatWallTime', () => {
  it.each([
    ['2026-03-18T10:20:00Z', 'UTC', '2026-03-18 10:20'],
    ['2026-03-18T10:20:00Z', 'Asia/Kathmandu', '2026-03-18 16:05'],
    ['2026-03-18T00:00:00Z', 'UTC', '2026-03-18 00:00'],
    ['2026-03-18T10:20:07Z', 'UTC', '2026-03-18 10:20:07'],
    ['2026-03-18T10:20:07.250Z', 'UTC', '2026-03-18 10:20:07.250'],
  ])('writes %s in %s as %s, which reads as the same moment', (iso, zone, text) => {
    expect(formatWallTime(Date.parse(iso), zone)).toBe(text)
    const read = tryParseTimeExpression(text)
    expect(read.ok && resolveTimeExpression(read.value, { now: NOW, zone })).toBe(Date.parse(iso))
  })
})

describe('formatMoments', () => {
  it('names a second day only when it is another', () => {
    const from = Date.parse('2026-03-17T22:00:00Z')
    expect(formatMoments({ from, to: NOW }, 'UTC')).toBe('2026-03-17 22:00 – 2026-03-18 10:20')
    expect(formatMoments({ from, to: NOW }, 'Europe/Berlin')).toBe('2026-03-17 23:00 – 2026-03-18 11:20')
    expect(formatMoments({ from, to: NOW }, 'Europe/Helsinki')).toBe('2026-03-18 00:00 – 12:20')
  })
})

describe('tryParseTimeRangeText', () => {
  const january = { from: '2026-01-01T08:00:00.000Z', to: '2026-01-01T10:00:00.000Z' }

  it.each([
    '{"from":"2026-01-01 08:00","to":"2026-01-01 10:00"}',
    `{"from":${Date.parse(january.from)},"to":${Date.parse(january.to)},"more":true}`,
    '2026-01-01 08:00 – 2026-01-01 10:00',
    '2026-01-01 08:00–2026-01-01 10:00',
    '2026-01-01 08:00 - 2026-01-01 10:00',
    '2026-01-01 08:00 to 2026-01-01 10:00\n',
    '2026-01-01T08:00:00Z — 2026-01-01T10:00:00Z',
    '2026-01-01 08:00 – 10:00',
  ])('reads %s', (text) => {
    expect(tryParseTimeRangeText(text, UTC)).toEqual({
      ok: true,
      value: { rangeType: 'absolute', display: 'Custom', ...january },
    })
  })

  it.each([
    ['{"from":"now-6h","to":"now"}', 'now-6h'],
    ['now-6h – now', 'now-6h'],
    ['now-2d', 'now-2d'],
    ['now+2h', 'now+2h'],
    ['3h', 'now-3h'],
  ])('reads %s as a relative range', (text, range) => {
    expect(tryParseTimeRangeText(text, UTC)).toMatchObject({ value: { rangeType: 'relative', range } })
  })

  it('reads the name of a quick range', () => {
    expect(tryParseTimeRangeText('Previous week', UTC)).toMatchObject({ value: { timeRange: 'Previous week' } })
  })

  it.each([
    ['', 'The clipboard holds no text.'],
    ['hello', 'Not a time range: expected {"from": …, "to": …} or "from – to".'],
    ['{"from":"now-1h"', 'Not a time range: expected {"from": …, "to": …} or "from – to".'],
    ['{"from":"now-1h"}', 'Not a time range: expected {"from": …, "to": …} or "from – to".'],
    ['{"from":true,"to":1e300}', 'Not a time range: expected {"from": …, "to": …} or "from – to".'],
    ['a – b – c', 'Not a time range: expected {"from": …, "to": …} or "from – to".'],
    ['soon – now', 'From: A time starts with "now" or a date like 2026-01-31 (character 1)'],
    ['{"from":"now-1h","to":"now-2h"}', 'To: The end must be after the start'],
  ])('says why %j is none', (text, reason) => {
    expect(tryParseTimeRangeText(text, UTC)).toEqual({ ok: false, error: reason })
  })

  it('gives a range whose moments are those of the text, whatever the zone', () => {
    const range = tryParseTimeRangeText('2026-01-01T08:00:00Z – 2026-01-01T10:00:00Z', { now: NOW, zone: 'Asia/Tokyo' })
    expect(range.ok && resolveTimeRange(range.value, UTC)).toEqual({
      from: Date.parse(january.from),
      to: Date.parse(january.to),
    })
  })
})
