import { useQuery } from '@tanstack/react-query'
import type { ConfigSummary } from '@watchroom/shared/catalog'
import { catalogSummaryTopic } from '@watchroom/shared/protocol'
import { useEffect, useEffectEvent, useState } from 'react'

import type { TopicView } from '../../live/contract.ts'
import { useTopic } from '../../live/useTopic.ts'
import { useScreenClock } from '../../ui/clock.tsx'
import { type DataState, toReadyState } from '../../ui/dataState.ts'
import { toQueryState } from '../../ui/QueryStates.tsx'
import { summaryQuery } from './queries.ts'
import type { CatalogSearch } from './search.ts'

const NO_PARAMS = {}
const WHAT = 'the catalog'

/** A filtered summary is read again this long after any item changed, because it counts all of them. */
const SETTLE_MS = 2_000
/** The topic reads once for all viewers. A page that has not heard from it after this long requests the summary itself. */
const SILENCE_MS = 1_000

interface Summary {
  readonly state: DataState<readonly ConfigSummary[]>
  readonly live: TopicView<ConfigSummary>
}

/**
 * The summary as it is now.
 *
 * @param isPlain whether it covers all items, by type, as the topic does
 */
export function useSummary(search: CatalogSearch, hidesDeleted: boolean, isPlain: boolean): Summary {
  const { clock } = useScreenClock()
  const live = useTopic(catalogSummaryTopic, NO_PARAMS)
  const isTold = isPlain && (live.state === 'live' || live.rows.length > 0)
  const isAwaited = isPlain && !isTold && live.state === 'loading'
  const [isSilent, setSilent] = useState(false)
  useEffect(() => (isAwaited ? clock.schedule(() => setSilent(true), SILENCE_MS) : undefined), [clock, isAwaited])
  const query = useQuery({ ...summaryQuery(search, hidesDeleted), enabled: !isTold && (!isAwaited || isSilent) })

  const [seen, setSeen] = useState(live.rows)
  const isBehind = !isPlain && seen !== live.rows
  const catchUp = useEffectEvent(() => {
    setSeen(live.rows)
    void query.refetch()
  })
  // Once for a burst, however long it lasts.
  useEffect(() => (isBehind ? clock.schedule(() => catchUp(), SETTLE_MS) : undefined), [clock, isBehind])
  return { state: isTold ? toReadyState(WHAT, live.rows) : toQueryState(query, WHAT), live }
}
