import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'

import type { DataState } from '../ui/dataState.ts'
import { toQueryState } from '../ui/QueryStates.tsx'
import { RequestError } from './request.ts'
import type { ListAsk, Table } from './tables.ts'

interface TablePage<Row> {
  readonly state: DataState<readonly Row[]>
  /** Rows that match over all pages; undefined before the first answer. */
  readonly total: number | undefined
  readonly isFetching: boolean
}

/** The database's answer to a page past the end. */
const NO_SUCH_RANGE = 416

/**
 * A link may name a page that no longer exists. The database says so; the first page always exists.
 *
 * @param onPastEnd should open the first page
 * @returns whether the error is that there is no such page
 */
export function useLeavePastEnd(error: Error | null, onPastEnd: () => void): boolean {
  const isPastEnd = error instanceof RequestError && error.status === NO_SUCH_RANGE
  const leave = useEffectEvent(onPastEnd)
  useEffect(() => {
    if (isPastEnd) leave()
  }, [isPastEnd])
  return isPastEnd
}

/**
 * One page of a table.
 *
 * @param what the rows are, for sentences
 * @param onPastEnd the page does not exist, as after an old link: should open the first one
 */
export function useTablePage<Row extends object>(
  table: Table<Row>,
  ask: ListAsk,
  what: string,
  onPastEnd: () => void,
): TablePage<Row> {
  const query = useQuery(table.listQuery(ask))
  const isPastEnd = useLeavePastEnd(query.error, onPastEnd)
  const state = toQueryState(query, what)
  return {
    state: { ...state, data: query.data?.rows, failure: isPastEnd ? null : state.failure },
    total: query.data?.total,
    isFetching: query.isFetching,
  }
}
