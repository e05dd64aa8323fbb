import { tryParseDuration } from '../time/index.ts'

/** Third specification, section 9. */
export const REPEAT_INTERVALS = ['1h', '2h', '3h', '6h', '1d', '1w', '1m'] as const

const MONTH_MS = 30 * 86_400_000

/** Milliseconds; null for what is no length of time. `1m` comes after `1w`: it is a month. */
export function tryParseRepeatInterval(text: string): number | null {
  return text.trim() === '1m' ? MONTH_MS : tryParseDuration(text)
}
