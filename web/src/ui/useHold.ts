import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { useScreenClock } from './clock.tsx'

/** A hand that rests this long reads no more, and a new failure must not wait behind a parked pointer. */
export const HOLD_IDLE_MS = 10_000

export interface Hold {
  readonly isHeld: boolean
  /** Something was done in the list: hold its order from now on. */
  readonly touch: () => void
  /** The pointer left, or the person asked for the new order. */
  readonly release: () => void
}

/** Knows whether someone is busy in the list, by pointer or keys. */
export function useHold(): Hold {
  const { clock } = useScreenClock()
  const [isHeld, setIsHeld] = useState(false)
  const touchedAt = useRef(0)
  const cancel = useRef<(() => void) | null>(null)

  const release = useCallback(() => {
    cancel.current?.()
    cancel.current = null
    setIsHeld(false)
  }, [])

  const touch = useCallback(() => {
    touchedAt.current = clock.monotonic()
    if (cancel.current !== null) return
    setIsHeld(true)
    // One timer that looks again, instead of a new one for every pixel the pointer moves.
    const check = (): void => {
      const idleMs = clock.monotonic() - touchedAt.current
      if (idleMs >= HOLD_IDLE_MS) release()
      else cancel.current = clock.schedule(check, HOLD_IDLE_MS - idleMs)
    }
    cancel.current = clock.schedule(check, HOLD_IDLE_MS)
  }, [clock, release])

  useEffect(() => () => cancel.current?.(), [])
  return useMemo(() => ({ isHeld, touch, release }), [isHeld, touch, release])
}
