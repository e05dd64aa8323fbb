import { queryOptions } from '@tanstack/react-query'
import { type IncidentSummary, IncidentSummarySchema } from '@watchroom/shared/incidents'
import { z } from 'zod'

import { incidentKeys } from '../../api/queryKeys.ts'
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

const NamedSchema = z.array(z.object({ id: z.string(), name: z.string().nullish() }))

/** Components for the Component filter. */
export const componentsQuery = queryOptions({
  queryKey: incidentKeys.components,
  queryFn: ({ signal }) =>
    request('/api/db/components?select=id,name&deleted_at=is.null&order=name.asc', { schema: NamedSchema, signal }),
})
