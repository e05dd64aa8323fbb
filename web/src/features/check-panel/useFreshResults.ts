import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'

import { checkKeys } from '../../api/queryKeys.ts'
import { useScreenClock } from '../../ui/clock.tsx'

/** A check may run every second; reading the chart again for every run would be wasteful. */
const MIN_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 10_000
/** The pause grows with the range: an hour is read again every second, half a day or more every ten. */
const PAUSES_PER_RANGE = 3_600

/** Reads results, chart and figures again when the board reports another run. */
export function useFreshResults(checkId: string, lastRuntime: string | null, rangeMs: number): void {
  const { clock } = useScreenClock()
  const queryClient = useQueryClient()
  const seen = useRef(lastRuntime)
  const readAt = useRef(Number.NEGATIVE_INFINITY)
  const cancel = useRef<(() => void) | null>(null)
  const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, rangeMs / PAUSES_PER_RANGE))

  const read = useCallback(() => {
    cancel.current = null
    readAt.current = clock.monotonic()
    void queryClient.invalidateQueries({ queryKey: checkKeys.results(checkId) })
  }, [clock, queryClient, checkId])

  useEffect(() => {
    if (seen.current === lastRuntime) return
    seen.current = lastRuntime
    const waitMs = readAt.current + pauseMs - clock.monotonic()
    if (waitMs <= 0) {
      cancel.current?.()
      read()
    } else cancel.current ??= clock.schedule(read, waitMs)
  }, [clock, lastRuntime, pauseMs, read])

  useEffect(() => () => cancel.current?.(), [])
}
