import { useQuery } from '@tanstack/react-query'
import { useAtom } from 'jotai'
import { useMemo } from 'react'

import { toQueryState } from '../../../ui/QueryStates.tsx'
import { toSort } from '../../../ui/table/listSearch.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { isFiltered } from '../catalogFilters.ts'
import { summaryGroups } from '../grouping.ts'
import { favoriteTypesAtom } from '../preferences.ts'
import { summaryQuery } from '../queries.ts'
import { summaryColumns } from '../summaryColumns.tsx'
import { type SummaryRow, toItems, toSummaryRows } from '../summaryRows.ts'
import { useLiveSummary } from '../useLiveSummary.ts'
import { CatalogHeader } from './CatalogHeader.tsx'
import type { CatalogViewProps } from './catalogView.ts'

const keyOf = ({ key }: SummaryRow): string => key
const groupOf = ({ group }: SummaryRow) => ({ key: group, title: group })
const rowLink = (row: SummaryRow): RowLink => ({ to: '/catalog', search: toItems(row) })

/** How many items of each type there are, and how they are. */
export function CatalogSummary({ search, setSearch, hidesDeleted, toolbar, empty, filteredEmpty }: CatalogViewProps) {
  const [favorites, setFavorites] = useAtom(favoriteTypesAtom)
  const query = useQuery(summaryQuery(search, hidesDeleted))
  const { groupBy, groupByProp } = search
  const groups = useMemo(() => summaryGroups({ groupBy, groupByProp }), [groupBy, groupByProp])
  const isPlain = groups.every(({ by }) => by !== 'tag') && hidesDeleted && !isFiltered(search)
  const { rows: data, live } = useLiveSummary(isPlain, query.data, () => void query.refetch())
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
        state={{ ...toQueryState(query, 'the catalog'), data: rows }}
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
  return `${items.toLocaleString()} ${items === 1 ? 'item' : 'items'} of ${types.toLocaleString()} ${types === 1 ? 'type' : 'types'}`
}
