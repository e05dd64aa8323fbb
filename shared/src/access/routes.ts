// Which right opens which path of the backend. Paths are the backend's own, without the gateway's `/api`.
// Knows nothing of HTTP servers: the gateway's proxy asks `findRoute` and refuses what it does not find.

import { can } from './matrix.ts'
import type { Action, Resource, Role } from './roles.ts'
import { TABLE_ACCESS } from './tables.ts'

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * `public`: no session, the path has credentials of its own. `signed-in`: any session. A permission: read or write on a
 * resource. `roles`: where the matrix of the first specification has no resource. `nobody`: exists, but not for callers.
 */
export type RouteAccess =
  | 'public'
  | 'signed-in'
  | 'nobody'
  | { readonly action: Action; readonly resource: Resource }
  | { readonly roles: readonly Role[] }

export interface RouteRule {
  /** `ANY` stands for all of `RouteMethod`. HEAD counts as GET. */
  readonly method: RouteMethod | 'ANY'
  /** `{name}` is one segment, a final `*` one or more. */
  readonly path: string
  readonly access: RouteAccess
  /** Runs somebody's playbook or test: may take minutes. */
  readonly isLong?: true
  /** The answer need not be JSON: a file, text of a foreign service. */
  readonly isFile?: true
  /** For programs with a token of their own: it goes on as it is, also where people do not sign in. */
  readonly isForAgents?: true
}

const read = (resource: Resource): RouteAccess => ({ action: 'read', resource })
const write = (resource: Resource): RouteAccess => ({ action: 'write', resource })
const ADMIN_ONLY: RouteAccess = { roles: ['admin'] }
/** First specification, section 6: running a check is more than looking and less than editing it. */
const MAY_RUN_CHECKS: RouteAccess = { roles: ['admin', 'editor', 'commander', 'responder'] }

/** Routes of the backend other than `/db/{name}`, most specific first: the first rule whose method and path match decides. */
export const ROUTE_ACCESS: readonly RouteRule[] = [
  { method: 'GET', path: '/health', access: 'public', isFile: true },
  { method: 'GET', path: '/metrics', access: ADMIN_ONLY, isFile: true },
  { method: 'GET', path: '/properties', access: 'signed-in' },
  { method: 'GET', path: '/schemas/*', access: 'signed-in' },
  { method: 'POST', path: '/resources/search', access: read('database') },

  // Identity. The identity service's own flows protect themselves; everything about other people is `identities` or `rbac`.
  { method: 'ANY', path: '/kratos/*', access: 'public', isFile: true },
  { method: 'GET', path: '/auth/whoami', access: 'signed-in' },
  { method: 'POST', path: '/auth/invite_user', access: write('identities') },
  { method: 'POST', path: '/auth/{id}/update_state', access: write('identities') },
  { method: 'POST', path: '/auth/{id}/properties', access: write('identities') },
  { method: 'POST', path: '/rbac/{id}/update_role', access: write('rbac') },
  { method: 'GET', path: '/rbac/dump', access: read('rbac') },
  { method: 'POST', path: '/people/update', access: write('identities') },
  { method: 'DELETE', path: '/people/{id}', access: write('identities') },

  // Checks
  { method: 'POST', path: '/canary/webhook/*', access: 'public' },
  { method: 'GET', path: '/canary/about', access: 'signed-in' },
  { method: 'GET', path: '/canary/health', access: 'signed-in', isFile: true },
  { method: 'POST', path: '/canary/api/summary', access: read('canaries') },
  { method: 'POST', path: '/canary/run/check/{id}', access: MAY_RUN_CHECKS, isLong: true },
  { method: 'POST', path: '/canary/run/topology/{id}', access: write('topologies'), isLong: true },
  { method: 'GET', path: '/canary/api/topology', access: read('topologies') },
  { method: 'GET', path: '/canary/*', access: read('canaries') },
  { method: 'ANY', path: '/canary/*', access: write('canaries') },

  // Agents bring an identity of their own; the backend decides what it may push.
  { method: 'POST', path: '/agent/generate', access: write('agents') },
  { method: 'ANY', path: '/upstream/*', access: 'signed-in', isForAgents: true },
  { method: 'POST', path: '/push/topology', access: 'signed-in', isForAgents: true },

  // Catalog, logs, connections, notifications
  { method: 'POST', path: '/catalog/summary', access: read('database') },
  { method: 'POST', path: '/catalog/changes', access: read('database') },
  { method: 'GET', path: '/catalog/changes', access: read('database') },
  { method: 'POST', path: '/logs', access: read('database') },
  { method: 'POST', path: '/connection/test/{id}', access: write('connections'), isLong: true },
  { method: 'POST', path: '/notification/silence', access: write('notifications') },
  { method: 'GET', path: '/notification/events', access: read('notifications') },

  // Playbooks
  { method: 'POST', path: '/playbook/webhook/*', access: 'public', isLong: true },
  { method: 'GET', path: '/playbook/list', access: read('playbooks') },
  { method: 'GET', path: '/playbook/events', access: read('playbooks') },
  { method: 'POST', path: '/playbook/run', access: write('playbook_runs'), isLong: true },
  { method: 'GET', path: '/playbook/run/{id}', access: read('playbook_runs') },
  { method: 'POST', path: '/playbook/run/approve/{playbookId}/{runId}', access: write('playbook_runs'), isLong: true },
  { method: 'POST', path: '/playbook/{id}/params', access: write('playbook_runs') },

  // Files
  { method: 'GET', path: '/snapshot/topology/{id}', access: read('topologies'), isLong: true, isFile: true },
  { method: 'GET', path: '/snapshot/incident/{id}', access: read('incident'), isLong: true, isFile: true },
  { method: 'GET', path: '/snapshot/config/{id}', access: read('database'), isLong: true, isFile: true },
  { method: 'GET', path: '/artifacts/list/*', access: ADMIN_ONLY },
  { method: 'GET', path: '/artifacts/download/{id}', access: ADMIN_ONLY, isFile: true },
  { method: 'GET', path: '/kubeconfig', access: write('database'), isFile: true },
  { method: 'ANY', path: '/kubeproxy/*', access: write('database'), isFile: true },

  // Services behind the backend, for administrators
  { method: 'ANY', path: '/config/*', access: ADMIN_ONLY },
  { method: 'ANY', path: '/apm/*', access: ADMIN_ONLY },
  { method: 'ANY', path: '/debug/*', access: ADMIN_ONLY, isFile: true },
]

export type RouteMatch =
  | { readonly kind: 'found'; readonly rule: RouteRule }
  /** The path exists, the method does not. */
  | { readonly kind: 'wrong-method' }
  | { readonly kind: 'unknown' }

/**
 * The rule for a call of the backend.
 *
 * @param path without query; encoded characters are compared as they are, so an encoded name is unknown
 */
export function findRoute(method: string, path: string): RouteMatch {
  const effective = method === 'HEAD' ? 'GET' : method
  if (path.startsWith('/db/')) return findTable(effective, path.slice('/db/'.length))
  const matches = COMPILED.filter((route) => route.pattern.test(path))
  const found = matches.find(
    ({ rule }) => rule.method === effective || (rule.method === 'ANY' && isRouteMethod(effective)),
  )
  if (found) return { kind: 'found', rule: found.rule }
  return { kind: matches.length > 0 ? 'wrong-method' : 'unknown' }
}

/** Whether somebody with these roles may use a route. Callers handle `public` and the missing session themselves. */
export function mayUseRoute(access: RouteAccess, roles: readonly Role[]): boolean {
  if (access === 'public' || access === 'signed-in') return true
  if (access === 'nobody') return false
  if ('roles' in access) return access.roles.some((role) => roles.includes(role))
  return can(roles, access.action, access.resource)
}

/** First specification, section 6. One question for the button and for the gateway. */
export const mayRunChecks = (roles: readonly Role[]): boolean => mayUseRoute(MAY_RUN_CHECKS, roles)

const ROUTE_METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies RouteMethod[]
const isRouteMethod = (method: string): method is RouteMethod => ROUTE_METHODS.includes(method)

const COMPILED = ROUTE_ACCESS.map((rule) => ({ rule, pattern: compile(rule.path) }))

function compile(path: string): RegExp {
  const source = path
    .replaceAll(/[.+?^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\{\w+\}/g, '[^/]+')
    .replace(/\*$/, '.+')
  return new RegExp(`^${source}$`)
}

/** A function is called with GET or POST alike and needs `read`: what it touches is decided by its own grants. */
function findTable(method: string, name: string): RouteMatch {
  const rule = Object.hasOwn(TABLE_ACCESS, name) ? TABLE_ACCESS[name] : undefined
  if (!rule) return { kind: 'unknown' }
  if (!isRouteMethod(method)) return { kind: 'wrong-method' }
  const isFunction = name.startsWith('rpc/')
  if (isFunction && method !== 'GET' && method !== 'POST') return { kind: 'wrong-method' }
  const action: Action = method === 'GET' || isFunction ? 'read' : 'write'
  const resource = rule[action]
  return {
    kind: 'found',
    rule: { method, path: `/db/${name}`, access: resource === 'nobody' ? 'nobody' : { action, resource } },
  }
}
