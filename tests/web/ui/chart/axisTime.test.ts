import { describe, expect, it } from 'vitest'

import { toAxisTimes, toUtcSplits } from '../../../../web/src/ui/chart/axisTime.ts'

/** Seconds of a moment on the clock of this computer, so that the test holds in every zone. */
const local = (day: number, hour: number, minute = 0, second = 0): number =>
  new Date(2026, 0, day, hour, minute, second).getTime() / 1_000

const words = (at: number, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(undefined, options).format(at * 1_000)
const day = (at: number): string => words(at, { day: 'numeric', month: 'short' })

describe('toAxisTimes', () => {
  it('says hours and minutes, and the day where it begins', () => {
    expect(toAxisTimes([local(1, 23, 50), local(2, 0), local(2, 0, 10)], 600, 'local')).toEqual([
      '23:50',
      day(local(2, 0)),
      '00:10',
    ])
  })

  it('says seconds when minutes would repeat', () => {
    expect(toAxisTimes([local(1, 9, 0, 30), local(1, 9, 0, 45)], 15, 'local')).toEqual(['09:00:30', '09:00:45'])
  })

  it('says the hours and days of UTC to those who chose it', () => {
    const at = Date.UTC(2026, 0, 2) / 1_000
    const day = words(at, { day: 'numeric', month: 'short', timeZone: 'UTC' })
    expect(toAxisTimes([at - 600, at, at + 600], 600, 'UTC')).toEqual(['23:50', day, '00:10'])
  })

  it('says days, and months, for long ranges', () => {
    expect(toAxisTimes([local(3, 0), local(5, 0)], 2 * 86_400, 'local')).toEqual([day(local(3, 0)), day(local(5, 0))])
    expect(toAxisTimes([local(1, 0)], 31 * 86_400, 'local')).toEqual([
      words(local(1, 0), { month: 'short', year: 'numeric' }),
    ])
  })
})

describe('toUtcSplits', () => {
  const HOUR = 3_600
  const DAY = 24 * HOUR
  const at = (text: string): number => Date.parse(`${text}Z`) / 1_000
  const split = (from: string, to: string, stepS: number): string[] =>
    toUtcSplits(at(from), at(to), stepS).map((seconds) => new Date(seconds * 1_000).toISOString().slice(0, 16))

  it.each([
    ['2026-03-07T22:10', '2026-03-08T09:50', 4 * HOUR, ['2026-03-08T00:00', '2026-03-08T04:00', '2026-03-08T08:00']],
    ['2026-03-07T22:10', '2026-03-09T09:50', DAY, ['2026-03-08T00:00', '2026-03-09T00:00']],
    ['2026-03-07T00:00', '2026-03-07T00:20', 600, ['2026-03-07T00:00', '2026-03-07T00:10', '2026-03-07T00:20']],
    ['2026-01-15T00:00', '2026-04-15T00:00', 30 * DAY, ['2026-02-01T00:00', '2026-03-01T00:00', '2026-04-01T00:00']],
    ['2025-11-02T00:00', '2026-08-01T00:00', 90 * DAY, ['2026-01-01T00:00', '2026-04-01T00:00', '2026-07-01T00:00']],
    ['2024-06-01T00:00', '2026-06-01T00:00', 365 * DAY, ['2025-01-01T00:00', '2026-01-01T00:00']],
    ['2026-03-07T00:01', '2026-03-07T00:02', 600, []],
  ])('names round times of UTC from %s to %s, %d s apart', (from, to, stepS, expected) => {
    expect(split(from, to, stepS)).toEqual(expected)
  })
})
