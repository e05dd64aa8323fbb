import { useQuery } from '@tanstack/react-query'
import { PAST_PRESETS, resolveTimeRange, type TimeRange, toRangeExpressions } from '@watchroom/shared/time'
import { useMemo, useState } from 'react'

import { useTimeZone } from '../../preferences/timeZone.ts'
import { useScreenClock } from '../../ui/clock.tsx'
import { readStart } from '../../url/timeRangeSearch.ts'
import { useSearchState } from '../../url/useSearchState.ts'
import { useTimeRange } from '../../url/useTimeRange.ts'
import { type LogsAsk, logSelectorsQuery } from './queries.ts'
import { LogsSearchSchema } from './search.ts'

/** The first one of the list (second specification, section 9). */
const [DEFAULT_RANGE] = PAST_PRESETS

/** The search in the URL, and how to change it. */
export function useLogsQuestion() {
  const [search, setSearch] = useSearchState(LogsSearchSchema)
  const [chosen, setRange] = useTimeRange()
  // The same object while the URL is the same: a new object means a new search.
  const range = useMemo(() => chosen ?? readStart(search.start) ?? DEFAULT_RANGE, [chosen, search.start])
  const { topologyId, query, around } = search
  const selectors = useQuery(logSelectorsQuery(topologyId))
  const names = selectors.data ?? []
  const selector = search.logsSelector || (names[0] ?? '')
  const [round, setRound] = useState(0)
  const ends = useEnds(range, round)
  // If the request failed, the request for the logs reports why.
  const isKnown = selectors.isError || (selectors.data ?? []).length > 0
  const ask = useMemo<LogsAsk | null>(() => {
    if (topologyId === '' || !isKnown) return null
    const base = { id: topologyId, name: selector }
    return around === '' ? { ...base, ...(query === '' ? {} : { query }), ...ends } : { ...base, around }
  }, [topologyId, isKnown, selector, query, around, ends])
  return {
    search,
    setSearch,
    range,
    setRange,
    selectors: names,
    selector,
    /** Why there is nothing to search. */
    nothing: toNothing(selectors.data),
    ask,
    /** Whether new lines belong to it. */
    isLive: around === '' && ends !== undefined && ends.end === undefined,
    askAgain: () => setRound(round + 1),
  }
}

function toNothing(selectors: readonly string[] | null | undefined): string | null {
  if (selectors === null) return 'Component not found'
  return selectors?.length === 0 ? 'This component has no logs' : null
}

/** Start and end of the range at the time of the request; without an end if it is open. */
function useEnds(range: TimeRange | undefined, round: number): { start: string; end?: string } | undefined {
  const { serverNow } = useScreenClock()
  const zone = useTimeZone()
  return useMemo(() => {
    if (range === undefined) return undefined
    const { from, to } = resolveTimeRange(range, { now: serverNow(), zone })
    const start = new Date(from).toISOString()
    return toRangeExpressions(range).to === 'now' ? { start } : { start, end: new Date(to).toISOString() }
    // oxlint-disable-next-line react/exhaustive-deps -- another round asks for the moments anew
  }, [range, zone, serverNow, round])
}
