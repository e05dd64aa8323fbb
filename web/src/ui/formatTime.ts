const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `just now`, `5m ago`, `in 3h`, `12d ago`: one unit, the largest that fits. */
export function formatAge(moment: number, now: number): string {
  const age = now - moment
  const size = Math.abs(age)
  if (size < MINUTE) return 'just now'
  const amount =
    size < HOUR ? `${Math.floor(size / MINUTE)}m` : size < DAY ? `${Math.floor(size / HOUR)}h` : formatDays(size)
  return age >= 0 ? `${amount} ago` : `in ${amount}`
}

function formatDays(size: number): string {
  const days = Math.floor(size / DAY)
  return days < 365 ? `${days}d` : `${Math.floor(days / 365)}y`
}

/** Times of the database have microseconds and may lack a zone: those are UTC. NaN when it is no time. */
export function parseMoment(value: string | number | null | undefined): number {
  if (value === null || value === undefined || value === '') return Number.NaN
  if (typeof value === 'number') return value
  const hasZone = /(?:[zZ]|[+-]\d{2}(?::?\d{2})?)$/.test(value)
  return Date.parse(hasZone || !value.includes(':') ? value : `${value}Z`)
}
