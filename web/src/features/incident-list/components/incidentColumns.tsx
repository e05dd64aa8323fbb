import { type IncidentSummary, toLabel } from '@watchroom/shared/incidents'

import { IncidentStatusTag } from '../../../ui/IncidentStatusTag.tsx'
import { SeverityBars } from '../../../ui/SeverityBars.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
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
  { key: 'title', title: 'Name', kind: 'text', isMain: true, value: (incident) => incident.title },
  { key: 'created_at', title: 'Age', kind: 'time', value: (incident) => incident.created_at },
  {
    key: 'responders',
    title: 'Responders',
    kind: 'person',
    value: (incident) => incident.responders.length,
    render: (incident) => <ResponderFaces responders={incident.responders} />,
  },
]
