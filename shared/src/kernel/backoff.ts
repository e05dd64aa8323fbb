export interface BackoffPolicy {
  /** After the first failure. */
  readonly firstMs: number
  /** After many. */
  readonly maxMs: number
}

/** Enough to reach any `maxMs`, and no overflow after it. */
const MAX_DOUBLINGS = 30

/**
 * Wait before the next attempt. Doubles with each failure, and is spread over its upper half, so that those who lost the same
 * thing do not all come back in the moment in which it does.
 *
 * @param failures consecutive failures, 1 after the first
 * @param random in [0, 1); without one the wait is not spread, for those who come back alone
 * @returns milliseconds in [firstMs / 2, maxMs]
 */
export function backoffMs(failures: number, { firstMs, maxMs }: BackoffPolicy, random?: () => number): number {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(Math.max(0, failures - 1), MAX_DOUBLINGS))
  return random === undefined ? full : full / 2 + (full / 2) * random()
}
