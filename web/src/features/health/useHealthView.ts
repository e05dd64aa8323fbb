import type { GroupBy, SortColumn } from '@watchroom/shared/health'
import { useAtom } from 'jotai'
import { useCallback, useMemo } from 'react'

import { useSearchState } from '../../url/useSearchState.ts'
import type { BoardView } from './board/arrangeBoard.ts'
import { HealthSearchSchema } from './search.ts'
import { healthSettingsAtom } from './settings.ts'

export interface HealthView {
  /** A new object only when a choice changed. */
  readonly board: BoardView
  readonly checkId: string | undefined
  readonly setQuery: (query: string) => void
  readonly setHidePassing: (hidePassing: boolean) => void
  readonly setGroupBy: (groupBy: GroupBy) => void
  readonly setSort: (sortBy: SortColumn, isDescending: boolean) => void
  readonly openCheck: (checkId: string) => void
  readonly closeCheck: () => void
}

/** What the person chose: the address, and for what it does not say the last choice made in this browser. */
export function useHealthView(): HealthView {
  const [search, setSearch] = useSearchState(HealthSearchSchema)
  const [settings, setSettings] = useAtom(healthSettingsAtom)
  const { query, sortBy, sortDesc, checkId } = search
  const hidePassing = search.hidePassing ?? settings.hidePassing
  const groupBy = search.groupBy ?? settings.groupBy

  const board = useMemo<BoardView>(
    () => ({ query: query.trim(), hidePassing, groupBy, sortBy, isDescending: sortDesc }),
    [query, hidePassing, groupBy, sortBy, sortDesc],
  )

  const setQuery = useCallback((next: string) => setSearch({ query: next }, { replace: true }), [setSearch])
  const setSort = useCallback(
    (column: SortColumn, isDescending: boolean) => setSearch({ sortBy: column, sortDesc: isDescending }),
    [setSearch],
  )
  const setHidePassing = useCallback(
    (next: boolean) => {
      setSettings((current) => ({ ...current, hidePassing: next }))
      setSearch({ hidePassing: next })
    },
    [setSettings, setSearch],
  )
  const setGroupBy = useCallback(
    (next: GroupBy) => {
      setSettings((current) => ({ ...current, groupBy: next }))
      setSearch({ groupBy: next })
    },
    [setSettings, setSearch],
  )
  const openCheck = useCallback((id: string) => setSearch({ checkId: id }), [setSearch])
  // First specification, section 2: closing the panel also resets its time range.
  const closeCheck = useCallback(() => setSearch({ checkId: undefined, timeRange: '1h' }), [setSearch])

  return useMemo(
    () => ({ board, checkId, setQuery, setHidePassing, setGroupBy, setSort, openCheck, closeCheck }),
    [board, checkId, setQuery, setHidePassing, setGroupBy, setSort, openCheck, closeCheck],
  )
}
