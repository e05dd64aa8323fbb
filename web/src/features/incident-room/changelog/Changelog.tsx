import { HTMLSelect } from '@blueprintjs/core'
import {
  type HistoryEvent,
  historyLabel,
  historyText,
  historyType,
  type IncidentEvent,
  MAX_HISTORY,
} from '@watchroom/shared/incidents'
import { incidentTopic } from '@watchroom/shared/protocol'
import { useMemo } from 'react'
import { z } from 'zod'

import { toTopicState } from '../../../live/toTopicState.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { DataStates } from '../../../ui/DataStates.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { VirtualRows } from '../../../ui/VirtualRows.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { ExactTime } from '../components/ExactTime.tsx'

import styles from '../incidentRoom.module.css'

/** What happened to the incident, newest first, as it happens. */
export function Changelog({ incidentId }: { incidentId: string }) {
  const topic = useTopic(incidentTopic, { id: incidentId })
  const events = useMemo(() => topic.rows.filter(isHistory), [topic.rows])
  return (
    <DataStates
      state={toTopicState(topic, 'the changelog')}
      skeleton={<LoadingSkeleton rows={3} label="Loading the changelog" />}
    >
      {() => (events.length > 0 ? <ChangelogList events={events} /> : <EmptyState title="No activity yet" />)}
    </DataStates>
  )
}

const isHistory = (event: IncidentEvent): event is HistoryEvent => event.kind === 'history'

const ALL = ''

// A type, not an interface: only types are assignable to the index signature of `useSearchState`.
type ChangelogSearch = {
  /** Type of the events to show. */
  change: string
  /** Id of the person whose changes to show. */
  by: string
}
const ChangelogSearchSchema: z.ZodType<ChangelogSearch> = z.object({
  change: z.string().catch(ALL),
  by: z.string().catch(ALL),
})

export function ChangelogList({ events }: { events: readonly HistoryEvent[] }) {
  const [{ change, by }, setSearch] = useSearchState(ChangelogSearchSchema)
  const types = useMemo(() => [...new Set(events.map(historyType))].toSorted(), [events])
  const authors = useMemo(
    () => new Map(events.flatMap(({ created_by: author }) => (author ? [[author.id, author]] : []))),
    [events],
  )
  const shown = useMemo(
    () =>
      events
        .filter((event) => change === ALL || historyType(event) === change)
        .filter((event) => by === ALL || event.created_by?.id === by)
        .toSorted(newestFirst),
    [events, change, by],
  )
  const isCut = events.length >= MAX_HISTORY
  return (
    <div>
      <div>
        <HTMLSelect
          fill
          aria-label="Kind of change"
          value={change}
          onChange={(event) => setSearch({ change: event.currentTarget.value })}
        >
          <option value={ALL}>{isCut ? `Newest ${events.length} changes` : `All changes (${events.length})`}</option>
          {withChosen(types, change).map((each) => (
            <option key={each} value={each}>
              {historyLabel(each)}
            </option>
          ))}
        </HTMLSelect>
        <HTMLSelect
          fill
          aria-label="Changes of"
          value={by}
          onChange={(event) => setSearch({ by: event.currentTarget.value })}
        >
          <option value={ALL}>Everyone</option>
          {withChosen([...authors.keys()], by).map((each) => (
            <option key={each} value={each}>
              {authors.get(each)?.name ?? 'Someone'}
            </option>
          ))}
        </HTMLSelect>
      </div>
      {shown.length === 0 ? <p className="wr-muted">No changes of this kind.</p> : null}
      <VirtualRows
        as="ol"
        className={`${styles['changelogList']}`}
        aria-label="Changes, newest first"
        isBox
        rows={shown}
        keyOf={idOf}
        estimate={estimateEvent}
        renderRow={renderEvent}
      />
      {isCut ? (
        <p className={`${styles['changelogCut']} wr-muted`}>Only the newest {events.length} changes are listed.</p>
      ) : null}
    </div>
  )
}

const idOf = ({ id }: HistoryEvent): string => id
/** Estimated height of an event in pixels: a line per fifty letters or so, and the time. */
const estimateEvent = (event: HistoryEvent): number => 48 + 18 * Math.floor((historyText(event).length + 10) / 50)

const renderEvent = (event: HistoryEvent) => (
  <>
    <p>
      <strong>{event.created_by?.name ?? 'Someone'}</strong> {historyText(event)}
    </p>
    <p className="wr-muted">
      <ExactTime at={event.created_at} />
    </p>
  </>
)

/** A value from the URL stays in the list even if it does not occur, so that the reason for an empty list is visible. */
const withChosen = (values: readonly string[], chosen: string): readonly string[] =>
  chosen === ALL || values.includes(chosen) ? values : [...values, chosen]

/** Events of the same moment are in order of creation: an incident before its contents. */
function newestFirst(a: HistoryEvent, b: HistoryEvent): number {
  const byTime = (b.created_at ?? '').localeCompare(a.created_at ?? '')
  return byTime === 0 ? Number(a.type === 'incident.created') - Number(b.type === 'incident.created') : byTime
}
