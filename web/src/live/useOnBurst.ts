import { useEffect, useMemo } from 'react'

import { useScreenClock } from '../ui/clock.tsx'
import { useLatest } from '../ui/useLatest.ts'
import { createCalm } from './createCalm.ts'
import { useOnChange } from './useOnChange.ts'

/** Between two calls while changes arrive: a burst must not keep an answer from ever being read. */
const CALM_MS = 1_000

/** Calls at once, and what is asked for within a second after that, or as long as is said, once, when it is over. */
export function useCalmly(onCall: () => void, calmMs = CALM_MS): () => void {
  const { clock } = useScreenClock()
  const call = useLatest(onCall)
  const calm = useMemo(() => createCalm(clock, calmMs, call), [clock, calmMs, call])
  useEffect(() => calm.close, [calm])
  return calm.ask
}

/** Like `useOnChange`, a burst of changes at most once a second, or as often as is said. */
export function useOnBurst(values: readonly unknown[], onChange: () => void, calmMs?: number): void {
  useOnChange(values, useCalmly(onChange, calmMs))
}
