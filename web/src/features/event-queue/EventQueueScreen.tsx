import { useQuery } from '@tanstack/react-query'
import type { EventQueue } from '@watchroom/shared/settings'
import { useState } from 'react'

import { Freshness } from '../../live/Freshness.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { toQueryState } from '../../ui/QueryStates.tsx'
import { DASH } from '../../ui/table/Cell.tsx'
import type { TableColumn } from '../../ui/table/column.ts'
import { ResourceTable } from '../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../ui/table/RowCells.tsx'
import { useSearchState } from '../../url/useSearchState.ts'
import { FailedEvents } from './FailedEvents.tsx'
import { queueQuery, queueTable, useLiveQueue } from './queries.ts'
import { EventQueueSearchSchema } from './search.ts'

import styles from './eventQueue.module.css'

const COLUMNS: readonly TableColumn<EventQueue>[] = [
  { key: 'name', title: 'Name', kind: 'code', isMain: true, isSortable: true, value: ({ name }) => name },
  { key: 'pending', title: 'Pending', kind: 'number', isSortable: true, value: ({ pending }) => pending },
  { key: 'failed', title: 'Failed', kind: 'number', isSortable: true, value: ({ failed }) => failed },
  {
    key: 'average_attempts',
    title: 'Average attempts',
    kind: 'number',
    isSortable: true,
    value: (row) => row.average_attempts,
  },
  { key: 'first_failure', title: 'First failure', kind: 'time', isSortable: true, value: (row) => row.first_failure },
  { key: 'last_failure', title: 'Last failure', kind: 'time', isSortable: true, value: (row) => row.last_failure },
  {
    key: 'most_common_error',
    title: 'Most common error',
    kind: 'text',
    value: (row) => row.most_common_error,
    render: ({ most_common_error: error }) =>
      error ? (
        <span className={styles['error']} title={error}>
          {error}
        </span>
      ) : (
        DASH
      ),
  },
]

const toFailed = ({ name }: EventQueue): RowLink => ({ to: '.', search: (current) => ({ ...current, event: name }) })

/** `/settings/event-queue-status`: events that wait to be handled, by name, and those that could not be. */
export function EventQueueScreen() {
  const [{ event }, setSearch] = useSearchState(EventQueueSearchSchema)
  const [order, setOrder] = useState<{ by: string; direction: 'asc' | 'desc' }>({
    by: 'last_failure',
    direction: 'desc',
  })
  const live = useLiveQueue()
  const query = useQuery(queueQuery)
  return (
    <>
      <PageHeader title="Event Queue">
        <Freshness view={live} />
      </PageHeader>
      <ResourceTable
        name="event-queue"
        label="Event queue"
        state={{ ...toQueryState(query, 'the event queue'), data: query.data?.rows }}
        columns={COLUMNS}
        keyOf={queueTable.keyOf}
        rowLink={toFailed}
        openKey={event === '' ? undefined : event}
        isLive
        sort={{ order, onSort: setOrder }}
        empty={{
          title: 'No waiting events',
          text: 'Events trigger notifications and playbooks. Waiting and failed events appear here.',
        }}
      />
      {event === '' ? null : <FailedEvents key={event} name={event} onClose={() => setSearch({ event: '' })} />}
    </>
  )
}
