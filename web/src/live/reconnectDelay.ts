/** First wait; a gateway that restarts needs about a second. */
const BASE_DELAY_MS = 500
const MAX_DELAY_MS = 15_000

/**
 * Wait before connecting again.
 * Doubles with each attempt; the random half keeps tabs that lost the same gateway out of step.
 *
 * @param attempt attempts since the last link that lasted, 0 for the first
 * @returns milliseconds in [250, 15,000]
 */
export function reconnectDelay(attempt: number, random: () => number): number {
  const ceiling = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** Math.min(attempt, 10))
  return ceiling / 2 + (random() * ceiling) / 2
}
