import { toUptimeRatio } from './sortChecks.ts'

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS

/**
 * Percentage with two decimals. Rounded down, so that 100.00 % never hides a failure.
 *
 * @returns null when nothing ran
 */
export function formatUptime(uptime: { passed: number; failed: number }): string | null {
  const ratio = toUptimeRatio(uptime)
  // Floating point makes 0.29 * 10000 a hair too small; the first rounding repairs that before the cut.
  return ratio === null ? null : `${(Math.floor(Number((ratio * 10_000).toFixed(6))) / 100).toFixed(2)}%`
}

/** Any other percentage has one decimal (first specification, section 9). */
export function formatPercent(percent: number): string {
  return `${percent.toFixed(1)}%`
}

/** The time since the last run is shown only when it is over an hour and not over a week (first specification, section 9). */
export function isAgeWorthSaying(lastRunAt: number, now: number): boolean {
  const ageMs = now - lastRunAt
  return ageMs > HOUR_MS && ageMs <= WEEK_MS
}

export interface BarFill {
  /** Percent of the bar's length in [5, 100]: a bar of nothing would look like a bar that is missing. */
  readonly widthPercent: number
  readonly tone: 'calm' | 'warning' | 'danger'
}

/** Length and tone of a bar for a share in percent (first specification, section 9). */
export function toBarFill(percent: number): BarFill {
  return {
    widthPercent: Math.min(100, Math.max(5, percent)),
    tone: percent > 90 ? 'danger' : percent > 75 ? 'warning' : 'calm',
  }
}
