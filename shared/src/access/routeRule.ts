// What a rule about a route says. The tables of rules: `routes.ts` for the backend, `gatewayRoutes.ts` for the gateway itself.

import { can } from './matrix.ts'
import type { Action, Resource, Role } from './roles.ts'

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * `public`: no session, the path has credentials of its own. `signed-in`: any session. A permission: read or write on a
 * resource. `roles`: where the matrix of the first specification has no resource. `service`: the gateway itself and no person.
 * `nobody`: exists, but not for callers.
 */
export type RouteAccess =
  | 'public'
  | 'signed-in'
  | 'service'
  | 'nobody'
  | { readonly action: Action; readonly resource: Resource }
  | { readonly roles: readonly Role[] }

export interface RouteRule {
  /** `ANY` stands for all of `RouteMethod`. HEAD counts as GET. */
  readonly method: RouteMethod | 'ANY'
  /** `{name}` is one segment, a final `*` one or more. */
  readonly path: string
  readonly access: RouteAccess
  /** Starts or asks for something that may take minutes where another backend does it: it is waited for as long. */
  readonly isLong?: true
  /** The answer need not be JSON: a file, text of a foreign service. */
  readonly isFile?: true
  /** For programs with a token of their own: it goes on as it is, also where people do not sign in. */
  readonly isForAgents?: true
  /** Gives out a credential of the caller's own, or acts with one elsewhere. Where people do not sign in there is no such caller. */
  readonly isPersonal?: true
  /** Answered when there is something to say: until then it holds a connection and nothing else. */
  readonly isWait?: true
}

/** Rules of a route: who may read or write the resource may use it. */
export const read = (resource: Resource) => ({ action: 'read', resource }) as const
export const write = (resource: Resource) => ({ action: 'write', resource }) as const
export const ADMIN_ONLY = { roles: ['admin'] } as const

/**
 * Whether someone with these roles may use a route. Callers handle `public`, `service` and the missing session themselves.
 */
export function mayUseRoute(access: RouteAccess, roles: readonly Role[]): boolean {
  if (access === 'public' || access === 'signed-in') return true
  if (access === 'nobody' || access === 'service') return false
  if ('roles' in access) return access.roles.some((role) => roles.includes(role))
  return can(roles, access.action, access.resource)
}
