const DAY_S = 86_400

const formats = new Map<string, Intl.DateTimeFormat>()

interface Format extends Intl.DateTimeFormatOptions {
  readonly name: string
  readonly zone: Zone
}
type Zone = 'local' | 'UTC'

function format(at: number, { zone, name, ...options }: Format): string {
  const key = `${name} ${zone}`
  let found = formats.get(key)
  if (found === undefined) {
    found = new Intl.DateTimeFormat(undefined, zone === 'UTC' ? { ...options, timeZone: zone } : options)
    formats.set(key, found)
  }
  return found.format(at * 1_000)
}

const toClock = (at: number, zone: Zone): string =>
  format(at, { zone, name: 'clock', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const toExactClock = (at: number, zone: Zone): string =>
  format(at, { zone, name: 'exact', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const toDay = (at: number, zone: Zone): string => format(at, { zone, name: 'day', day: 'numeric', month: 'short' })
const toMonth = (at: number, zone: Zone): string => format(at, { zone, name: 'month', month: 'short', year: 'numeric' })

/**
 * Words below the time axis, as short as the distance between them allows. A day is named where it begins.
 *
 * @param splits seconds since the epoch
 * @param stepS seconds between two of them
 */
export function toAxisTimes(splits: readonly number[], stepS: number, zone: Zone): string[] {
  if (stepS >= 28 * DAY_S) return splits.map((at) => toMonth(at, zone))
  if (stepS >= DAY_S) return splits.map((at) => toDay(at, zone))
  const toTime = stepS < 60 ? toExactClock : toClock
  return splits.map((at) => (toClock(at, zone) === '00:00' && at % 60 === 0 ? toDay(at, zone) : toTime(at, zone)))
}
