const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * Wait before the upstream is asked again: doubles with each failure, and is spread over its upper half, so that a hundred
 * agents do not all come back in the moment in which it does.
 *
 * @param failures consecutive failures, 1 after the first
 * @param random in [0, 1)
 * @returns milliseconds in [250, 30 000]
 */
export function backoffMs(failures: number, random: () => number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1))
  return full / 2 + (full / 2) * random()
}
