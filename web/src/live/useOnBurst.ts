import { useEffect, useMemo } from 'react'

import { useScreenClock } from '../ui/clock.tsx'
import { useLatest } from '../ui/useLatest.ts'
import { createThrottle } from './createThrottle.ts'
import { useOnChange } from './useOnChange.ts'

/** Between two calls while changes arrive: a burst must not keep an answer from ever being read. */
const PAUSE_MS = 1_000

/** Calls at once, and what is asked for within a second after that, or as long as is said, once, when it is over. */
export function useThrottled(onCall: () => void, pauseMs = PAUSE_MS): () => void {
  const { clock } = useScreenClock()
  const call = useLatest(onCall)
  const throttle = useMemo(() => createThrottle(clock, pauseMs, call), [clock, pauseMs, call])
  useEffect(() => throttle.close, [throttle])
  return throttle.ask
}

/** Like `useOnChange`, a burst of changes at most once a second, or as often as is said. */
export function useOnBurst(values: readonly unknown[], onChange: () => void, pauseMs?: number): void {
  useOnChange(values, useThrottled(onChange, pauseMs))
}
