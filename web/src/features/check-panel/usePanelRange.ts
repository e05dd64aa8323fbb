import { parseTimestamp, rangeKeyForAge, rangeOfKey, type TimeRange } from '@watchroom/shared/time'
import { useState } from 'react'

import { useScreenClock } from '../../ui/clock.tsx'
import { useTimeRange } from '../../url/useTimeRange.ts'

/**
 * The time range of the panel: the address's, else one that reaches back to the last run, so that a check that has not run
 * for days does not open with nothing to show (first specification, section 4).
 *
 * @param lastRuntime when the check last ran
 */
export function usePanelRange(
  lastRuntime: string | null | undefined,
): [TimeRange, (range: TimeRange | undefined) => void] {
  const { serverNow } = useScreenClock()
  const [chosen, setRange] = useTimeRange()
  // Computed once: the range must not change by itself while someone reads.
  const [fallback] = useState(() => {
    const at = parseTimestamp(lastRuntime)
    return rangeOfKey(rangeKeyForAge(at === null ? Number.NaN : serverNow() - at))
  })
  return [chosen ?? fallback, setRange]
}
