import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'

import { useScreenClock } from '../ui/clock.tsx'
import type { FoundRows } from '../ui/EndlessRows.tsx'
import { toQueryState } from '../ui/QueryStates.tsx'
import { useLatest } from '../ui/useLatest.ts'
import type { ListAsk, Table } from './tables.ts'

/** Rows of a page of a side panel (third specification, section 9). */
const PAGE = 50
/** Between two requests while things change: a burst must not keep postponing the answer. */
const CALM_MS = 1_000

export interface EndlessRows<Row> extends FoundRows<Row> {
  /** The rows may have changed: reads them again, once for all calls within a second. */
  readonly onStale: () => void
}

/** Rows of a table, page by page. @param what the rows are, for use in sentences */
export function useEndlessRows<Row extends object>(
  table: Table<Row>,
  ask: Pick<ListAsk, 'filters' | 'order'>,
  what: string,
): EndlessRows<Row> {
  const query = useInfiniteQuery(table.endlessQuery({ ...ask, limit: PAGE }))
  const onStale = useCalm(() => void query.refetch())
  const pages = query.data?.pages
  const rows = useMemo(() => pages?.flatMap((page) => page.rows), [pages])
  return {
    state: { ...toQueryState(query, what), data: rows },
    total: pages?.at(-1)?.total,
    onMore: () => {
      if (query.hasNextPage && !query.isFetching) void query.fetchNextPage()
    },
    onStale,
  }
}

function useCalm(act: () => void): () => void {
  const { clock } = useScreenClock()
  const waiting = useRef<(() => void) | null>(null)
  const run = useLatest(() => {
    waiting.current = null
    act()
  })
  useEffect(() => () => waiting.current?.(), [])
  return useCallback(() => {
    if (waiting.current === null) waiting.current = clock.schedule(run, CALM_MS)
  }, [clock, run])
}
