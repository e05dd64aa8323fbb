import { type Clock, createTimer } from '@watchroom/shared/kernel'

export interface Throttle {
  /** Calls at once, and once more at the end of the pause if asked again during it. */
  readonly ask: () => void
  readonly close: () => void
}

/** Limits how often something is called, however often it is asked for. */
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
