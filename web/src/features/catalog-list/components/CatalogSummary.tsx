import { useAtom } from 'jotai'
import { useEffect, useMemo } from 'react'

import { countOf } from '../../../ui/countOf.ts'
import { toSort } from '../../../ui/table/listSearch.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { isFiltered } from '../catalogFilters.ts'
import { summaryGroups } from '../grouping.ts'
import { favoriteTypesAtom } from '../preferences.ts'
import { summaryColumns } from '../summaryColumns.tsx'
import { type SummaryRow, toItems, toSummaryRows } from '../summaryRows.ts'
import { useSummary } from '../useSummary.ts'
import { CatalogHeader } from './CatalogHeader.tsx'
import type { CatalogViewProps } from './catalogView.ts'

const keyOf = ({ key }: SummaryRow): string => key
const groupOf = ({ group }: SummaryRow) => ({ key: group, title: group })
const rowLink = (row: SummaryRow): RowLink => ({ to: '/catalog', search: toItems(row) })

/** How many items of each type there are, and how they are. */
export function CatalogSummary(props: CatalogViewProps) {
  const { search, setSearch, hidesDeleted, onAnswered, toolbar, empty, filteredEmpty } = props
  const [favorites, setFavorites] = useAtom(favoriteTypesAtom)
  const { groupBy, groupByProp } = search
  const groups = useMemo(() => summaryGroups({ groupBy, groupByProp }), [groupBy, groupByProp])
  const isPlain = groups.every(({ by }) => by !== 'tag') && hidesDeleted && !isFiltered(search)
  const { state, live } = useSummary(search, hidesDeleted, isPlain)
  const { data } = state
  const isAnswered = data !== undefined || state.failure !== null
  useEffect(() => {
    if (isAnswered) onAnswered()
  }, [isAnswered, onAnswered])
  const rows = useMemo(() => data && toSummaryRows(data, groups, favorites), [data, groups, favorites])
  const columns = useMemo(
    () =>
      summaryColumns(
        groups.some(({ by }) => by === 'config_class'),
        (type, isPinned) => setFavorites((now) => ({ ...now, [type]: isPinned })),
      ),
    [groups, setFavorites],
  )
  const isGrouped = rows?.some(({ group }) => group !== '') === true
  return (
    <>
      <CatalogHeader live={live} />
      <ResourceTable
        name="catalog-summary"
        label="Catalog"
        state={{ ...state, data: rows }}
        columns={columns}
        keyOf={keyOf}
        rowLink={rowLink}
        question={JSON.stringify([groups, favorites])}
        isLive
        {...(isGrouped ? { groupOf } : {})}
        sort={toSort(search, setSearch)}
        empty={empty}
        filteredEmpty={filteredEmpty}
        toolbar={{ ...toolbar, count: rows && toCount(rows) }}
      />
    </>
  )
}

function toCount(rows: readonly SummaryRow[]): string {
  const items = rows.reduce((sum, { summary }) => sum + summary.count, 0)
  const types = new Set(rows.map(({ summary }) => summary.type)).size
  return `${countOf(items, 'item')} of ${countOf(types, 'type')}`
}
