import { describe, expect, it } from 'vitest'

import { toAxisTimes } from '../../../../web/src/ui/chart/axisTime.ts'

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
