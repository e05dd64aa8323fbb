import { Disable, Filter } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import type { ConfigChange } from '@watchroom/shared/catalog'
import { type ReactNode, useCallback, useMemo } from 'react'

import { usePeople } from '../../../api/people.ts'
import { useTimeZone } from '../../../preferences/timeZone.ts'
import { useDays } from '../../../ui/table/eventTimes.tsx'
import { PAGE_SIZES } from '../../../ui/table/pages.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { ToolbarFilter } from '../../../ui/table/ResourceToolbar.tsx'
import type { RowAction } from '../../../ui/table/RowActions.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { parseThreeWay, type ThreeWayChoice } from '../../../url/threeWay.ts'
import { type CellFilter, toCellFilters } from '../cellFilters.ts'
import { changeColumns, changeTime } from '../changeColumns.tsx'
import { toChangeFilters } from '../changeFilters.tsx'
import { changeTypesQuery, configNamesQuery, configTagsQuery, configTypesQuery } from '../queries.ts'
import { DEFAULT_PAGE_SIZE } from '../search.ts'
import type { Changes } from '../useChanges.ts'
import { ChangeDialog } from './ChangeDialog.tsx'
import { Swimlane } from './Swimlane.tsx'

interface ChangesTableProps {
  changes: Changes
  /** Actions of other areas for a change, for example attaching it to an incident. */
  renderActions: (change: ChangeForActions) => ReactNode
  /** Further filters, in front. */
  filters?: readonly ToolbarFilter[]
}

/** As much of a change as its actions need. */
export type ChangeForActions = Pick<ConfigChange, 'id' | 'config_id' | 'change_type' | 'summary' | 'name'>

const NO_FILTERS: readonly ToolbarFilter[] = []
const NONE: readonly never[] = []
const keyOf = ({ id }: ConfigChange): string => id
/** `id` is a filter, so the open change has its own key. */
const toChange = ({ id: change }: ConfigChange): RowLink => ({
  to: '.',
  search: (current) => ({ ...current, change }),
})

const MAX_WORDS = 60
const toActionText = (word: string, title: string, text: string): string =>
  `${word} ${title.toLowerCase()}: ${text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text}`

/** Changes of all items or of one: filters, a page of rows, and the details of one. */
export function ChangesTable({ changes, renderActions, filters = NO_FILTERS }: ChangesTableProps) {
  const { search, setSearch, range, setRange, state, total, question, onReset } = changes
  const { nameOf: personOf } = usePeople()
  const zone = useTimeZone()
  const nameOf = useNames(changes, personOf)
  const { data: types = NONE } = useQuery(configTypesQuery)
  const { data: changeTypes = NONE } = useQuery(changeTypesQuery)
  const { data: tags = NONE } = useQuery(configTagsQuery)
  const filterBy = useCallback(
    ({ toPatch }: CellFilter, choice: ThreeWayChoice) => setSearch(toPatch(search, choice)),
    [search, setSearch],
  )
  const isByTime = search.sortBy === 'created_at'
  const groupOf = useDays(changeTime)
  const columns = useMemo(
    () => changeColumns({ isByTime, personOf, onFilter: filterBy }),
    [isByTime, personOf, filterBy],
  )
  const rowActions = useCallback(
    (change: ConfigChange): readonly RowAction[] =>
      toCellFilters(change, personOf).flatMap((filter) => {
        const { title, text, wanted = text, canExclude } = filter
        return [
          { text: toActionText('Only', title, wanted), icon: <Filter />, onSelect: () => filterBy(filter, 1) },
          ...(canExclude
            ? [{ text: toActionText('Not', title, text), icon: <Disable />, onSelect: () => filterBy(filter, -1) }]
            : []),
        ]
      }),
    [personOf, filterBy],
  )
  return (
    <>
      {search.view === 'lanes' ? <Swimlane changes={changes} /> : null}
      <ResourceTable
        name="config-changes"
        label="Changes"
        state={state}
        columns={columns}
        keyOf={keyOf}
        question={question}
        {...(isByTime ? { groupOf } : {})}
        rowLink={toChange}
        rowActions={rowActions}
        openKey={search.change}
        isLive
        sort={{
          order: { by: search.sortBy, direction: search.sortDirection },
          // Headings know no other keys than those of the columns, and the schema reads the address anyway.
          onSort: ({ by, direction }) =>
            setSearch({ sortBy: by as typeof search.sortBy, sortDirection: direction, page: 1 }),
        }}
        paging={{
          pageIndex: search.page - 1,
          pageSize: search.pageSize,
          defaultSize: DEFAULT_PAGE_SIZE,
          sizes: PAGE_SIZES,
          total: total ?? 0,
          onChange: ({ pageIndex, ...rest }) => setSearch({ ...rest, page: pageIndex + 1 }),
        }}
        empty={{
          title: 'No changes',
          text: 'Nothing changed in this time range. Choose a longer range to see earlier changes.',
        }}
        filteredEmpty={onReset ? { title: 'No changes', text: 'No change matches these filters.' } : null}
        toolbar={{
          filters: [
            ...filters,
            ...toChangeFilters({
              search,
              onChange: (patch) => setSearch({ ...patch, page: 1 }),
              range,
              onRange: setRange,
              zone,
              types,
              changeTypes,
              tags,
              nameOf,
            }),
          ],
          reset: onReset ? { text: 'Reset filters', onReset } : null,
        }}
      />
      {search.change === '' ? null : (
        <ChangeDialog
          id={search.change}
          neighbors={state.data ?? NONE}
          renderActions={renderActions}
          onMove={(change) => setSearch({ change }, { replace: true })}
          onClose={() => setSearch({ change: '' })}
        />
      )}
    </>
  )
}

/** Names of items and people that chips say; those of items on other pages are asked for. */
function useNames(
  { search, state }: Changes,
  personOf: (id: string) => string | undefined,
): (id: string) => string | undefined {
  const ids = useMemo(() => [...parseThreeWay(search.id).keys()], [search.id])
  const { data: found = NONE } = useQuery(configNamesQuery(ids))
  return useMemo(() => {
    const names = new Map<string, string>()
    for (const { config_id: id, name } of state.data ?? NONE) if (name) names.set(id, name)
    for (const { id, name } of found) if (name) names.set(id, name)
    return (id) => names.get(id) ?? personOf(id)
  }, [state.data, found, personOf])
}
