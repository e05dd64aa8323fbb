import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { FRESH_MS } from '../../api/queryClient.ts'
import { incidentKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import { anyTextFilter, defineTable, equals, textFilter } from '../../api/tables.ts'

/** Matches shown in the link dialog; a longer list is searched, not scrolled. */
const MAX_MATCHES = 50
const NEWEST_FIRST = { by: 'created_at', direction: 'desc' } as const

const FoundIncidentSchema = z.object({
  id: z.string(),
  incident_id: z.string(),
  title: z.string(),
  status: z.string(),
})
export type FoundIncident = z.infer<typeof FoundIncidentSchema>

const incidentTable = defineTable({
  name: 'incidents',
  row: FoundIncidentSchema,
  select: 'id,incident_id,title,status',
})

/** One of them, for whoever comes with its id. */
export const incidentQuery = incidentTable.oneQuery

/** Incidents to link evidence to, newest first, by what is shown of them. */
export const incidentSearchQuery = (text: string) =>
  incidentTable.listQuery({
    filters: anyTextFilter(['title', 'incident_id'], text),
    order: NEWEST_FIRST,
    limit: MAX_MATCHES,
  })

const FoundHypothesisSchema = z.object({ id: z.string(), title: z.string(), type: z.string(), status: z.string() })
export type FoundHypothesis = z.infer<typeof FoundHypothesisSchema>

const hypothesisTable = defineTable({
  name: 'hypotheses',
  row: FoundHypothesisSchema,
  select: 'id,title,type,status',
})

/** One of them, for whoever comes with its id. */
export const hypothesisQuery = hypothesisTable.oneQuery

/** Hypotheses of an incident: its roots first, where evidence most often belongs, then the newest. */
export const hypothesisSearchQuery = (incidentId: string, text: string) =>
  queryOptions({
    queryKey: incidentKeys.hypotheses(incidentId, text),
    queryFn: async ({ signal }) => {
      const ask = (type: string) => {
        const filters = [`type=${type}`, equals('incident_id', incidentId), ...textFilter('title', text)]
        const path = hypothesisTable.listPath({ filters, order: NEWEST_FIRST, limit: MAX_MATCHES })
        return request(path, { schema: z.array(FoundHypothesisSchema), signal })
      }
      const [roots, others] = await Promise.all([ask('eq.root'), ask('neq.root')])
      return { found: [...roots, ...others], hasMore: Math.max(roots.length, others.length) === MAX_MATCHES }
    },
    staleTime: FRESH_MS.never,
    placeholderData: keepPreviousData,
  })
