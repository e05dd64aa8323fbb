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

/** The moment as people say it: the time of today, else the day. */
export function formatSince(moment: number, now: number, zone: 'local' | 'UTC'): string {
  const inZone: Intl.DateTimeFormatOptions = zone === 'UTC' ? { timeZone: zone } : {}
  const days = new Intl.DateTimeFormat(undefined, { ...inZone, dateStyle: 'short' })
  const isToday = days.format(moment) === days.format(now)
  return new Intl.DateTimeFormat(undefined, {
    ...inZone,
    ...(isToday
      ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
      : now - moment < 6 * DAY
        ? { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
        : { day: 'numeric', month: 'short', ...(now - moment > 300 * DAY ? { year: 'numeric' } : {}) }),
  }).format(moment)
}

/** `a`, `a and b`, `a, b and 3 more`. */
export function listNames(names: readonly string[], shown = 3): string {
  if (names.length <= 1) return names.join('')
  const head = names.slice(0, Math.min(shown, names.length - 1))
  const rest = names.length - head.length
  return `${head.join(', ')} and ${rest === 1 ? names.at(-1) : `${rest} more`}`
}
