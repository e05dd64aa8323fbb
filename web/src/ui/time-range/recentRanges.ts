import { useAtom } from 'jotai'
import { useCallback } from 'react'
import { z } from 'zod'

import { storedAtom } from '../../preferences/storedAtom.ts'

/** First specification, section 9. */
const MAX_RECENT = 5

const RecentRangeSchema = z.object({ from: z.iso.datetime(), to: z.iso.datetime() })
export type RecentRange = z.infer<typeof RecentRangeSchema>

const recentRangesAtom = storedAtom<readonly RecentRange[]>('recentlyUsedTimeRanges', {
  schema: z.array(RecentRangeSchema).max(MAX_RECENT),
  version: 1,
  fallback: [],
})

/** The list after a range was used: it comes first, stands there once, and pushes out the oldest. */
export function addRecentRange(recent: readonly RecentRange[], used: RecentRange): RecentRange[] {
  const others = recent.filter(({ from, to }) => from !== used.from || to !== used.to)
  return [{ from: used.from, to: used.to }, ...others].slice(0, MAX_RECENT)
}

/** Absolute ranges used in this browser, the newest first, and what to call when one is used. */
export function useRecentRanges(): [readonly RecentRange[], (used: RecentRange) => void] {
  const [recent, setRecent] = useAtom(recentRangesAtom)
  const remember = useCallback((used: RecentRange) => setRecent((list) => addRecentRange(list, used)), [setRecent])
  return [recent, remember]
}
