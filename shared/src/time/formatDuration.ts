const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** At most one decimal, and none once the number has two digits: 1.5, 12. */
function short(value: number): string {
  const digits = value < 10 ? 1 : 0
  return String(Number(value.toFixed(digits)))
}

/**
 * Duration for people: under a second in ms, under a minute in s, under an hour in m, else h (first specification, section 9).
 * The unit is chosen after rounding, so 999.7 ms reads `1s` and never `1000ms`.
 */
export function formatDuration(durationMs: number): string {
  const ms = Number(short(durationMs))
  if (ms < SECOND_MS) return `${ms}ms`
  const seconds = Number(short(durationMs / SECOND_MS))
  if (seconds < 60) return `${seconds}s`
  const minutes = Number(short(durationMs / MINUTE_MS))
  return minutes < 60 ? `${minutes}m` : `${short(durationMs / HOUR_MS)}h`
}

/** Age for people, whole units, rounded down: `<1m`, `5m`, `3h`, `2d`. Texts are refreshed once a minute, so there are no seconds. */
export function formatAge(ageMs: number): string {
  if (ageMs < MINUTE_MS) return '<1m'
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)}m`
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)}h`
  return `${Math.floor(ageMs / DAY_MS)}d`
}
