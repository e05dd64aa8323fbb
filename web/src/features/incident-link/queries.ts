import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { FRESH_MS } from '../../api/queryClient.ts'
import { incidentKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import { textFilter } from '../../api/tables.ts'

/** Matches shown in the link dialog; a longer list is searched, not scrolled. */
const MAX_MATCHES = 50

const FoundIncidentSchema = z.object({
  id: z.string(),
  incident_id: z.string(),
  title: z.string(),
  status: z.string(),
  severity: z.string(),
})

/** Incidents to link evidence to, newest first. */
export const incidentSearchQuery = (text: string) =>
  queryOptions({
    queryKey: incidentKeys.search(text),
    queryFn: ({ signal }) =>
      request(
        `/api/db/incidents?select=id,incident_id,title,status,severity&order=created_at.desc&limit=${MAX_MATCHES}${['', ...textFilter('title', text)].join('&')}`,
        { schema: z.array(FoundIncidentSchema), signal },
      ),
    staleTime: FRESH_MS.never,
  })

const FoundHypothesisSchema = z.object({ id: z.string(), title: z.string(), type: z.string(), status: z.string() })

export const hypothesisSearchQuery = (incidentId: string, text: string) =>
  queryOptions({
    queryKey: incidentKeys.hypotheses(incidentId, text),
    queryFn: ({ signal }) =>
      request(
        `/api/db/hypotheses?select=id,title,type,status&order=created_at.desc&limit=${MAX_MATCHES}&incident_id=eq.${encodeURIComponent(incidentId)}${['', ...textFilter('title', text)].join('&')}`,
        { schema: z.array(FoundHypothesisSchema), signal },
      ),
    staleTime: FRESH_MS.never,
  })
