import { type IncidentSummary, IncidentSummarySchema } from '@watchroom/shared/incidents'

/** A row of the list with plausible defaults. */
export function buildIncident(id: string, overrides: Partial<IncidentSummary> = {}): IncidentSummary {
  return IncidentSummarySchema.parse({
    id,
    incident_id: `INC-${id}`,
    title: `Incident ${id}`,
    severity: 'high',
    type: 'availability',
    status: 'open',
    created_at: '2025-12-31T23:50:00Z',
    updated_at: '2025-12-31T23:50:00Z',
    responders: null,
    commenters: null,
    created_by: 'ana',
    ...overrides,
  })
}
