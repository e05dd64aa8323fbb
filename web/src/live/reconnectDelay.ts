import { backoffMs } from '@watchroom/shared/kernel'

/** A gateway that restarts needs about a second. */
const BACKOFF = { firstMs: 500, maxMs: 15_000 }

/**
 * Wait before connecting again.
 *
 * @param attempt attempts since the last link that lasted, 0 for the first
 * @returns milliseconds in [250, 15,000]
 */
export function reconnectDelay(attempt: number, random: () => number): number {
  return backoffMs(attempt + 1, BACKOFF, random)
}
