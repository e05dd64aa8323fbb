const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

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
