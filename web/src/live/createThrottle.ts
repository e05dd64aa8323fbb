import { type Clock, createTimer } from '@watchroom/shared/kernel'

export interface Throttle {
  /** Calls at once, and what is asked for within the pause after that once, when it is over. */
  readonly ask: () => void
  readonly close: () => void
}

/** A call that is asked for more often than it is wanted. */
export function createThrottle(clock: Clock, pauseMs: number, call: () => void): Throttle {
  const timer = createTimer(clock)
  let calledAt = Number.NEGATIVE_INFINITY
  const callNow = (): void => {
    calledAt = clock.monotonic()
    call()
  }
  return {
    ask: () => {
      if (timer.isSet()) return
      const waitMs = calledAt + pauseMs - clock.monotonic()
      if (waitMs <= 0) callNow()
      else timer.set(callNow, waitMs)
    },
    close: timer.clear,
  }
}
