import type { GroupHealth, Health } from './health.ts'

const WORDS: Record<Health | GroupHealth, string> = {
  healthy: 'Healthy',
  good: 'Healthy',
  mixed: 'Mixed',
  unhealthy: 'Unhealthy',
  bad: 'Unhealthy',
  unknown: 'Unknown',
}

const pad = (value: number): string => String(value).padStart(2, '0')

/** For so long the time of day alone says which day is meant. */
const SAME_DAY_MS = 20 * 3_600_000

/** `10:31`, and after most of a day with the day, in the reader's zone. */
function formatSince(at: number, now: number): string {
  const date = new Date(at)
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}`
  if (now - at < SAME_DAY_MS) return time
  return `${new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }).format(date)} ${time}`
}

/** The word beside the glyph. What a silent agent last said is old news: then it says since when nobody knows. */
export function toHealthWord(health: Health | GroupHealth, unknownSinceAt: number | null, now: number): string {
  return unknownSinceAt === null ? WORDS[health] : `Unknown since ${formatSince(unknownSinceAt, now)}`
}
