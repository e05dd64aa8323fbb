import type { Clock } from '@watchroom/shared/kernel'

/** Beyond this the machine's timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule: (callback, delayMs) => {
    let timer: NodeJS.Timeout
    const wait = (leftMs: number): void => {
      const pieceMs = Math.min(leftMs, LONGEST_TIMER_MS)
      timer = setTimeout(() => (pieceMs < leftMs ? wait(leftMs - pieceMs) : callback()), pieceMs)
    }
    wait(delayMs)
    return () => clearTimeout(timer)
  },
}
