import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { FRESH_MS } from '../../api/queryClient.ts'
import { teamKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import { insertRows, removeRow } from '../../api/wholeRows.ts'

const MemberSchema = z.object({
  person: z.object({ id: z.string(), name: z.string().nullish(), email: z.string().nullish() }),
})
export type Member = z.infer<typeof MemberSchema>['person']

/** Nothing tells of these: they are asked for while someone looks. */
export const POLL_MS = 5_000
const encode = encodeURIComponent

/** People of a team, by name. */
export const membersQuery = (teamId: string) =>
  queryOptions({
    queryKey: teamKeys.members(teamId),
    queryFn: async ({ signal }) => {
      const path = `/api/db/team_members?team_id=eq.${encode(teamId)}&select=team_id,person:person_id(id,name,email)`
      const rows = await request(path, { schema: z.array(MemberSchema), signal })
      return rows.map(({ person }) => person).toSorted((a, b) => toName(a).localeCompare(toName(b)))
    },
    staleTime: FRESH_MS.never,
  })

const OwnedSchema = z.object({
  component: z.object({ id: z.string(), name: z.string(), health: z.string().nullish(), type: z.string().nullish() }),
})
export type OwnedComponent = z.infer<typeof OwnedSchema>['component']

/** Components that a team answers for, as its spec selects them. */
export const ownedComponentsQuery = (teamId: string) =>
  queryOptions({
    queryKey: teamKeys.components(teamId),
    queryFn: async ({ signal }) => {
      const path = `/api/db/team_components?team_id=eq.${encode(teamId)}&select=component:components(id,name,health,type)`
      const rows = await request(path, { schema: z.array(OwnedSchema), signal })
      const owned = new Map(rows.map(({ component }) => [component.id, component]))
      return [...owned.values()].toSorted((a, b) => a.name.localeCompare(b.name))
    },
    staleTime: FRESH_MS.never,
  })

export const toName = ({ name, email }: Member): string => name || email || 'Unknown person'

export const addMembers = (teamId: string, personIds: readonly string[]): Promise<unknown> =>
  insertRows(
    'team_members',
    personIds.map((personId) => ({ team_id: teamId, person_id: personId })),
  )

/** From this team alone: a person may be in others. */
export const removeMember = (teamId: string, personId: string): Promise<unknown> =>
  removeRow('team_members', { person_id: personId, team_id: teamId })
