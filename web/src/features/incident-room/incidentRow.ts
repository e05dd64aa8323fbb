import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { incidentKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'

/** All columns: templates of a team's settings may use any of them. */
const IncidentRowSchema = z.looseObject({
  /** For people, for example INC-12. */
  incident_id: z.string(),
  created_at: z.string().nullish(),
  created_by: z.string().nullish(),
  /** Of one that was not opened by hand. */
  incident_rule_id: z.string().nullish(),
})
export type IncidentRow = z.infer<typeof IncidentRowSchema>

/** What never changes about an incident and is not in its document. */
export const incidentRowQuery = (incidentId: string) =>
  queryOptions({
    queryKey: incidentKeys.row(incidentId),
    queryFn: async ({ signal }): Promise<IncidentRow | null> => {
      const path = `/api/db/incidents?id=eq.${encodeURIComponent(incidentId)}`
      const rows = await request(path, { schema: IncidentRowSchema.array(), signal })
      return rows[0] ?? null
    },
  })
