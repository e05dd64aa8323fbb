import type { Clock } from '@watchroom/shared/kernel'
import { createContext, useContext, useEffect, useState } from 'react'

/** The time that screens use: the server's, so that a wrong clock on this machine does not age the data. */
export interface ScreenClock {
  /** Timers. */
  readonly clock: Clock
  /** The server's time, as far as it is known, in milliseconds since the epoch. */
  readonly serverNow: () => number
}

const ScreenClockContext = createContext<ScreenClock | null>(null)

/** Provided once by `app`. */
export const ScreenClockProvider = ScreenClockContext

export function useScreenClock(): ScreenClock {
  const screenClock = useContext(ScreenClockContext)
  if (screenClock === null) throw new Error('useScreenClock outside ScreenClockProvider')
  return screenClock
}

/** Relative times change once a minute; updating more often only makes numbers flicker. */
const MINUTE_MS = 60_000

/**
 * The server's time, refreshed every `everyMs`.
 *
 * @returns milliseconds since the epoch
 */
export function useServerNow(everyMs: number = MINUTE_MS): number {
  const { clock, serverNow } = useScreenClock()
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    let cancel = (): void => undefined
    const tick = (): void => {
      setNow(serverNow())
      cancel = clock.schedule(tick, everyMs)
    }
    cancel = clock.schedule(tick, everyMs)
    return () => cancel()
  }, [clock, serverNow, everyMs])
  return now
}

/** The value once it has not changed for `delayMs`; for search boxes. */
export function useDebounced<Value>(value: Value, delayMs: number): Value {
  const { clock } = useScreenClock()
  const [settled, setSettled] = useState(value)
  useEffect(() => clock.schedule(() => setSettled(value), delayMs), [clock, value, delayMs])
  return settled
}
