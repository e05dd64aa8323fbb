import { failed, ok, type Result } from '@watchroom/shared/kernel'

/** Choices of the history's duration filter (first specification, section 2); anything else is typed. */
export const DURATION_CHOICES = ['100ms', '500ms', '1s', '5s', '10s', '30s'] as const

/** First specification, section 5, word for word. */
export const DURATION_MESSAGE = 'duration is allowed only in milli seconds & seconds'

const DURATION = /^(\d{1,9}(?:\.\d{1,6})?)\s*(ms|s)$/i

/**
 * Reads a duration of the history filter: `250ms`, `1.5s`.
 *
 * @returns whole milliseconds, rounded up because the column holds whole ones, or the message for the field
 */
export function tryParseDurationFilter(text: string): Result<number, typeof DURATION_MESSAGE> {
  const [, amount, unit] = DURATION.exec(text.trim()) ?? []
  if (amount === undefined || unit === undefined) return failed(DURATION_MESSAGE)
  // The first rounding repairs what binary fractions add: 1.1 s are 1100 ms, not 1100.0000000000002.
  return ok(Math.ceil(Number((Number(amount) * (unit.toLowerCase() === 's' ? 1_000 : 1)).toFixed(3))))
}
