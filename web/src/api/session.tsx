import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import {
  type Action,
  can,
  isPermitted,
  type Permission,
  type PolicyObject,
  type Resource,
  type Role,
  toRoles,
} from '@watchroom/shared/access'
import { PeopleRolesSchema, toUser, type User, WhoAmISchema } from '@watchroom/shared/identity'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { createContext, type ReactNode, useContext, useMemo } from 'react'

import { sessionKeys } from './queryKeys.ts'
import { request } from './request.ts'

export interface Session {
  readonly user: User
  /** Never empty: a person without a role is a viewer. */
  readonly roles: readonly Role[]
  /** @param object the object in another backend's policy, where that backend protects this part separately */
  readonly can: (action: Action, resource: Resource, object?: PolicyObject) => boolean
}

const askWhoAmI = async ({ signal }: { signal: AbortSignal }, unauthorized?: 'caller'): Promise<Caller> => {
  const answer = await request('/api/auth/whoami', {
    schema: WhoAmISchema,
    signal,
    ...(unauthorized ? { unauthorized } : {}),
  })
  return { user: toUser(answer), permissions: 'user' in answer.payload ? answer.payload.permissions : undefined }
}

const whoAmIQuery = queryOptions({ queryKey: sessionKeys.user, queryFn: (context) => askWhoAmI(context) })

interface Caller {
  readonly user: User
  /** Where the backend lists them. */
  readonly permissions: readonly Permission[] | undefined
}

interface Granted {
  readonly roles: readonly Role[]
  /** Empty if the backend knows only the address of the user of this browser. */
  readonly name: string
}

/** Longer than a page takes to start: an answer requested meanwhile is used, not requested again. */
const EARLY_FOR_MS = 5_000

/** Later readers ask for roles again: a revoked right must not live on in a cache. */
const rolesQuery = (userId: string) =>
  queryOptions({
    queryKey: sessionKeys.roles(userId),
    queryFn: async ({ signal }): Promise<Granted> => {
      const path = `/api/db/people_roles?id=in.(${encodeURIComponent(userId)})`
      const rows = await request(path, { schema: PeopleRolesSchema, signal })
      return { roles: toRoles(rows[0]?.roles ?? []), name: rows[0]?.name?.trim() ?? '' }
    },
    staleTime: EARLY_FOR_MS,
    gcTime: 0,
  })

/**
 * Requests what `SessionProvider` will need while the page is still loading its parts. Silent when it fails: the provider asks again.
 *
 * @param onSession called when a session was found, before its roles are known; failures in it are reported by the page itself
 */
export async function askSessionEarly(client: QueryClient, onSession: () => Promise<void>): Promise<void> {
  try {
    const { user } = await client.fetchQuery({ ...whoAmIQuery, queryFn: (context) => askWhoAmI(context, 'caller') })
    await Promise.all([onSession(), client.prefetchQuery({ ...rolesQuery(user.id), gcTime: EARLY_FOR_MS })])
  } catch {
    // Without a session, the provider leads to the sign-in.
  }
}

/** Nobody signs in to the standalone health product: everyone there is this one person. */
export const isStandalone = ({ id }: User): boolean => id === NIL_UUID

/** Whether there are sessions that could end, according to the first answer about the person, or its refusal. */
export async function hasSessions(queryClient: QueryClient): Promise<boolean> {
  const caller = await queryClient.ensureQueryData(whoAmIQuery).catch(() => null)
  return caller === null || !isStandalone(caller.user)
}

const SessionContext = createContext<Session | null>(null)

/** The signed-in user. Below `SessionProvider` there always is one. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('useSession outside SessionProvider')
  return session
}

/** Roles and the backend's own policy: each can only narrow what the other allows. */
const toSession = (user: User, roles: readonly Role[], permissions: readonly Permission[] | undefined): Session => ({
  user,
  roles,
  can: (action, resource, object) => can(roles, action, resource) && isPermitted(permissions, action, resource, object),
})

interface SessionProviderProps {
  children: ReactNode
  loading: ReactNode
  /** `caller`: the user, if that much is known. */
  failed: (error: unknown, retry: () => void, caller?: User) => ReactNode
}

/** Shows its children once it is known who is looking and what they may do. */
export function SessionProvider({ children, loading, failed }: SessionProviderProps): ReactNode {
  const userQuery = useQuery(whoAmIQuery)
  const caller = userQuery.data
  const roleQuery = useQuery({ ...rolesQuery(caller?.user.id ?? ''), enabled: caller !== undefined })
  const granted = roleQuery.data

  const session = useMemo<Session | null>(() => {
    if (!caller || !granted) return null
    const { user, permissions } = caller
    return toSession({ ...user, name: user.name || granted.name }, granted.roles, permissions)
  }, [caller, granted])
  if (session !== null) return <SessionContext value={session}>{children}</SessionContext>

  const query = userQuery.isError ? userQuery : roleQuery
  if (query.isError) return failed(query.error, () => void query.refetch(), caller?.user)
  return loading
}

interface FixedSessionProps {
  user: User
  roles: readonly Role[]
  /** As listed by a backend with a policy of its own. */
  permissions?: readonly Permission[]
  children: ReactNode
}

/** Provides a given session, for tests of single screens. */
export function FixedSession({ user, roles, permissions, children }: FixedSessionProps) {
  const session = useMemo(() => toSession(user, roles, permissions), [user, roles, permissions])
  return <SessionContext value={session}>{children}</SessionContext>
}
