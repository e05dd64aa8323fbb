import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { FRESH_MS } from '../../../api/queryClient.ts'
import { incidentKeys } from '../../../api/queryKeys.ts'
import { request } from '../../../api/request.ts'
import { defineTable } from '../../../api/tables.ts'

const fieldTexts = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
  .nullish()
  .catch(null)
  .transform((values) => values ?? {})

const ClientSchema = z
  .object({ values: fieldTexts, defaults: fieldTexts })
  .nullish()
  .catch(null)
  .transform((client) => client ?? { values: {}, defaults: {} })

const TeamSchema = z.object({
  id: z.string(),
  name: z.string(),
  icon: z.string().nullish(),
  spec: z
    .object({ responder_clients: z.record(z.string(), ClientSchema).nullish() })
    .nullish()
    .catch(null),
})
export type Team = z.infer<typeof TeamSchema>

/** Teams with how each is called in. */
export const teamsQuery = queryOptions({
  queryKey: incidentKeys.respondingTeams,
  queryFn: ({ signal }) =>
    request('/api/db/teams?deleted_at=is.null&order=name.asc&select=id,name,icon,spec', {
      schema: z.array(TeamSchema),
      signal,
    }),
  // Someone may just have given a team its first client, from the dialog that asked for one.
  staleTime: FRESH_MS.never,
})

const InstanceSchema = z.object({
  id: z.string(),
  name: z.string().nullish(),
  external_id: z
    .array(z.string())
    .nullish()
    .catch(null)
    .transform((ids) => ids ?? []),
})

/** Ticket systems of a kind that the backend knows; a team's own carries the team's id. */
export const instancesQuery = (type: 'jira' | 'ms_planner') =>
  queryOptions({
    queryKey: incidentKeys.ticketSystems(type),
    queryFn: ({ signal }) =>
      request(`/api/db/configs?select=id,external_id,name,type&type=ilike.${type}`, {
        schema: z.array(InstanceSchema),
        signal,
      }),
  })

/** The record of one ticket system: its projects or plans, and what they offer. */
export const instanceQuery = (id: string) =>
  queryOptions({
    queryKey: incidentKeys.ticketSystem(id),
    queryFn: async ({ signal }): Promise<unknown> => {
      const path = `/api/db/config_detail?id=eq.${encodeURIComponent(id)}&select=id,config`
      const rows = await request(path, { schema: z.array(z.object({ config: z.unknown() })), signal })
      return rows[0]?.config ?? null
    },
  })

export interface NewResponder {
  readonly type: 'person' | 'system'
  readonly incident_id: string
  readonly created_by: string
  readonly team_id?: string
  readonly person_id?: string
  readonly properties: Readonly<Record<string, string>>
}

const responderTable = defineTable({ name: 'responders', row: z.object({ id: z.string() }), select: 'id' })

export const addResponder = (responder: NewResponder): Promise<unknown> => responderTable.insert({ ...responder })

/** The row stays: who was called in is part of the history. */
export const removeResponder = (id: string): Promise<unknown> => responderTable.softDelete(id)
