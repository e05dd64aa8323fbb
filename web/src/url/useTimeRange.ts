import { useNavigate, useSearch } from '@tanstack/react-router'
import type { TimeRange } from '@watchroom/shared/time'
import { useCallback, useMemo } from 'react'

import { type FlatSearch, parseSearch, stringifySearch } from './searchParams.ts'
import { readTimeRange, writeTimeRange } from './timeRangeSearch.ts'

/**
 * The time range in the URL (first specification, section 2).
 *
 * @returns the range, the same object until it changes in the URL, and a setter; setting undefined clears it
 */
export function useTimeRange(): [TimeRange | undefined, (range: TimeRange | undefined) => void] {
  const raw: FlatSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const address = stringifySearch(raw)
  const range = useMemo(() => readTimeRange(parseSearch(address)), [address])
  const setRange = useCallback(
    (next: TimeRange | undefined) => {
      void navigate({
        to: '.',
        search: (current: FlatSearch) => writeTimeRange(current, next),
        resetScroll: false,
      })
    },
    [navigate],
  )
  return [range, setRange]
}
