import { useEffect, useMemo } from 'react'

import { useScreenClock } from '../ui/clock.tsx'
import { useLatest } from '../ui/useLatest.ts'
import { createThrottle } from './createThrottle.ts'
import { useOnChange } from './useOnChange.ts'

/** Between two calls while changes arrive: a burst must not keep postponing the answer. */
const PAUSE_MS = 1_000

/** Calls at once, and once more after the pause if asked again during it. */
export function useThrottled(onCall: () => void, pauseMs = PAUSE_MS): () => void {
  const { clock } = useScreenClock()
  const call = useLatest(onCall)
  const throttle = useMemo(() => createThrottle(clock, pauseMs, call), [clock, pauseMs, call])
  useEffect(() => throttle.close, [throttle])
  return throttle.ask
}

/** Like `useOnChange`, but at most once per pause however many changes arrive. */
export function useOnBurst(values: readonly unknown[], onChange: () => void, pauseMs?: number): void {
  useOnChange(values, useThrottled(onChange, pauseMs))
}
