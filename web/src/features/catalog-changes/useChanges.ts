import { useQuery } from '@tanstack/react-query'
import type { ConfigChange } from '@watchroom/shared/catalog'
import { resolveTimeRange, toRelativeRange } from '@watchroom/shared/time'
import { useEffect, useEffectEvent, useMemo } from 'react'

import { useTimeZone } from '../../preferences/timeZone.ts'
import { useScreenClock } from '../../ui/clock.tsx'
import type { DataState } from '../../ui/dataState.ts'
import { toQueryState } from '../../ui/QueryStates.tsx'
import { useRangedSearch } from '../../url/useRangedSearch.ts'
import { changesQuery } from './queries.ts'
import { type ChangeScope, ChangeSearchSchema, NO_FILTERS, toChangesAsk } from './search.ts'
import { useLiveChanges } from './useLiveChanges.ts'

/** Third specification, section 9. */
const DEFAULT_RANGE = toRelativeRange('now-2d')

/** Between two requests while nothing announces changes. */
const ASK_AGAIN_MS = 30_000

export type Changes = ReturnType<typeof useChanges>

/** One page of changes as the address asks for them. @param scope undefined: of all items */
export function useChanges(scope?: ChangeScope) {
  const address = useRangedSearch(ChangeSearchSchema, {
    defaultRange: DEFAULT_RANGE,
    filters: NO_FILTERS,
    firstPage: { page: 1 },
  })
  const { search, range, setSearch } = address
  const { serverNow } = useScreenClock()
  const zone = useTimeZone()
  const { configId, areDeletedHidden = false } = scope ?? {}
  // Resolved once per request: a list that moved with the clock would send a new request every second.
  const { ask, window } = useMemo(() => {
    const asked = configId === undefined ? undefined : { configId, areDeletedHidden }
    const now = serverNow()
    return {
      ask: toChangesAsk(search, { range, now, zone, scope: asked }),
      window: resolveTimeRange(range, { now, zone }),
    }
  }, [search, range, zone, serverNow, configId, areDeletedHidden])
  const live = useLiveChanges(ask)
  const query = useQuery({ ...changesQuery(ask), refetchInterval: live.state === 'live' ? false : ASK_AGAIN_MS })
  const isPastEnd = query.data?.changes.length === 0 && !query.isPlaceholderData && search.page > 1
  const leave = useEffectEvent(() => setSearch({ page: 1 }, { replace: true }))
  useEffect(() => {
    if (isPastEnd) leave()
  }, [isPastEnd])
  return { ...address, state: toState(query), total: query.data?.total, question: JSON.stringify(ask), window, live }
}

type Query = Parameters<typeof toQueryState<{ changes: readonly ConfigChange[] }>>[0]

function toState(query: Query): DataState<readonly ConfigChange[]> {
  const { failure, data, ...state } = toQueryState(query, 'changes')
  return {
    ...state,
    data: data?.changes,
    // The third specification's words, section 8; why it is follows where anyone knows.
    failure: failure && { ...failure, message: `Something went wrong. ${failure.message}` },
  }
}
