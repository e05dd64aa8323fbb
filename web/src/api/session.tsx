import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Action, can, type Resource, type Role, toRoles } from '@watchroom/shared/access'
import { PeopleRolesSchema, toUser, type User, WhoAmISchema } from '@watchroom/shared/identity'
import { createContext, type ReactNode, useContext, useMemo } from 'react'

import { FRESH_MS } from './queryClient.ts'
import { sessionKeys } from './queryKeys.ts'
import { request } from './request.ts'

export interface Session {
  readonly user: User
  /** Never empty: a person without a role is a viewer. */
  readonly roles: readonly Role[]
  readonly can: (action: Action, resource: Resource) => boolean
}

const whoAmIQuery = queryOptions({
  queryKey: sessionKeys.user,
  queryFn: async ({ signal }): Promise<User> => {
    return toUser(await request('/api/auth/whoami', { schema: WhoAmISchema, signal }))
  },
})

/** Roles are asked for again whenever somebody looks: a right taken away must not live on in a cache. */
const rolesQuery = (userId: string) =>
  queryOptions({
    queryKey: sessionKeys.roles(userId),
    queryFn: async ({ signal }): Promise<Role[]> => {
      const path = `/api/db/people_roles?id=in.(${encodeURIComponent(userId)})`
      const rows = await request(path, { schema: PeopleRolesSchema, signal })
      return toRoles(rows[0]?.roles ?? [])
    },
    staleTime: FRESH_MS.never,
    gcTime: 0,
  })

const SessionContext = createContext<Session | null>(null)

/** The signed-in user. Below `SessionProvider` there always is one. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('useSession outside SessionProvider')
  return session
}

interface SessionProviderProps {
  children: ReactNode
  loading: ReactNode
  failed: (error: unknown, retry: () => void) => ReactNode
}

/** Shows its children once it is known who is looking and what they may do. */
export function SessionProvider({ children, loading, failed }: SessionProviderProps): ReactNode {
  const userQuery = useQuery(whoAmIQuery)
  const user = userQuery.data
  const roleQuery = useQuery({ ...rolesQuery(user?.id ?? ''), enabled: user !== undefined })
  const roles = roleQuery.data

  const session = useMemo<Session | null>(
    () => (user && roles ? { user, roles, can: (action, resource) => can(roles, action, resource) } : null),
    [user, roles],
  )
  if (session !== null) return <SessionContext value={session}>{children}</SessionContext>

  const query = userQuery.isError ? userQuery : roleQuery
  if (query.isError) return failed(query.error, () => void query.refetch())
  return loading
}

/** Gives a session made elsewhere, for tests of single screens. */
export function FixedSession({ user, roles, children }: { user: User; roles: readonly Role[]; children: ReactNode }) {
  const session = useMemo<Session>(
    () => ({ user, roles, can: (action, resource) => can(roles, action, resource) }),
    [user, roles],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}
