const DAY_S = 86_400

const formats = new Map<string, Intl.DateTimeFormat>()

function format(at: number, name: string, options: Intl.DateTimeFormatOptions): string {
  let found = formats.get(name)
  if (found === undefined) {
    found = new Intl.DateTimeFormat(undefined, options)
    formats.set(name, found)
  }
  return found.format(at * 1_000)
}

const toClock = (at: number): string => format(at, 'clock', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const toExactClock = (at: number): string =>
  format(at, 'exact', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const toDay = (at: number): string => format(at, 'day', { day: 'numeric', month: 'short' })
const toMonth = (at: number): string => format(at, 'month', { month: 'short', year: 'numeric' })

/**
 * Words below the time axis, as short as the distance between them allows. A day is named where it begins.
 *
 * @param splits seconds since the epoch
 * @param stepS seconds between two of them
 */
export function toAxisTimes(splits: readonly number[], stepS: number): string[] {
  if (stepS >= 28 * DAY_S) return splits.map(toMonth)
  if (stepS >= DAY_S) return splits.map(toDay)
  const toTime = stepS < 60 ? toExactClock : toClock
  return splits.map((at) => (toClock(at) === '00:00' && at % 60 === 0 ? toDay(at) : toTime(at)))
}
