import { INCIDENT_SEVERITIES, type IncidentSummary } from '@watchroom/shared/incidents'
import { parseTimestamp } from '@watchroom/shared/time'

import type { IncidentSearch } from './search.ts'

type Filters = Pick<IncidentSearch, 'type' | 'severity' | 'status' | 'owner' | 'component' | 'search'>

/** Rules of the backend write some words with a capital. */
const isChosen = (chosen: string, value: string): boolean =>
  chosen === 'all' || chosen.toLowerCase() === value.toLowerCase()

/** Someone works on it, or should. Unknown statuses count as active. */
export const isActive = ({ status }: IncidentSummary): boolean => !/^(?:resolved|closed)$/i.test(status)

/** Active incidents first, the most severe of them first. */
const urgencyOf = (incident: IncidentSummary): number =>
  isActive(incident) ? 1 + (INCIDENT_SEVERITIES as readonly string[]).indexOf(incident.severity.toLowerCase()) : -1

/** Incidents that pass every filter, the most urgent first, and the newest of equals. */
export function filterIncidents(incidents: readonly IncidentSummary[], filters: Filters): IncidentSummary[] {
  const wanted = filters.search.trim().toLowerCase()
  return incidents
    .filter(
      (incident) =>
        isChosen(filters.type, incident.type) &&
        isChosen(filters.severity, incident.severity) &&
        isChosen(filters.status, incident.status) &&
        (filters.owner === '' || incident.created_by === filters.owner) &&
        (filters.component === '' || incident.component_ids.includes(filters.component)) &&
        (incident.title.toLowerCase().includes(wanted) || incident.incident_id.toLowerCase().includes(wanted)),
    )
    .toSorted(
      (a, b) => urgencyOf(b) - urgencyOf(a) || (createdAt(b) ?? 0) - (createdAt(a) ?? 0) || b.id.localeCompare(a.id),
    )
}

function createdAt({ created_at }: IncidentSummary): number | null {
  return parseTimestamp(created_at)
}
