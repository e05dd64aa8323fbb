import type { Clock } from '@watchroom/shared/kernel'

/** The browser's `Clock`: the only place in the client that starts a timer. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule: (callback, delayMs) => {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}
