import type { Clock } from './clock.ts'
import { createTimer } from './timer.ts'

/** Work that is done again and again. */
export interface Loop {
  /** Plans no further pass, not even after one that is under way. */
  close(): void
}

interface LoopOptions {
  /** From the end of a pass to the next one. */
  readonly everyMs: number
  /** Delay before the first pass; `everyMs` when absent. */
  readonly firstAfterMs?: number
}

/**
 * Runs a pass, waits, and runs the next.
 *
 * @param pass keeps its errors to itself; `isClosed` tells it to leave what it has not begun
 */
export function createLoop(
  clock: Clock,
  pass: (isClosed: () => boolean) => Promise<void>,
  { everyMs, firstAfterMs = everyMs }: LoopOptions,
): Loop {
  const timer = createTimer(clock)
  let isClosed = false
  const run = async (): Promise<void> => {
    await pass(() => isClosed)
    if (!isClosed) timer.set(() => void run(), everyMs)
  }
  timer.set(() => void run(), firstAfterMs)
  return {
    close: () => {
      isClosed = true
      timer.clear()
    },
  }
}
