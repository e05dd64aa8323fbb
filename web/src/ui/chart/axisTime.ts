import type { TimeZoneChoice } from '../../preferences/timeZone.ts'
import { createZonedFormat } from '../zonedFormat.ts'

const DAY_S = 86_400

const clock = createZonedFormat({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const exactClock = createZonedFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const day = createZonedFormat({ day: 'numeric', month: 'short' })
const month = createZonedFormat({ month: 'short', year: 'numeric' })

type Format = ReturnType<typeof createZonedFormat>

/**
 * Words below the time axis, as short as the distance between them allows. A day is named where it begins.
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
