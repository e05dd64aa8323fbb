import { z } from 'zod'

import { type IncidentSummary, IncidentSummarySchema } from '../../incidents/index.ts'
import type { Topic } from '../topic.ts'

/** The list of incidents. */
export const incidentsTopic: Topic<Record<string, never>, IncidentSummary> = {
  name: 'incidents',
  params: z.record(z.string(), z.never()),
  row: IncidentSummarySchema,
  key: 'id',
  resource: () => 'incident',
  source: () => 'incident_summary',
}
