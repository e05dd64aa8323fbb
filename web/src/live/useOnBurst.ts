import { useEffect, useRef } from 'react'

import { useScreenClock } from '../ui/clock.tsx'
import { useLatest } from '../ui/useLatest.ts'
import { useOnChange } from './useOnChange.ts'

/** Between two calls while changes arrive: a burst must not keep an answer from ever being read. */
const CALM_MS = 1_000

/** Calls at once, and what is asked for within a second after that once, when it is over. */
export function useCalmly(onCall: () => void): () => void {
  const { clock } = useScreenClock()
  const calledAt = useRef(Number.NEGATIVE_INFINITY)
  const waiting = useRef<(() => void) | null>(null)
  const call = useLatest((): void => {
    waiting.current = null
    calledAt.current = clock.monotonic()
    onCall()
  })
  useEffect(() => () => waiting.current?.(), [])
  return useLatest(() => {
    if (waiting.current !== null) return
    const waitMs = CALM_MS - (clock.monotonic() - calledAt.current)
    if (waitMs <= 0) call()
    else waiting.current = clock.schedule(call, waitMs)
  })
}

/** Like `useOnChange`, a burst of changes at most once a second. */
export function useOnBurst(values: readonly unknown[], onChange: () => void): void {
  useOnChange(values, useCalmly(onChange))
}
