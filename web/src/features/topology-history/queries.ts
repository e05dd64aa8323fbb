import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { PastDiffSchema, PastPageSchema, PastTransitionsSchema } from '@watchroom/shared/topology/history'
import { z } from 'zod'

import { keepLesser } from '../../api/keepLesser.ts'
import { topologyHistoryKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import { toInstant } from './search.ts'

const PREFIX = '/gateway/topology-history'
/** What was is not going to be different; what is still being recorded is. */
const STALE_MS = 15_000
const MAX_MARKS = 200

/** What chooses and orders the cards of a page, of all that the past knows. */
export type PastChoice = Readonly<
  Record<'status' | 'type' | 'labels' | 'agent_id' | 'hidden' | 'sortBy' | 'sortOrder', string>
>

const ask = (name: string, params: Readonly<Record<string, string>>): string => {
  const given = Object.entries(params).filter(([, value]) => value !== '')
  return `${PREFIX}/${name}?${new URLSearchParams(given)}`
}

/** @param limit how many cards at most */
export const pastPageQuery = (id: string, at: number, choice: PastChoice, limit: number) =>
  queryOptions({
    queryKey: topologyHistoryKeys.page(id, at, Object.values(choice), limit),
    queryFn: ({ signal }) =>
      request(ask('page', { at: toInstant(at), id, ...choice, limit: String(limit) }), {
        schema: PastPageSchema,
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  })

export const transitionsQuery = (id: string, from: number, to: number) =>
  queryOptions({
    queryKey: topologyHistoryKeys.transitions(id, from, to),
    queryFn: ({ signal }) =>
      request(ask('transitions', { from: toInstant(from), to: toInstant(to), id }), {
        schema: PastTransitionsSchema,
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  })

/** @param limit how many differences at most */
export const pastDiffQuery = (id: string, from: number, to: number, limit: number) => {
  const queryKey = topologyHistoryKeys.diff(id, from, to, limit)
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) =>
      request(ask('diff', { from: toInstant(from), to: toInstant(to), id, limit: String(limit) }), {
        schema: PastDiffSchema,
        signal,
      }),
    placeholderData: keepLesser(queryKey),
    staleTime: STALE_MS,
  })
}

const between = (from: number, to: number): string =>
  `created_at=gte.${toInstant(from)}&created_at=lte.${toInstant(to)}&order=created_at.desc&limit=${MAX_MARKS}`

const IncidentMarkSchema = z.object({ id: z.string(), title: z.string().nullish(), created_at: z.string() })

/** Incidents that began in the range: of the component, or all of them. */
export const incidentMarksQuery = (id: string, from: number, to: number) =>
  queryOptions({
    queryKey: topologyHistoryKeys.incidents(id, from, to),
    queryFn: ({ signal }) =>
      request(
        id === ''
          ? `/api/db/incidents?select=id,title,created_at&${between(from, to)}`
          : `/api/db/incidents_by_component?select=id,title,created_at&component_id=eq.${id}&${between(from, to)}`,
        { schema: z.array(IncidentMarkSchema), signal },
      ),
    staleTime: STALE_MS,
  })

const ChangeMarkSchema = z.object({
  id: z.string(),
  config_id: z.string().nullish(),
  change_type: z.string().nullish(),
  name: z.string().nullish(),
  created_at: z.string(),
})

/** Changes of the items that a component stands for; of the whole estate there would be too many. */
export const changeMarksQuery = (id: string, from: number, to: number) =>
  queryOptions({
    queryKey: topologyHistoryKeys.changes(id, from, to),
    queryFn: ({ signal }) =>
      request(
        `/api/db/changes_by_component?select=id,config_id,change_type,name,created_at&component_id=eq.${id}&${between(from, to)}`,
        { schema: z.array(ChangeMarkSchema), signal },
      ),
    staleTime: STALE_MS,
  })
