import { IncidentStatusSchema, IncidentTypeSchema } from '@watchroom/shared/incidents'
import { z } from 'zod'

/** Neither resolved nor closed: the incidents that are counted as open. */
export const UNRESOLVED = 'unresolved'
export const ALL = 'all'

/** Which incidents of a record a link asks for. */
export const IncidentFilterSchema = z.object({
  incidentType: z.enum([...IncidentTypeSchema.options, ALL]).catch(ALL),
  incidentStatus: z.enum([...IncidentStatusSchema.options, ALL, UNRESOLVED]).catch(UNRESOLVED),
})
export type IncidentFilter = z.infer<typeof IncidentFilterSchema>

/** The same for the backend. */
export function toIncidentFilters({ incidentType: type, incidentStatus: status }: IncidentFilter): readonly string[] {
  const ofStatus = status === UNRESOLVED ? 'status=not.in.(resolved,closed,cancelled)' : `status=eq.${status}`
  return [...(type === ALL ? [] : [`type=eq.${type}`]), ...(status === ALL ? [] : [ofStatus])]
}
