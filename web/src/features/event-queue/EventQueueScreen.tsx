import { useQuery } from '@tanstack/react-query'
import type { EventQueue } from '@watchroom/shared/settings'

import { Freshness } from '../../live/Freshness.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { toQueryState } from '../../ui/QueryStates.tsx'
import type { TableColumn } from '../../ui/table/column.ts'
import { toSort } from '../../ui/table/listSearch.ts'
import { ResourceTable } from '../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../ui/table/RowCells.tsx'
import { whyColumn } from '../../ui/table/Why.tsx'
import { useSearchState } from '../../url/useSearchState.ts'
import { FailedEvents } from './FailedEvents.tsx'
import { queueQuery, queueTable, useLiveQueue } from './queries.ts'
import { EventQueueSearchSchema } from './search.ts'

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
  whyColumn((row) => row.most_common_error, { key: 'most_common_error', title: 'Most common error' }),
]

const toFailed = ({ name }: EventQueue): RowLink => ({ to: '.', search: (current) => ({ ...current, event: name }) })

/** `/settings/event-queue-status`: events that wait to be handled, by name, and those that could not be. */
export function EventQueueScreen() {
  const [search, setSearch] = useSearchState(EventQueueSearchSchema)
  const { event } = search
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
        sort={toSort(search, setSearch)}
        toolbar={{}}
        empty={{
          title: 'No waiting events',
          text: 'Events trigger notifications and playbooks. Waiting and failed events appear here.',
        }}
      />
      {event === '' ? null : <FailedEvents key={event} name={event} onClose={() => setSearch({ event: '' })} />}
    </>
  )
}
