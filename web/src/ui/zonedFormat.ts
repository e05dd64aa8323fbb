import type { TimeZoneChoice } from '../preferences/timeZone.ts'

/** Formats times in either zone. Making a format costs a hundred times what using it costs: each is made once, when it is wanted. */
export function createZonedFormat(options: Intl.DateTimeFormatOptions): (zone: TimeZoneChoice) => Intl.DateTimeFormat {
  const formats = new Map<TimeZoneChoice, Intl.DateTimeFormat>()
  return (zone) => {
    const known = formats.get(zone)
    if (known !== undefined) return known
    const made = new Intl.DateTimeFormat(undefined, zone === 'UTC' ? { ...options, timeZone: zone } : options)
    formats.set(zone, made)
    return made
  }
}
