import type { TimeZoneChoice } from '../../preferences/timeZone.ts'
import { createZonedFormat } from '../zonedFormat.ts'

const DAY_S = 86_400

const clock = createZonedFormat({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const exactClock = createZonedFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const day = createZonedFormat({ day: 'numeric', month: 'short' })
const month = createZonedFormat({ month: 'short', year: 'numeric' })

type Format = ReturnType<typeof createZonedFormat>

/** Months and years as multiples of seconds, as axis steps count them. */
const MONTH_S = 30 * DAY_S
const YEAR_S = 365 * DAY_S
const YEAR_MONTHS = 12

/**
 * Round moments in UTC for the time axis; those in local time are not round in UTC.
 *
 * @param from seconds since the epoch, as `to`
 * @param stepS wanted distance; approximate for months and years
 */
export function toUtcSplits(from: number, to: number, stepS: number): number[] {
  if (stepS < MONTH_S) {
    const first = Math.ceil(from / stepS)
    return Array.from(
      { length: Math.max(0, Math.floor(to / stepS) - first + 1) },
      (_, index) => (first + index) * stepS,
    )
  }
  const months = stepS < YEAR_S ? Math.round(stepS / MONTH_S) : Math.round(stepS / YEAR_S) * YEAR_MONTHS
  const splits: number[] = []
  const begin = new Date(from * 1_000)
  const firstMonth = Math.floor((begin.getUTCFullYear() * YEAR_MONTHS + begin.getUTCMonth()) / months) * months
  for (let month = firstMonth; ; month += months) {
    const at = Date.UTC(Math.floor(month / YEAR_MONTHS), month % YEAR_MONTHS) / 1_000
    if (at > to) return splits
    if (at >= from) splits.push(at)
  }
}

/**
 * Labels below the time axis, as short as the distance between them allows. A day is named where it begins.
 *
 * @param splits seconds since the epoch
 * @param stepS seconds between two of them
 */
export function toAxisTimes(splits: readonly number[], stepS: number, zone: TimeZoneChoice): string[] {
  const format = (form: Format, at: number): string => form(zone).format(at * 1_000)
  if (stepS >= 28 * DAY_S) return splits.map((at) => format(month, at))
  if (stepS >= DAY_S) return splits.map((at) => format(day, at))
  const time = stepS < 60 ? exactClock : clock
  return splits.map((at) => (format(clock, at) === '00:00' && at % 60 === 0 ? format(day, at) : format(time, at)))
}
