import { Button } from '@blueprintjs/core'
import { TakeAction, Plus } from '@blueprintjs/icons'
import type { IncidentSummary } from '@watchroom/shared/incidents'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'

import { useSession } from '../../../../api/session.tsx'
import type { TopicView } from '../../../../live/contract.ts'
import { Freshness } from '../../../../live/Freshness.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { LoadingSkeleton } from '../../../../ui/LoadingSkeleton.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { PAGE_SIZES } from '../../../../ui/pages.ts'
import { Pagination } from '../../../../ui/Pagination.tsx'
import { type Hold, useHold } from '../../../../ui/useHold.ts'
import { useSearchState } from '../../../../url/useSearchState.ts'
import { filterIncidents } from '../../filterIncidents.ts'
import { DEFAULT_PAGE_SIZE, type IncidentSearch, IncidentSearchSchema, NO_FILTERS } from '../../search.ts'
import { useHeldList } from '../../useHeldList.ts'
import { CreateIncidentDialog } from '../CreateIncidentDialog.tsx'
import { FilterBar } from './FilterBar.tsx'
import { IncidentTable } from './IncidentTable.tsx'

/** The list page for rows that come from somewhere: the live topic, or a test. */
export function IncidentList({ topic }: { topic: TopicView<IncidentSummary> }) {
  const { can } = useSession()
  useRefreshOnOpen(topic)
  const [search, setSearch] = useSearchState(IncidentSearchSchema)
  const [isCreating, setCreating] = useState(false)
  const isOld = topic.state === 'offline' && topic.via !== 'polling'
  const found = useMemo(() => filterIncidents(topic.rows, search), [topic.rows, search])
  const hold = useHold()
  const { shown, waiting } = useHeldList({ rows: topic.rows, found, filters: search, isHeld: hold.isHeld })
  return (
    <section className="incidents" data-old={isOld || undefined}>
      <PageHeader
        title="Incidents"
        refresh={{ onRefresh: () => topic.refresh(), isLoading: topic.state === 'loading' }}
        controls={
          can('write', 'incident') ? (
            <IconButton icon={<Plus />} label="Create New Incident" onClick={() => setCreating(true)} />
          ) : null
        }
      >
        {topic.rows.length > 0 ? (
          <span className="wr-muted incidents-count">{toCount(found.length, topic.rows.length)}</span>
        ) : null}
        <Freshness view={topic} />
        <span className="incidents-waiting" aria-live="polite">
          {waiting > 0 ? `${waiting} new` : null}
        </span>
      </PageHeader>
      {topic.state === 'denied' ? null : <FilterBar search={search} onChange={setSearch} incidents={topic.rows} />}
      <Contents topic={topic} found={shown} search={search} onChange={setSearch} hold={hold} />
      {isCreating ? <CreateIncidentDialog onClose={() => setCreating(false)} /> : null}
    </section>
  )
}

/** The first rows may be those that the gateway read for the last visitor: the list is read anew when it is opened. */
function useRefreshOnOpen({ state, refresh }: TopicView<IncidentSummary>): void {
  const wasRefreshed = useRef(false)
  useEffect(() => {
    if (wasRefreshed.current || state === 'loading' || state === 'denied') return
    wasRefreshed.current = true
    refresh()
  }, [state, refresh])
}

function toCount(shown: number, total: number): string {
  return shown === total ? String(total) : `${shown} of ${total}`
}

interface ContentsProps {
  topic: TopicView<IncidentSummary>
  found: readonly IncidentSummary[]
  search: IncidentSearch
  onChange: (patch: Partial<IncidentSearch>) => void
  hold: Hold
}

function Contents({ topic, found, search, onChange, hold }: ContentsProps): ReactNode {
  const { rows, state, error } = topic
  if (state === 'denied') {
    return <ErrorState title="Unauthorized" message="You do not have permission to access this page" />
  }
  if (rows.length === 0 && state === 'loading') return <LoadingSkeleton label="Loading incidents" />
  if (rows.length === 0 && (state === 'failed' || state === 'offline')) {
    return (
      <ErrorState
        title="The incidents could not be loaded"
        message={error?.message ?? 'There is no connection to the server.'}
        onRetry={() => topic.refresh()}
      />
    )
  }
  if (found.length === 0) {
    return (
      <EmptyState
        icon={<TakeAction size={28} />}
        title="There are no incidents matching this criteria"
        action={
          rows.length > 0 ? <Button text={`Show all ${rows.length}`} onClick={() => onChange(NO_FILTERS)} /> : null
        }
      />
    )
  }
  const { pageSize } = search
  // An old link, or incidents that were closed meanwhile, may point behind the last page.
  const pageIndex = Math.min(search.pageIndex, Math.ceil(found.length / pageSize) - 1)
  return (
    <>
      <IncidentTable
        incidents={found.slice(pageIndex * pageSize, (pageIndex + 1) * pageSize)}
        onTouch={hold.touch}
        onLeave={hold.release}
      />
      {found.length > Math.min(pageSize, DEFAULT_PAGE_SIZE) ? (
        <Pagination
          pageIndex={pageIndex}
          pageSize={pageSize}
          total={found.length}
          pageSizes={PAGE_SIZES}
          onPageChange={(next) => onChange({ pageIndex: next })}
          onPageSizeChange={(next) => onChange({ pageSize: next, pageIndex: 0 })}
        />
      ) : null}
    </>
  )
}
