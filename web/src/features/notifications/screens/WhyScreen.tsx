import { DialogBody } from '@blueprintjs/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { NOTIFICATION_EVENTS, REHEARSED_DAYS, type TransitionSummary } from '@watchroom/shared/notifications'

import { Freshness } from '../../../live/Freshness.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { QueryStates, toQueryState } from '../../../ui/QueryStates.tsx'
import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { eventTimeColumn, useDays, ZoneLabel } from '../../../ui/table/eventTimes.tsx'
import { toPaging } from '../../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../../ui/table/pages.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { ChoiceFilter } from '../../../ui/table/ResourceToolbar.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { Total } from '../../../ui/Total.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { ExplainedRules } from '../components/ExplainedRules.tsx'
import { explanationQuery, transitionsQuery, useLiveNotifications, useLiveTransitions } from '../queries.ts'
import { DEFAULT_PAGE_SIZE, WhySearchSchema } from '../search.ts'

const at = (row: TransitionSummary): string => row.happened_at

const COLUMNS: readonly TableColumn<TransitionSummary>[] = [
  eventTimeColumn({ key: 'happened_at', title: 'Time' }, at),
  { key: 'event', title: 'Event', kind: 'code', value: (row) => row.event },
  { key: 'resource', title: 'Resource', kind: 'text', isMain: true, value: (row) => row.resource },
  { key: 'told', title: 'Rules that notified someone', kind: 'text', value: toldText },
]
const keyOf = ({ id }: TransitionSummary): string => id
const toTransition = ({ id }: TransitionSummary): RowLink => ({ to: '.', search: (current) => ({ ...current, id }) })

function toldText({ told, decided }: TransitionSummary): string {
  return decided === 0 ? 'No rule asked for it' : `${told} of ${decided}`
}

type Asked = Pick<
  UseQueryResult<{ readonly transitions: readonly TransitionSummary[] }>,
  'data' | 'isPending' | 'isPlaceholderData'
>

/** The resource in the URL, by the name that all its rows have; it cannot be chosen here. */
function toResourceFilter(
  id: string,
  { data, isPending, isPlaceholderData }: Asked,
  onRemove: () => void,
): readonly ChoiceFilter[] {
  if (id === '') return []
  const named = data?.transitions.find((row) => row.resource_id === id)
  const options = named ? [{ value: id, label: named.resource }] : []
  const isLoading = isPending || isPlaceholderData
  return [{ kind: 'choice', key: 'resource', title: 'Resource', options, value: id, isLoading, onChange: onRemove }]
}

/** `/settings/notifications/why`: transitions that rules may be about, and why each rule sent a message or not. */
export function WhyScreen() {
  // The explanation of an open transition includes what happened to messages.
  useLiveNotifications()
  const live = useLiveTransitions()
  const [search, setSearch] = useSearchState(WhySearchSchema)
  const query = useQuery(
    transitionsQuery({
      resource: search.resource_id,
      event: search.event,
      limit: search.pageSize,
      offset: search.pageIndex * search.pageSize,
    }),
  )
  const groupOf = useDays(at)
  const total = query.data?.total
  const isFiltered = search.resource_id !== '' || search.event !== ''
  return (
    <>
      <PageHeader title="Why (not)?">
        <Total of={total} />
        <ZoneLabel />
        <Freshness view={live} />
      </PageHeader>
      <ResourceTable
        name="notification-transitions"
        label="What happened"
        state={{ ...toQueryState(query, 'what happened'), data: query.data?.transitions }}
        columns={COLUMNS}
        groupOf={groupOf}
        keyOf={keyOf}
        rowLink={toTransition}
        openKey={search.id}
        isLive
        paging={toPaging(search, setSearch, { sizes: PAGE_SIZES, defaultSize: DEFAULT_PAGE_SIZE, total: total ?? 0 })}
        empty={{ title: 'No events yet', text: `No notifiable event in the last ${REHEARSED_DAYS} days.` }}
        filteredEmpty={isFiltered ? { text: 'Nothing matches these filters.' } : null}
        toolbar={{
          filters: [
            {
              kind: 'choice',
              key: 'event',
              title: 'Event',
              options: NOTIFICATION_EVENTS.map((value) => ({ value, label: value })),
              value: search.event,
              onChange: (event) => setSearch({ event, pageIndex: 0 }),
            },
            ...toResourceFilter(search.resource_id, query, () => setSearch({ resource_id: '', pageIndex: 0 })),
          ],
          reset: isFiltered
            ? { text: 'Clear filters', onReset: () => setSearch({ resource_id: '', event: '', pageIndex: 0 }) }
            : null,
        }}
      />
      {search.id === '' ? null : (
        <OpenTransition
          id={search.id}
          onClose={() => setSearch({ id: '' })}
          onShowAll={(resource) => setSearch({ id: '', resource_id: resource, event: '', pageIndex: 0 })}
        />
      )}
    </>
  )
}

interface OpenTransitionProps {
  readonly id: string
  readonly onClose: () => void
  readonly onShowAll: (resourceId: string) => void
}

function OpenTransition({ id, onClose, onShowAll }: OpenTransitionProps) {
  const query = useQuery(explanationQuery(id))
  const { data } = query
  return (
    <SizedDialog size="medium" isOpen title={data ? `${data.event}: ${data.resource}` : 'Why (not)?'} onClose={onClose}>
      <DialogBody>
        <QueryStates query={query} what="the explanation">
          {(explanation) => (
            <ExplainedRules explanation={explanation} onShowAll={() => onShowAll(explanation.resource_id)} />
          )}
        </QueryStates>
      </DialogBody>
    </SizedDialog>
  )
}
