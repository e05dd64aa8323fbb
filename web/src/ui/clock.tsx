import { type Clock, createTimer, type Timer } from '@watchroom/shared/kernel'
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

interface Ticker {
  readonly listeners: Set<() => void>
  readonly timer: Timer
}

/** Of each clock by interval. */
const tickers = new WeakMap<Clock, Map<number, Ticker>>()

/** Calls back every `everyMs`, all listeners at the same moment, so that times shown side by side change together. */
function onTick(clock: Clock, everyMs: number, listener: () => void): () => void {
  const known = tickers.get(clock) ?? new Map<number, Ticker>()
  tickers.set(clock, known)
  const ticker = known.get(everyMs) ?? startTicker(clock, everyMs)
  known.set(everyMs, ticker)
  ticker.listeners.add(listener)
  return () => {
    ticker.listeners.delete(listener)
    if (ticker.listeners.size > 0) return
    ticker.timer.clear()
    known.delete(everyMs)
  }
}

function startTicker(clock: Clock, everyMs: number): Ticker {
  const ticker = { listeners: new Set<() => void>(), timer: createTimer(clock) }
  const tick = (): void => {
    ticker.timer.set(tick, everyMs)
    for (const listener of ticker.listeners) listener()
  }
  ticker.timer.set(tick, everyMs)
  return ticker
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
  useEffect(() => onTick(clock, everyMs, () => setNow(serverNow())), [clock, serverNow, everyMs])
  return now
}

/** The value once it has not changed for `delayMs`; for search boxes. */
export function useDebounced<Value>(value: Value, delayMs: number): Value {
  const { clock } = useScreenClock()
  const [settled, setSettled] = useState(value)
  useEffect(() => clock.schedule(() => setSettled(value), delayMs), [clock, value, delayMs])
  return settled
}
