import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { FRESH_MS } from '../../api/queryClient.ts'
import { incidentKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import { anyTextFilter, defineTable, textFilter } from '../../api/tables.ts'

/** Matches shown in the link dialog; a longer list is searched, not scrolled. */
const MAX_MATCHES = 50

const FoundIncidentSchema = z.object({
  id: z.string(),
  incident_id: z.string(),
  title: z.string(),
  status: z.string(),
  severity: z.string(),
})
export type FoundIncident = z.infer<typeof FoundIncidentSchema>

const COLUMNS = 'id,incident_id,title,status,severity'

const incidentTable = defineTable({
  name: 'incidents',
  row: FoundIncidentSchema,
  select: COLUMNS,
})

/** One of them, for whoever comes with its id. */
export const incidentQuery = incidentTable.oneQuery

/** Incidents to link evidence to, newest first, by what is shown of them. */
export const incidentSearchQuery = (text: string) =>
  queryOptions({
    queryKey: incidentKeys.search(text),
    queryFn: ({ signal }) =>
      request(
        `/api/db/incidents?select=${COLUMNS}&order=created_at.desc&limit=${MAX_MATCHES}${['', ...anyTextFilter(['title', 'incident_id'], text)].join('&')}`,
        { schema: z.array(FoundIncidentSchema), signal },
      ),
    staleTime: FRESH_MS.never,
    placeholderData: keepPreviousData,
  })

const FoundHypothesisSchema = z.object({ id: z.string(), title: z.string(), type: z.string(), status: z.string() })
export type FoundHypothesis = z.infer<typeof FoundHypothesisSchema>

const HYPOTHESIS_COLUMNS = 'id,title,type,status'

/** One of them, for whoever comes with its id. */
export const hypothesisQuery = defineTable({
  name: 'hypotheses',
  row: FoundHypothesisSchema,
  select: HYPOTHESIS_COLUMNS,
}).oneQuery

/** Hypotheses of an incident: its roots first, where evidence most often belongs, then the newest. */
export const hypothesisSearchQuery = (incidentId: string, text: string) =>
  queryOptions({
    queryKey: incidentKeys.hypotheses(incidentId, text),
    queryFn: async ({ signal }) => {
      const ask = (type: string) =>
        request(
          `/api/db/hypotheses?select=${HYPOTHESIS_COLUMNS}&type=${type}&order=created_at.desc&limit=${MAX_MATCHES}&incident_id=eq.${encodeURIComponent(incidentId)}${['', ...textFilter('title', text)].join('&')}`,
          { schema: z.array(FoundHypothesisSchema), signal },
        )
      const [roots, others] = await Promise.all([ask('eq.root'), ask('neq.root')])
      return { found: [...roots, ...others], hasMore: Math.max(roots.length, others.length) === MAX_MATCHES }
    },
    staleTime: FRESH_MS.never,
    placeholderData: keepPreviousData,
  })
