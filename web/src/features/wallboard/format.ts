import type { TimeZoneChoice } from '../../preferences/timeZone.ts'
import { createZonedFormat } from '../../ui/zonedFormat.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** One unit, the largest that fits: `12 m`. Under a minute in steps of 5 s, so that a wall of numbers does not flicker. */
export function formatSpan(spanMs: number): string {
  const span = Math.max(0, spanMs)
  if (span < 5 * SECOND) return '< 5 s'
  if (span < MINUTE) return `${Math.floor(span / (5 * SECOND)) * 5} s`
  if (span < HOUR) return `${Math.floor(span / MINUTE)} m`
  if (span < DAY) return `${Math.floor(span / HOUR)} h`
  const days = Math.floor(span / DAY)
  return days < 365 ? `${days} d` : `${Math.floor(days / 365)} y`
}

const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const DATE = { day: 'numeric', month: 'short' } as const
const date = createZonedFormat({ dateStyle: 'short' })
const clock = createZonedFormat(TIME)
const weekday = createZonedFormat({ weekday: 'short', ...TIME })
const day = createZonedFormat(DATE)
const dayOfYear = createZonedFormat({ ...DATE, year: 'numeric' })

/** The moment as people say it: the time of today, else the day. */
export function formatSince(moment: number, now: number, zone: TimeZoneChoice): string {
  const isToday = date(zone).format(moment) === date(zone).format(now)
  const age = now - moment
  const format = isToday ? clock : age < 6 * DAY ? weekday : age <= 300 * DAY ? day : dayOfYear
  return format(zone).format(moment)
}
