// Clock and calendar of a time zone. A wall time is the milliseconds that UTC would show the same clock at, so that
// calendar arithmetic is plain UTC arithmetic and only the two conversions know of zones.

/** `local` (the zone of this computer), `UTC`, or an IANA name such as `Europe/Berlin`. */
export type Zone = string

const formats = new Map<Zone, Intl.DateTimeFormat>()

/** The name behind `local`. */
export function toZoneName(zone: Zone): string {
  return zone === 'local' ? new Intl.DateTimeFormat().resolvedOptions().timeZone : zone
}

/**
 * How far the clocks of a zone are ahead of UTC at a moment, in milliseconds.
 *
 * @throws RangeError when the zone does not exist
 */
function offsetAt(moment: number, zone: Zone): number {
  if (zone === 'UTC') return 0
  if (zone === 'local') return -Math.round(new Date(moment).getTimezoneOffset() * MINUTE_MS)
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    formats.set(zone, format)
  }
  // `GMT`, `GMT+05:45`, and before standard time also seconds: `GMT-04:56:02`.
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?/.exec(format.format(moment)) ?? []
  const size = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * 1_000
  return sign === '-' ? -size : size
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** What the clock of the zone shows at a moment, as a wall time. */
export function toWallTime(moment: number, zone: Zone): number {
  return moment + offsetAt(moment, zone)
}

/**
 * The moment at which the clock of the zone shows a wall time. Shown twice (clocks go back): the first time.
 * Never shown (clocks go forward): as much later as the clocks jump, which for midnight is the first moment of that day.
 */
export function fromWallTime(wall: number, zone: Zone): number {
  const before = offsetAt(wall - DAY_MS, zone)
  const after = offsetAt(wall + DAY_MS, zone)
  // With clocks going back the earlier moment is the one with the larger offset.
  for (const offset of [Math.max(before, after), Math.min(before, after)]) {
    if (offsetAt(wall - offset, zone) === offset) return wall - offset
  }
  return wall - before
}
