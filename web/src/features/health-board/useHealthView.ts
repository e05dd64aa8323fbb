import {
  type GroupBy,
  type LabelChoice,
  type LabelFilter,
  type Pivot,
  type SortColumn,
  type TabBy,
} from '@watchroom/shared/health'
import { useAtom } from 'jotai'
import { useMemo } from 'react'

import { useSearchState } from '../../url/useSearchState.ts'
import type { BoardView } from './board/arrangeBoard.ts'
import { parseLabelFilter, stringifyLabelFilter } from './labelSearch.ts'
import { HealthSearchSchema, type Layout } from './search.ts'
import { healthSettingsAtom } from './settings.ts'

export interface HealthActions {
  readonly setQuery: (query: string) => void
  readonly setHidePassing: (hidePassing: boolean) => void
  readonly setGroupBy: (groupBy: GroupBy) => void
  readonly setTabBy: (tabBy: TabBy) => void
  readonly setTab: (tab: string) => void
  readonly setLayout: (layout: Layout) => void
  /** 0 takes the label out of the filter. */
  readonly setLabel: (labelId: string, choice: LabelChoice | 0) => void
  readonly setPivot: (pivot: Pivot | null) => void
  readonly setSort: (sortBy: SortColumn, isDescending: boolean) => void
  /** Removes every filter, including the defaults. */
  readonly clearFilters: () => void
  readonly openCheck: (checkId: string) => void
  readonly closeCheck: () => void
}

export interface HealthView {
  /** A new object only when a choice changed. */
  readonly board: BoardView
  readonly checkId: string | undefined
  readonly layout: Layout
  /** Null when there is none, or when it is incomplete: a pivot by label needs the label. */
  readonly pivot: Pivot | null
  readonly actions: HealthActions
}

/** What the person chose: from the URL, and otherwise the last choice made in this browser. */
export function useHealthView(): HealthView {
  const [search, setSearch] = useSearchState(HealthSearchSchema)
  const [settings, setSettings] = useAtom(healthSettingsAtom)
  const { query, sortDesc, checkId, layout, tab, pivotBy, pivotLabel, pivotCellType } = search
  const hidePassing = search.hidePassing ?? settings.hidePassing
  const groupBy = search.groupBy ?? settings.groupBy
  const tabBy = search.tabBy ?? settings.tabBy
  // Ascending health is worst first. A link with only a direction is old: then names were the default.
  const sortBy = search.sortBy ?? (hidePassing && !sortDesc ? 'health' : 'name')
  const labels = useMemo<LabelFilter>(() => parseLabelFilter(search.labels), [search.labels])

  const board = useMemo<BoardView>(
    () => ({ query: query.trim(), labels, tabBy, tab, hidePassing, groupBy, sortBy, isDescending: sortDesc }),
    [query, labels, tabBy, tab, hidePassing, groupBy, sortBy, sortDesc],
  )
  const pivot = useMemo<Pivot | null>(() => {
    if (pivotBy === 'none' || (pivotBy === 'labels' && pivotLabel === '')) return null
    return { by: pivotBy, label: pivotLabel, cellType: pivotCellType }
  }, [pivotBy, pivotLabel, pivotCellType])

  const actions = useMemo<HealthActions>(() => {
    const remember = (change: Partial<typeof settings>): void => {
      setSettings((current) => ({ ...current, ...change }))
      setSearch(change)
    }
    return {
      setQuery: (next) => setSearch({ query: next }, { replace: true }),
      setHidePassing: (next) => remember({ hidePassing: next }),
      setGroupBy: (next) => remember({ groupBy: next }),
      setTabBy: (next) => {
        setSettings((current) => ({ ...current, tabBy: next }))
        // The tabs are others now; the chosen one means nothing among them.
        setSearch({ tabBy: next, tab: '' })
      },
      setTab: (next) => setSearch({ tab: next }),
      setLayout: (next) => setSearch({ layout: next }),
      setLabel: (labelId, choice) => {
        const next = new Map(labels)
        if (choice === 0) next.delete(labelId)
        else next.set(labelId, choice)
        setSearch({ labels: stringifyLabelFilter(next) })
      },
      setPivot: (next) =>
        setSearch(
          next === null
            ? { pivotBy: 'none', pivotLabel: '', pivotCellType: 'status' }
            : { pivotBy: next.by, pivotLabel: next.by === 'labels' ? next.label : '', pivotCellType: next.cellType },
        ),
      setSort: (column, isDescending) => setSearch({ sortBy: column, sortDesc: isDescending }),
      clearFilters: () => {
        setSettings((current) => ({ ...current, hidePassing: false }))
        setSearch({ query: '', labels: '', hidePassing: false })
      },
      openCheck: (id) => setSearch({ checkId: id }),
      // First specification, section 2: closing the panel also resets its time range; without one it is the last hour.
      closeCheck: () =>
        setSearch({
          checkId: undefined,
          timeRange: undefined,
          rangeType: undefined,
          display: undefined,
          range: undefined,
          from: undefined,
          to: undefined,
        }),
    }
  }, [labels, setSearch, setSettings])

  return useMemo(() => ({ board, checkId, layout, pivot, actions }), [board, checkId, layout, pivot, actions])
}
