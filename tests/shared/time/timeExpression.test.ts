import { formatTimeExpression, resolveTimeExpression, tryParseTimeExpression, type Zone } from '@watchroom/shared/time'
import { describe, expect, it } from 'vitest'

/** A Wednesday. */
const NOW = Date.parse('2026-03-18T10:20:30.400Z')

interface Resolving {
  now?: number | string
  zone?: Zone
  roundUp?: boolean
}

function resolve(text: string, { now = NOW, zone = 'UTC', roundUp = false }: Resolving = {}): string {
  const expression = tryParseTimeExpression(text)
  if (!expression.ok) throw new Error(expression.error.reason)
  const moment = resolveTimeExpression(expression.value, {
    now: typeof now === 'string' ? Date.parse(now) : now,
    zone,
    roundUp,
  })
  return new Date(moment).toISOString()
}

describe('tryParseTimeExpression', () => {
  it.each([
    ['', 0, 'A time is missing (character 1)'],
    ['   ', 0, 'A time is missing (character 1)'],
    ['soon', 0, 'A time starts with "now" or a date like 2026-01-31 (character 1)'],
    ['Now', 0, 'A time starts with "now" or a date like 2026-01-31 (character 1)'],
    ['now-', 4, 'Expected a number after "-" (character 5)'],
    ['now+-1d', 4, 'Expected a number after "+" (character 5)'],
    ['now-1', 5, 'Expected a unit (ms, s, m, h, d, w, M, y) (character 6)'],
    ['now-1x', 5, 'Expected a unit (ms, s, m, h, d, w, M, y) (character 6)'],
    ['now-1D', 5, 'Expected a unit (ms, s, m, h, d, w, M, y) (character 6)'],
    ['now-1.5d', 5, 'Expected a unit (ms, s, m, h, d, w, M, y) (character 6)'],
    ['now/', 4, 'Expected a unit (ms, s, m, h, d, w, M, y) (character 5)'],
    ['now/2d', 4, 'Expected a unit (ms, s, m, h, d, w, M, y) (character 5)'],
    ['now-1d rest', 6, 'Expected "+", "-" or "/" (character 7)'],
    ['now -1d', 3, 'Expected "+", "-" or "/" (character 4)'],
    ['  nowish', 5, 'Expected "+", "-" or "/" (character 6)'],
    ['now-1234567890d', 4, 'The number is too large (character 5)'],
    ['2026-13-40', 0, 'There is no such date or time as 2026-13-40 (character 1)'],
    ['2026-02-29', 0, 'There is no such date or time as 2026-02-29 (character 1)'],
    ['2026-02-28 24:00', 0, 'There is no such date or time as 2026-02-28 24:00 (character 1)'],
    ['2026-02-28 12:00+24:00', 0, 'There is no such date or time as 2026-02-28 12:00+24:00 (character 1)'],
    ['2026-01-31-1d', 10, 'Expected the end, or "||" before date math (character 11)'],
    ['2026-01-31||x', 12, 'Expected "+", "-" or "/" (character 13)'],
    ['||+1d', 0, 'A time starts with "now" or a date like 2026-01-31 (character 1)'],
    [`now${'/d'.repeat(99)}`, 200, 'A time has at most 200 characters (character 201)'],
  ])('refuses %j and names the place', (text, position, reason) => {
    expect(tryParseTimeExpression(text)).toEqual({ ok: false, error: { position, reason } })
  })

  it('reads minutes and months apart, and ms before m and s', () => {
    expect(tryParseTimeExpression('now-1m+1M-250ms')).toEqual({
      ok: true,
      value: {
        anchor: { kind: 'now' },
        steps: [
          { kind: 'move', amount: -1, unit: 'm' },
          { kind: 'move', amount: 1, unit: 'M' },
          { kind: 'move', amount: -250, unit: 'ms' },
        ],
      },
    })
  })
})

describe('formatTimeExpression', () => {
  it.each([
    ['now', 'now'],
    [' now-2d ', 'now-2d'],
    ['now-02d/d', 'now-2d/d'],
    ['now-1H', 'now-1h'],
    ['2026-01-31', '2026-01-31'],
    ['2026-01-31 00:00', '2026-01-31'],
    ['2026-01-31T08:05', '2026-01-31 08:05'],
    ['2026-01-31 08:05:09', '2026-01-31 08:05:09'],
    ['2026-01-31 08:05:09.25', '2026-01-31 08:05:09.250'],
    ['2026-01-31||+1M/d', '2026-01-31||+1M/d'],
    ['2026-01-31T08:05+02:00', '2026-01-31T06:05:00.000Z'],
    ['2026-01-31T08:05-0230', '2026-01-31T10:35:00.000Z'],
    ['2026-01-31 08:05+02', '2026-01-31T06:05:00.000Z'],
    ['2026-01-31t08:05z||-1h', '2026-01-31T08:05:00.000Z||-1h'],
  ])('writes %j as %j, and reads that as the same expression', (text, canonical) => {
    const read = tryParseTimeExpression(text)
    if (!read.ok) throw new Error(read.error.reason)
    expect(formatTimeExpression(read.value)).toBe(canonical)
    expect(tryParseTimeExpression(canonical)).toEqual(read)
  })
})

describe('resolveTimeExpression in UTC', () => {
  it.each([
    ['now', '2026-03-18T10:20:30.400Z'],
    ['now-2d', '2026-03-16T10:20:30.400Z'],
    ['now+30m', '2026-03-18T10:50:30.400Z'],
    ['now-90s', '2026-03-18T10:19:00.400Z'],
    ['now+600ms', '2026-03-18T10:20:31.000Z'],
    ['now-3h', '2026-03-18T07:20:30.400Z'],
    ['now-2w', '2026-03-04T10:20:30.400Z'],
    ['now-1M', '2026-02-18T10:20:30.400Z'],
    ['now+10M', '2027-01-18T10:20:30.400Z'],
    ['now-15M', '2024-12-18T10:20:30.400Z'],
    ['now-1y', '2025-03-18T10:20:30.400Z'],
    ['now/d-1h+30m', '2026-03-17T23:30:00.000Z'],
    ['2026-01-31||+1M', '2026-02-28T00:00:00.000Z'],
    ['2024-02-29||+1y', '2025-02-28T00:00:00.000Z'],
    ['2024-02-29||+4y', '2028-02-29T00:00:00.000Z'],
    ['2026-01-31 08:05', '2026-01-31T08:05:00.000Z'],
    ['0050-06-15||/y', '0050-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(resolve(text)).toBe(moment)
  })

  it.each([
    ['ms', '2026-03-18T10:20:30.400Z', '2026-03-18T10:20:30.400Z'],
    ['s', '2026-03-18T10:20:30.000Z', '2026-03-18T10:20:30.999Z'],
    ['m', '2026-03-18T10:20:00.000Z', '2026-03-18T10:20:59.999Z'],
    ['h', '2026-03-18T10:00:00.000Z', '2026-03-18T10:59:59.999Z'],
    ['d', '2026-03-18T00:00:00.000Z', '2026-03-18T23:59:59.999Z'],
    ['w', '2026-03-16T00:00:00.000Z', '2026-03-22T23:59:59.999Z'],
    ['M', '2026-03-01T00:00:00.000Z', '2026-03-31T23:59:59.999Z'],
    ['y', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
  ])('rounds /%s to its start, or up to its end', (unit, start, end) => {
    expect(resolve(`now/${unit}`)).toBe(start)
    expect(resolve(`now/${unit}`, { roundUp: true })).toBe(end)
  })

  it.each([
    ['2026-03-16T00:00:00Z', '2026-03-16T00:00:00.000Z'],
    ['2026-03-15T23:59:59.999Z', '2026-03-09T00:00:00.000Z'],
  ])('starts weeks on Monday: the week of %s on %s', (now, monday) => {
    expect(resolve('now/w', { now })).toBe(monday)
  })

  it('stays within four-digit years, however far an expression reaches', () => {
    const [first, last] = ['0001-01-02T00:00:00.000Z', '9999-12-30T23:59:59.999Z']
    expect(resolve('now-999999999y')).toBe(first)
    expect(resolve('now+999999999M')).toBe(last)
    expect(resolve('now-999999999w')).toBe(first)
    expect(resolve('now-999999999h-999999999h')).toBe(first)
    expect(resolve('now+999999999y/d', { roundUp: true })).toBe(last)
    expect(resolve('9999-12-31 23:59', { zone: 'America/New_York' })).toBe(last)
    expect(resolve('now-999999999y/w', { zone: 'Asia/Tokyo' })).toBe(first)
  })
})

describe('resolveTimeExpression in a zone', () => {
  it('takes a timestamp without a zone as the clock there', () => {
    expect(resolve('2026-01-31 08:05', { zone: 'Asia/Kathmandu' })).toBe('2026-01-31T02:20:00.000Z')
    expect(resolve('2026-07-31 08:05', { zone: 'America/New_York' })).toBe('2026-07-31T12:05:00.000Z')
    expect(resolve('2026-07-31 08:05Z', { zone: 'America/New_York' })).toBe('2026-07-31T08:05:00.000Z')
  })

  it('starts the day where the zone does', () => {
    const late = '2026-03-18T23:30:00Z'
    expect(resolve('now/d', { now: late, zone: 'Europe/Berlin' })).toBe('2026-03-18T23:00:00.000Z')
    expect(resolve('now/d', { now: late, zone: 'America/New_York' })).toBe('2026-03-18T04:00:00.000Z')
  })

  it('keeps the clock time over the change to summer time, while hours stay exact', () => {
    // Clocks in Berlin went from 02:00 to 03:00 on 29 March 2026.
    const options = { now: '2026-03-29T10:00:00Z', zone: 'Europe/Berlin' }
    expect(resolve('now-1d', options)).toBe('2026-03-28T11:00:00.000Z')
    expect(resolve('now-24h', options)).toBe('2026-03-28T10:00:00.000Z')
    expect(resolve('now/d', options)).toBe('2026-03-28T23:00:00.000Z')
    expect(resolve('now/d', { ...options, roundUp: true })).toBe('2026-03-29T21:59:59.999Z')
  })

  it('keeps the clock time over the change to winter time', () => {
    // Clocks in New York went from 02:00 back to 01:00 on 1 November 2026.
    const options = { now: '2026-11-01T17:00:00Z', zone: 'America/New_York' }
    expect(resolve('now-1d', options)).toBe('2026-10-31T16:00:00.000Z')
    expect(resolve('now/d', options)).toBe('2026-11-01T04:00:00.000Z')
    expect(resolve('now/d', { ...options, roundUp: true })).toBe('2026-11-02T04:59:59.999Z')
    expect(resolve('now/w', { ...options, roundUp: true })).toBe('2026-11-02T04:59:59.999Z')
  })

  it('reads a clock time that is skipped as later, and one that comes twice as the first', () => {
    expect(resolve('2026-03-29 02:30', { zone: 'Europe/Berlin' })).toBe('2026-03-29T01:30:00.000Z')
    expect(resolve('2026-11-01 01:30', { zone: 'America/New_York' })).toBe('2026-11-01T05:30:00.000Z')
  })

  it('starts a day without midnight at its first moment', () => {
    // In São Paulo clocks went from 00:00 to 01:00 on 4 November 2018.
    expect(resolve('now/d', { now: '2018-11-04T15:00:00Z', zone: 'America/Sao_Paulo' })).toBe(
      '2018-11-04T03:00:00.000Z',
    )
  })

  it('keeps the second of two equal hours', () => {
    const second = '2026-11-01T06:40:00Z'
    const options = { now: second, zone: 'America/New_York' }
    expect(resolve('now/h', options)).toBe('2026-11-01T06:00:00.000Z')
    expect(resolve('now/h', { ...options, roundUp: true })).toBe('2026-11-01T06:59:59.999Z')
  })

  it('rounds to hours of zones that are not whole hours away', () => {
    const options = { now: '2026-03-18T10:20:00Z', zone: 'Asia/Kathmandu' }
    expect(resolve('now/h', options)).toBe('2026-03-18T10:15:00.000Z')
    expect(resolve('now/h', { ...options, roundUp: true })).toBe('2026-03-18T11:14:59.999Z')
  })

  it('rounds to the hour when clocks change by half an hour', () => {
    // On Lord Howe Island clocks went from 02:00 to 02:30 on 4 October 2026.
    const change = Date.parse('2026-10-03T15:30:00Z')
    expect(resolve('now/h', { now: change + 60_000, zone: 'Australia/Lord_Howe' })).toBe('2026-10-03T15:30:00.000Z')
  })

  it('throws on a zone that does not exist', () => {
    expect(() => resolve('now/d', { zone: 'Mars/Olympus' })).toThrow(RangeError)
  })
})
