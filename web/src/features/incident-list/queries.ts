import { type IncidentSummary, IncidentSummarySchema } from '@watchroom/shared/incidents'
import { z } from 'zod'

import { request } from '../../api/request.ts'

/** The whole list by REST, for as long as the live link is down. A row that cannot be read costs that row only. */
export async function fetchIncidents(signal: AbortSignal): Promise<IncidentSummary[]> {
  const path = '/api/db/incident_summary?order=created_at.desc'
  const rows = await request(path, { schema: z.array(z.unknown()), signal })
  return rows.flatMap((row) => {
    const parsed = IncidentSummarySchema.safeParse(row)
    return parsed.success ? [parsed.data] : []
  })
}
