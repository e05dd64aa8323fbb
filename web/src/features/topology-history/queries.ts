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
/** Of several components: the same incident or change is told once for each. */
const MAX_MARKS_OF_MANY = 1_000

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

/** On each side of an instant: as many as the table lists around it, of one instant more than that. */
const NEAR = 200

/** What happened just before an instant, at it and just after it, where there is more in the range than comes at once. */
export const nearTransitionsQuery = (id: string, from: number, to: number, at: number) =>
  queryOptions({
    queryKey: topologyHistoryKeys.near(id, from, to, at),
    queryFn: async ({ signal }) => {
      const parts = [
        { from, to: at - 1, order: 'desc' },
        { from: at, to: at + 1, order: 'asc' },
        { from: at + 1, to, order: 'asc' },
      ].filter((part) => part.from < part.to)
      const answers = await Promise.all(
        parts.map((part) =>
          request(
            ask('transitions', {
              from: toInstant(part.from),
              to: toInstant(part.to),
              id,
              order: part.order,
              limit: String(NEAR),
            }),
            { schema: PastTransitionsSchema, signal },
          ),
        ),
      )
      return answers.flatMap(({ transitions }) => transitions)
    },
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

const between = (marked: Marked, from: number, to: number): string =>
  `created_at=gte.${toInstant(from)}&created_at=lte.${toInstant(to)}&order=created_at.desc&limit=${marked.length === 1 ? MAX_MARKS : MAX_MARKS_OF_MANY}`

const IncidentMarkSchema = z.object({ id: z.string(), title: z.string().nullish(), created_at: z.string() })

/** Components by their ids, or all there are. */
type Marked = readonly string[] | 'all'

const ofComponents = (marked: Marked): string => (marked === 'all' ? '' : `&component_id=in.(${marked.join()})`)

/** Each once, whatever number of components it is told for. */
const toDistinct = <Row extends { readonly id: string }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
]

/** Incidents that began in the range. */
export const incidentMarksQuery = (marked: Marked, from: number, to: number) =>
  queryOptions({
    queryKey: topologyHistoryKeys.incidents(marked, from, to),
    queryFn: async ({ signal }) => {
      const rows = await request(
        `/api/db/${marked === 'all' ? 'incidents' : 'incidents_by_component'}?select=id,title,created_at${ofComponents(marked)}&${between(marked, from, to)}`,
        { schema: z.array(IncidentMarkSchema), signal },
      )
      return toDistinct(rows)
    },
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  })

const ChangeMarkSchema = z.object({
  id: z.string(),
  config_id: z.string().nullish(),
  change_type: z.string().nullish(),
  name: z.string().nullish(),
  created_at: z.string(),
})

/** Changes of the items that components stand for. */
export const changeMarksQuery = (marked: Marked, from: number, to: number) =>
  queryOptions({
    queryKey: topologyHistoryKeys.changes(marked, from, to),
    queryFn: async ({ signal }) => {
      const rows = await request(
        `/api/db/changes_by_component?select=id,config_id,change_type,name,created_at${ofComponents(marked)}&${between(marked, from, to)}`,
        { schema: z.array(ChangeMarkSchema), signal },
      )
      return toDistinct(rows)
    },
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  })
