// Which right opens which path of the backend. Paths are the backend's own, without the gateway's `/api`.
// Knows nothing of HTTP servers: the gateway's proxy asks `findRoute` and refuses what it does not find.

import { type Action, type Role, ROLES } from './roles.ts'
import { ADMIN_ONLY, mayUseRoute, read, type RouteMethod, type RouteRule, write } from './routeRule.ts'
import { TABLE_ACCESS, tableAccess } from './tables.ts'

/** First specification, section 6: running a check is more than looking and less than editing it. */
const MAY_RUN_CHECKS = { roles: ['admin', 'editor', 'commander', 'responder'] } as const

const identity = <Method extends RouteMethod, Path extends string>(method: Method, path: Path) =>
  ({ method, path: `/kratos${path}`, access: 'public', isFile: true }) as const

// What our own backend answers, by capability. Its handlers are total over these tables, under the same names.

export const SERVER_ROUTES = {
  isServing: { method: 'GET', path: '/health', access: 'public', isFile: true },
} as const satisfies Record<string, RouteRule>

export const CONNECTION_ROUTES = {
  /** Whatever was entered, saved or not. */
  tryOut: { method: 'POST', path: '/connection/test', access: write('connections'), isLong: true },
  test: { method: 'POST', path: '/connection/test/{id}', access: write('connections'), isLong: true },
} as const satisfies Record<string, RouteRule>

export const SETTINGS_ROUTES = {
  listProperties: { method: 'GET', path: '/properties', access: 'signed-in' },
} as const satisfies Record<string, RouteRule>

/** JSON Schemas of what is written as YAML, for editors. */
export const SCHEMA_ROUTES = {
  readSchema: { method: 'GET', path: '/schemas/{file}', access: 'signed-in' },
} as const satisfies Record<string, RouteRule>

/** Failed events of the queue. Its table is written by nobody. */
export const EVENT_ROUTES = {
  retry: { method: 'POST', path: '/events/retry', access: write('database') },
  drop: { method: 'POST', path: '/events/drop', access: write('database') },
} as const satisfies Record<string, RouteRule>

export const IDENTITY_ROUTES = {
  session: identity('GET', '/sessions/whoami'),
  otherSessions: identity('GET', '/sessions'),
  endOtherSessions: identity('DELETE', '/sessions'),
  endSession: identity('DELETE', '/sessions/{id}'),
  startLogout: identity('GET', '/self-service/logout/browser'),
  logout: identity('GET', '/self-service/logout'),
  logoutApi: identity('DELETE', '/self-service/logout/api'),
  useRecoveryLink: identity('GET', '/self-service/recovery'),
  useVerificationLink: identity('GET', '/self-service/verification'),
  readError: identity('GET', '/self-service/errors'),
  /** Where sign-ins elsewhere come back to. */
  returnFromProvider: identity('GET', '/self-service/methods/oidc/callback/{provider}'),
} as const satisfies Record<string, RouteRule>

const flowRoutes = (flow: string) =>
  ({
    startBrowser: identity('GET', `/self-service/${flow}/browser`),
    startApi: identity('GET', `/self-service/${flow}/api`),
    read: identity('GET', `/self-service/${flow}/flows`),
    submit: identity('POST', `/self-service/${flow}`),
  }) as const

/** The conversations that the identity service leads: each is started, read and submitted in the same way. */
export const FLOW_ROUTES = {
  login: flowRoutes('login'),
  registration: flowRoutes('registration'),
  recovery: flowRoutes('recovery'),
  verification: flowRoutes('verification'),
  settings: flowRoutes('settings'),
}
export type FlowKind = keyof typeof FLOW_ROUTES

export const ACCOUNT_ROUTES = {
  whoAmI: { method: 'GET', path: '/auth/whoami', access: 'signed-in' },
  updateState: { method: 'POST', path: '/auth/{id}/update_state', access: write('identities') },
  endSessions: { method: 'DELETE', path: '/auth/{id}/sessions', access: write('identities') },
} as const satisfies Record<string, RouteRule>

export const PEOPLE_ROUTES = {
  invite: { method: 'POST', path: '/auth/invite_user', access: write('identities') },
  inviteAgain: { method: 'POST', path: '/auth/{id}/invite', access: write('identities') },
  listSessions: { method: 'GET', path: '/auth/{id}/sessions', access: write('identities') },
  updateRole: { method: 'POST', path: '/rbac/{id}/update_role', access: write('rbac') },
  dumpPolicy: { method: 'GET', path: '/rbac/dump', access: read('rbac') },
  update: { method: 'POST', path: '/people/update', access: write('identities') },
  confirmAddress: { method: 'POST', path: '/people/{id}/confirm_address', access: write('identities') },
  updateState: { method: 'POST', path: '/people/update_state', access: write('identities') },
  remove: { method: 'DELETE', path: '/people/{id}', access: write('identities') },
} as const satisfies Record<string, RouteRule>

/** Agents have an identity and no role. */
const PEOPLE = { roles: ROLES } as const

/** Of the caller's own tokens. */
export const TOKEN_ROUTES = {
  list: { method: 'GET', path: '/auth/tokens', access: PEOPLE, isPersonal: true },
  create: { method: 'POST', path: '/auth/tokens', access: PEOPLE, isPersonal: true },
  revoke: { method: 'DELETE', path: '/auth/tokens/{id}', access: PEOPLE, isPersonal: true },
} as const satisfies Record<string, RouteRule>

export const KUBECONFIG_ROUTES = {
  download: { method: 'GET', path: '/kubeconfig', access: write('database'), isFile: true, isPersonal: true },
} as const satisfies Record<string, RouteRule>

export const MAIL_ROUTES = {
  listMails: { method: 'GET', path: '/mail/outbox', access: ADMIN_ONLY },
  retryMail: { method: 'POST', path: '/mail/outbox/{id}/retry', access: ADMIN_ONLY },
} as const satisfies Record<string, RouteRule>

export const CHECK_ROUTES = {
  about: { method: 'GET', path: '/canary/about', access: 'signed-in' },
  summary: { method: 'GET', path: '/canary/api/summary', access: read('canaries') },
  filteredSummary: { method: 'POST', path: '/canary/api/summary', access: read('canaries') },
  graph: { method: 'GET', path: '/canary/api/graph', access: read('canaries') },
  run: { method: 'POST', path: '/canary/run/check/{id}', access: MAY_RUN_CHECKS, isLong: true },
  tryOut: { method: 'POST', path: '/canary/api/try', access: write('canaries') },
} as const satisfies Record<string, RouteRule>

export const TOPOLOGY_ROUTES = {
  tree: { method: 'GET', path: '/canary/api/topology', access: read('topologies') },
} as const satisfies Record<string, RouteRule>

export const TOPOLOGY_SYNC_ROUTES = {
  run: { method: 'POST', path: '/canary/run/topology/{id}', access: write('topologies'), isLong: true },
  tryOut: { method: 'POST', path: '/canary/try/topology', access: write('topologies'), isLong: true },
} as const satisfies Record<string, RouteRule>

/** Agents bring an identity of their own; the backend decides what it may push. */
export const AGENT_ROUTES = {
  generate: { method: 'POST', path: '/agent/generate', access: write('agents') },
  ping: { method: 'GET', path: '/upstream/ping', access: 'signed-in', isForAgents: true },
  push: { method: 'POST', path: '/upstream/push', access: 'signed-in', isForAgents: true },
  /** Agents of the real product push a topology in one piece. */
  pushTopology: { method: 'POST', path: '/push/topology', access: 'signed-in', isForAgents: true },
  remove: { method: 'DELETE', path: '/upstream/push', access: 'signed-in', isForAgents: true },
  pullCanaries: { method: 'GET', path: '/upstream/canary/pull', access: 'signed-in', isForAgents: true },
  pullScrapers: { method: 'GET', path: '/upstream/scrapeconfig/pull', access: 'signed-in', isForAgents: true },
  uploadArtifact: { method: 'POST', path: '/upstream/artifacts/{id}', access: 'signed-in', isForAgents: true },
  awaitAction: {
    method: 'GET',
    path: '/upstream/playbook-action',
    access: 'signed-in',
    isForAgents: true,
    isWait: true,
  },
} as const satisfies Record<string, RouteRule>

/** Each kind that is searched also requires its own right. */
export const RESOURCE_ROUTES = {
  search: { method: 'POST', path: '/resources/search', access: read('database') },
} as const satisfies Record<string, RouteRule>

/** What is in the catalog, in groups, and what changed there. */
export const CATALOG_ROUTES = {
  summary: { method: 'POST', path: '/catalog/summary', access: read('database') },
  changes: { method: 'POST', path: '/catalog/changes', access: read('database') },
  /** The same by an address. */
  changesByAddress: { method: 'GET', path: '/catalog/changes', access: read('database') },
  /** Ours: what may have led to something. */
  whatChanged: { method: 'POST', path: '/catalog/what-changed', access: read('database') },
} as const satisfies Record<string, RouteRule>

export const PLAYBOOK_ROUTES = {
  schema: { method: 'GET', path: '/schemas/playbook-spec.schema.json', access: 'signed-in' },
  /** The playbook says how its callers prove themselves. */
  webhook: { method: 'POST', path: '/playbook/webhook/*', access: 'public', isLong: true },
  list: { method: 'GET', path: '/playbook/list', access: read('playbooks') },
  events: { method: 'GET', path: '/playbook/events', access: read('playbooks') },
  run: { method: 'POST', path: '/playbook/run', access: write('playbook_runs'), isLong: true },
  readRun: { method: 'GET', path: '/playbook/run/{id}', access: read('playbook_runs') },
  /** Two paths: consoles of different years know one of them. */
  approve: {
    method: 'POST',
    path: '/playbook/run/approve/{playbookId}/{runId}',
    access: write('playbook_runs'),
    isLong: true,
  },
  approveRun: { method: 'POST', path: '/playbook/run/approve/{runId}', access: write('playbook_runs'), isLong: true },
  /** Ours: cancel a run, run it again from the step that failed, and be one of the two who confirm a dangerous step. */
  cancel: { method: 'POST', path: '/playbook/run/cancel/{runId}', access: write('playbook_runs') },
  retry: { method: 'POST', path: '/playbook/run/retry/{runId}', access: write('playbook_runs') },
  confirm: { method: 'POST', path: '/playbook/run/confirm/{actionId}', access: write('playbook_runs') },
  params: { method: 'POST', path: '/playbook/{id}/params', access: write('playbook_runs') },
  /** A file that a step left. The real server leaves it to administrators: here it goes with what the step printed. */
  artifact: {
    method: 'GET',
    path: '/artifacts/download/{id}',
    access: read('playbook_runs'),
    isLong: true,
    isFile: true,
  },
} as const satisfies Record<string, RouteRule>

/** Ours: a run out of its rhythm, and one that writes nothing. */
export const SCRAPER_ROUTES = {
  tryOut: { method: 'POST', path: '/config/try', access: write('config_scrapers'), isLong: true },
  run: { method: 'POST', path: '/config/run/{id}', access: write('config_scrapers'), isLong: true },
} as const satisfies Record<string, RouteRule>

export const LOG_ROUTES = {
  search: { method: 'POST', path: '/logs', access: read('database') },
} as const satisfies Record<string, RouteRule>

export const NOTIFICATION_ROUTES = {
  silence: { method: 'POST', path: '/notification/silence', access: write('notifications') },
  events: { method: 'GET', path: '/notification/events', access: read('notifications') },
  /**
   * Ours: what a silence would cover, trying a rule that is being written, sending again, and why someone was told of something, or
   * not.
   */
  previewSilence: { method: 'POST', path: '/notification/silence/preview', access: write('notifications') },
  previewRule: { method: 'POST', path: '/notification/preview', access: write('notifications') },
  rehearse: { method: 'POST', path: '/notification/rehearse', access: write('notifications'), isLong: true },
  transitions: { method: 'GET', path: '/notification/transitions', access: read('notifications') },
  explain: { method: 'GET', path: '/notification/transitions/{id}', access: read('notifications') },
  resend: { method: 'POST', path: '/notification/history/{id}/resend', access: write('notifications') },
} as const satisfies Record<string, RouteRule>

export const SNAPSHOT_ROUTES = {
  topology: { method: 'GET', path: '/snapshot/topology/{id}', access: read('topologies'), isLong: true, isFile: true },
  incident: { method: 'GET', path: '/snapshot/incident/{id}', access: read('incident'), isLong: true, isFile: true },
  config: { method: 'GET', path: '/snapshot/config/{id}', access: read('database'), isLong: true, isFile: true },
} as const satisfies Record<string, RouteRule>

const of = (routes: Readonly<Record<string, RouteRule>>): RouteRule[] => Object.values(routes)

/**
 * What the identity service offers to browsers and programs: its flows and the caller's own sessions. Whatever else it serves,
 * above all its administration, is not reached through here, also where one address serves both.
 */
const IDENTITY_SERVICE: readonly RouteRule[] = [
  ...of(IDENTITY_ROUTES),
  identity('GET', '/sessions/token-exchange'),
  ...Object.values(FLOW_ROUTES).flatMap((routes) => of(routes)),
  // Links in messages.
  ...['login', 'registration', 'settings'].map((flow) => identity('GET', `/self-service/${flow}`)),
  identity('GET', '/self-service/methods/oidc/callback'),
  identity('POST', '/self-service/methods/oidc/callback/{provider}'),
  identity('GET', '/.well-known/ory/webauthn.js'),
]

/** Routes of the backend other than `/db/{name}`, most specific first: the first rule whose method and path match decides. */
export const ROUTE_ACCESS: readonly RouteRule[] = [
  ...of(SERVER_ROUTES),
  { method: 'GET', path: '/metrics', access: ADMIN_ONLY, isFile: true },
  ...of(SETTINGS_ROUTES),
  ...of(EVENT_ROUTES),
  ...of(PLAYBOOK_ROUTES),
  ...of(SCHEMA_ROUTES),
  ...of(RESOURCE_ROUTES),

  // Identity. The identity service's own flows protect themselves; everything about other people is `identities` or `rbac`.
  ...IDENTITY_SERVICE,
  ...of(ACCOUNT_ROUTES),
  ...of(TOKEN_ROUTES),
  ...of(PEOPLE_ROUTES),
  ...of(MAIL_ROUTES),
  { method: 'POST', path: '/auth/{id}/properties', access: write('identities') },

  // Checks
  ...of(CHECK_ROUTES),
  { method: 'POST', path: '/canary/webhook/*', access: 'public' },
  { method: 'GET', path: '/canary/health', access: 'signed-in', isFile: true },
  ...of(TOPOLOGY_ROUTES),
  ...of(TOPOLOGY_SYNC_ROUTES),
  { method: 'GET', path: '/canary/*', access: read('canaries') },
  { method: 'ANY', path: '/canary/*', access: write('canaries') },

  // Agents
  ...of(AGENT_ROUTES),
  { method: 'ANY', path: '/upstream/*', access: 'signed-in', isForAgents: true },

  // Catalog, logs, connections, notifications
  ...of(CATALOG_ROUTES),
  ...of(SCRAPER_ROUTES),
  ...of(LOG_ROUTES),
  ...of(CONNECTION_ROUTES),
  ...of(NOTIFICATION_ROUTES),

  // Files
  ...of(SNAPSHOT_ROUTES),
  { method: 'GET', path: '/artifacts/list/*', access: ADMIN_ONLY },
  ...of(KUBECONFIG_ROUTES),
  { method: 'ANY', path: '/kubeproxy/*', access: write('database'), isFile: true, isPersonal: true },

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
  if (!Object.hasOwn(TABLE_ACCESS, name)) return { kind: 'unknown' }
  if (!isRouteMethod(method)) return { kind: 'wrong-method' }
  const isFunction = name.startsWith('rpc/')
  if (isFunction && method !== 'GET' && method !== 'POST') return { kind: 'wrong-method' }
  const action: Action = method === 'GET' || isFunction ? 'read' : 'write'
  return { kind: 'found', rule: { method, path: `/db/${name}`, access: tableAccess(name, action) } }
}
