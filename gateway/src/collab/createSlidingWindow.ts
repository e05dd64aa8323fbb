import type { Clock } from '@watchroom/shared/kernel'

const WINDOW_MS = 60_000

/** Counts what happened within the last minute. */
export interface SlidingWindow {
  /** @returns false when that was one too many */
  note(): boolean
  isOver(): boolean
  isEmpty(): boolean
}

/** @param deps.limit how many a minute are allowed */
export function createSlidingWindow(deps: { clock: Clock; limit: number }): SlidingWindow {
  let moments: number[] = []
  const count = (): number => {
    const since = deps.clock.monotonic() - WINDOW_MS
    moments = moments.filter((at) => at > since)
    return moments.length
  }
  return {
    note: () => {
      // More than one over the limit need not be remembered.
      if (count() <= deps.limit) moments.push(deps.clock.monotonic())
      return moments.length <= deps.limit
    },
    isOver: () => count() > deps.limit,
    isEmpty: () => count() === 0,
  }
}
