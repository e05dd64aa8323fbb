import type { IncidentSummary } from '@watchroom/shared/incidents'

import type { TableColumn } from '../../../../ui/table/column.ts'
import { toLabel } from '../../labels.ts'
import { IncidentStatusTag } from './IncidentStatusTag.tsx'
import { ResponderFaces } from './ResponderFaces.tsx'
import { SeverityBars } from './SeverityBars.tsx'

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
