import type { Page } from 'playwright'

interface FrameTimes {
  /** Milliseconds between neighboring frames. */
  readonly frames: number[]
  /** Milliseconds of the main thread's uninterrupted tasks of 50 ms and more. */
  readonly longTasks: number[]
}

/**
 * Frames of the page for a while, as the page itself sees them. Without named functions: the compiler marks those with a helper of its own.
 *
 * @param until selector of what ends it before its time
 */
export function observeFrames(page: Page, durationMs: number, until = ':not(*)'): Promise<FrameTimes> {
  return page.evaluate(
    async ({ observedMs, end }) => {
      const frames: number[] = []
      const longTasks: number[] = []
      const observer = new PerformanceObserver((list) => {
        longTasks.push(...list.getEntries().map((entry) => entry.duration))
      })
      observer.observe({ type: 'longtask' })
      // The first frame only starts the clock.
      let last = await new Promise<number>((resolve) => {
        requestAnimationFrame(resolve)
      })
      const endsAt = last + observedMs
      while (last < endsAt && document.querySelector(end) === null) {
        const now = await new Promise<number>((resolve) => {
          requestAnimationFrame(resolve)
        })
        frames.push(now - last)
        last = now
      }
      observer.disconnect()
      return { frames, longTasks }
    },
    { observedMs: durationMs, end: until },
  )
}
