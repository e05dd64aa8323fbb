import { Button } from '@blueprintjs/core'
import { Plus, TakeAction } from '@blueprintjs/icons'
import type { IncidentSummary } from '@watchroom/shared/incidents'
import { useEffect, useMemo, useRef, useState } from 'react'

import { useSession } from '../../../api/session.tsx'
import type { TopicView } from '../../../live/contract.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { toTopicState } from '../../../live/toTopicState.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { toPaging } from '../../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../../ui/table/pages.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { filterIncidents } from '../filterIncidents.ts'
import { DEFAULT_FILTERS, DEFAULT_PAGE_SIZE, IncidentSearchSchema, NO_FILTERS } from '../search.ts'
import { CreateIncidentDialog } from './CreateIncidentDialog.tsx'
import { INCIDENT_COLUMNS } from './incidentColumns.tsx'
import { useIncidentFilters } from './useIncidentFilters.ts'

const keyOf = ({ id }: IncidentSummary): string => id
const toRoom = ({ id }: IncidentSummary): RowLink => ({ to: `/incidents/${id}` })

/** The list for given rows: from the live topic, or a test. */
export function IncidentList({ topic }: { topic: TopicView<IncidentSummary> }) {
  const { can } = useSession()
  useRefreshOnOpen(topic)
  const [search, setSearch] = useSearchState(IncidentSearchSchema)
  const [isCreating, setCreating] = useState(false)
  const { rows } = topic
  const found = useMemo(() => filterIncidents(rows, search), [rows, search])
  const filters = useIncidentFilters(rows, search, setSearch)
  const { pageIndex: _page, pageSize: _size, ...wish } = search
  const isDefault = Object.entries(wish).every(([key, value]) => value === DEFAULT_FILTERS[key as keyof typeof wish])
  const matchNone = 'There are no incidents matching this criteria'
  const create = can('write', 'incident')
    ? { text: 'Create New Incident', icon: <Plus />, onClick: () => setCreating(true) }
    : null
  return (
    <>
      <PageHeader
        title="Incidents"
        refresh={{ onRefresh: () => topic.refresh(), isLoading: topic.state === 'loading' }}
        action={create}
      >
        {rows.length > 0 ? <span className="wr-muted">{toCount(found.length, rows.length)}</span> : null}
        <Freshness view={topic} />
      </PageHeader>
      <ResourceTable
        name="incidents"
        label="Incidents"
        state={toTopicState(topic, 'incidents')}
        found={found}
        question={JSON.stringify(wish)}
        columns={INCIDENT_COLUMNS}
        keyOf={keyOf}
        rowLink={toRoom}
        paging={toPaging(search, setSearch, { sizes: PAGE_SIZES, defaultSize: DEFAULT_PAGE_SIZE })}
        isLive
        fold="facts"
        empty={{
          icon: <TakeAction size={28} />,
          title: matchNone,
          text: 'An incident is a room where everyone works on one problem at once. Nobody has created one yet.',
          ...(create ? { action: <Button {...create} /> } : {}),
        }}
        filteredEmpty={
          rows.length === 0
            ? null
            : {
                icon: <TakeAction size={28} />,
                title: matchNone,
                action: <Button text={`Show all ${rows.length}`} onClick={() => setSearch(NO_FILTERS)} />,
              }
        }
        toolbar={{
          search: {
            value: search.search,
            placeholder: 'Search for incident',
            onSearch: (text) => setSearch({ search: text, pageIndex: 0 }, { replace: true }),
          },
          filters,
          reset: isDefault ? null : { text: 'Reset filters', onReset: () => setSearch(DEFAULT_FILTERS) },
        }}
      />
      {isCreating ? <CreateIncidentDialog onClose={() => setCreating(false)} /> : null}
    </>
  )
}

/** The first rows may be those that the gateway read for the last visitor, so opening the list refreshes it. */
function useRefreshOnOpen({ asOf, refresh }: TopicView<IncidentSummary>): void {
  const wasRefreshed = useRef(false)
  useEffect(() => {
    if (wasRefreshed.current || asOf === null) return
    wasRefreshed.current = true
    refresh()
  }, [asOf, refresh])
}

const toCount = (shown: number, total: number): string => (shown === total ? String(total) : `${shown} of ${total}`)
