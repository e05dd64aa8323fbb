import { HTMLSelect } from '@blueprintjs/core'
import type { HistoryEvent, IncidentEvent } from '@watchroom/shared/incidents'
import { incidentTopic } from '@watchroom/shared/protocol'
import { useMemo, useState } from 'react'

import { useTopic } from '../../../../live/useTopic.ts'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { LoadingSkeleton } from '../../../../ui/LoadingSkeleton.tsx'
import { ExactTime } from '../room/ExactTime.tsx'
import { historyLabel, historyText, historyType } from './historyText.ts'

/** What happened to the incident, newest first, as it happens. */
export function Changelog({ incidentId }: { incidentId: string }) {
  const topic = useTopic(incidentTopic, { id: incidentId })
  const events = useMemo(() => topic.rows.filter(isHistory), [topic.rows])
  if (events.length > 0) return <ChangelogList events={events} />
  if (topic.state === 'loading') return <LoadingSkeleton rows={3} label="Loading the changelog" />
  if (topic.state === 'denied' || topic.state === 'failed')
    return <ErrorState title="Could not load the changelog" message={topic.error?.message ?? 'Try again later'} />
  return <EmptyState title="Nothing happened yet" />
}

const isHistory = (event: IncidentEvent): event is HistoryEvent => event.kind === 'history'

const ALL = ''

export function ChangelogList({ events }: { events: readonly HistoryEvent[] }) {
  const [type, setType] = useState(ALL)
  const types = [...new Set(events.map(historyType))].toSorted()
  const shown = events
    .filter((event) => type === ALL || historyType(event) === type)
    .toSorted((a, b) => (b.created_at ?? '').localeCompare(a.created_at ?? ''))
  return (
    <div className="room-changelog">
      <HTMLSelect
        fill
        aria-label="Kind of change"
        value={type}
        onChange={(event) => setType(event.currentTarget.value)}
      >
        <option value={ALL}>All changes ({events.length})</option>
        {types.map((each) => (
          <option key={each} value={each}>
            {historyLabel(each)}
          </option>
        ))}
      </HTMLSelect>
      <ol className="room-changelog-list" aria-label="Changes, newest first">
        {shown.map((event) => (
          <li key={event.id}>
            <p>
              <strong>{event.created_by?.name ?? 'Someone'}</strong> {historyText(event)}
            </p>
            <p className="wr-muted">
              <ExactTime at={event.created_at} />
            </p>
          </li>
        ))}
      </ol>
    </div>
  )
}
