import type { Clock } from './clock.ts'

/** One timer that is set again and again: setting it forgets what it was set to before. */
export interface Timer {
  readonly set: (callback: () => void, delayMs: number) => void
  readonly clear: () => void
  /** Whether it waits. */
  readonly isSet: () => boolean
}

/** The timer runs on the given clock; delays are in milliseconds. */
export function createTimer(clock: Clock): Timer {
  let cancel: (() => void) | null = null
  const clear = (): void => {
    cancel?.()
    cancel = null
  }
  return {
    set: (callback, delayMs) => {
      clear()
      cancel = clock.schedule(() => {
        cancel = null
        callback()
      }, delayMs)
    },
    clear,
    isSet: () => cancel !== null,
  }
}
