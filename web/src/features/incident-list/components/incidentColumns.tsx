import { historyLabel, historyType, type IncidentSummary, toLabel } from '@watchroom/shared/incidents'
import type { ReactNode } from 'react'

import { IncidentStatusTag } from '../../../ui/IncidentStatusTag.tsx'
import { SeverityBars } from '../../../ui/SeverityBars.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { isActive } from '../filterIncidents.ts'
import { ResponderFaces } from './ResponderFaces.tsx'

export const INCIDENT_COLUMNS: readonly TableColumn<IncidentSummary>[] = [
  { key: 'incident_id', title: 'Id', kind: 'code', value: (incident) => incident.incident_id },
  { key: 'type', title: 'Type', kind: 'text', value: (incident) => toLabel(incident.type) },
  {
    key: 'severity',
    title: 'Severity',
    kind: 'status',
    value: (incident) => incident.severity,
    render: (incident) => <SeverityBars severity={incident.severity} />,
  },
  {
    key: 'status',
    title: 'Status',
    kind: 'status',
    value: (incident) => incident.status,
    render: (incident) => <IncidentStatusTag status={incident.status} />,
  },
  {
    key: 'title',
    title: 'Name',
    kind: 'text',
    isMain: true,
    value: (incident) => incident.title,
    note: (incident) => <News incident={incident} />,
  },
  { key: 'created_at', title: 'Age', kind: 'time', value: (incident) => incident.created_at },
  {
    key: 'responders',
    title: 'Responders',
    kind: 'person',
    value: (incident) => incident.responders.length,
    render: (incident) => <ResponderFaces responders={incident.responders} />,
  },
]

/** Who leads or led, and what happened last: `Ana leads · Status changed to mitigated, 3m ago`. */
function News({ incident }: { incident: IncidentSummary }): ReactNode {
  const { commander, last_event: event } = incident
  const verb = isActive(incident) ? 'leads' : 'led'
  const leader = commander ? `${commander.name || 'Someone'} ${verb}` : verb === 'leads' ? 'Nobody leads' : ''
  return (
    <>
      {leader}
      {leader !== '' && event ? ' · ' : null}
      {event ? (
        <>
          {toEventText(event)}, <TimeAgo at={event.created_at} />
        </>
      ) : null}
    </>
  )
}

function toEventText(event: NonNullable<IncidentSummary['last_event']>): string {
  const type = historyType(event)
  const status = type === 'incident.status_updated' && event.description ? event.description : null
  return `${historyLabel(type)}${status === null ? '' : ` to ${toLabel(status).toLowerCase()}`}`
}
