/**
 * Time as a parameter. No module reads the wall clock or starts a timer by itself, so that tests decide what time it is.
 * `systemClock` implements it in the gateway and in the browser, `FakeClock` in the tests.
 */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. */
  now(): number
  /** Milliseconds from an arbitrary start that never step backwards: for durations. */
  monotonic(): number
  /** Runs `callback` once after `delayMs`. Returns a function that cancels it. */
  schedule(callback: () => void, delayMs: number): () => void
}

/** The part of a platform `AbortSignal` in use here; `shared` knows neither the DOM nor Node. */
export interface CancelSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** Resolves after `delayMs`; rejects with the signal's reason when it is aborted first. */
export function sleep(clock: Clock, delayMs: number, signal?: CancelSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const handleAbort = (): void => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = clock.schedule(() => {
      signal?.removeEventListener('abort', handleAbort)
      resolve()
    }, delayMs)
    signal?.addEventListener('abort', handleAbort, { once: true })
  })
}

/** Resolves when the work has ended, or after `maxMs`; rejects as the work does. */
export function waitAtMost(clock: Clock, work: Promise<unknown>, maxMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(resolve, maxMs)
    work.finally(cancel).then(() => resolve(), reject)
  })
}
