// The gateway's own routes beside the backend's: which right opens which. Each capability brings a handler for every name of
// its table; a name without one does not compile.

import { OPERATION_ROUTES } from './operationRoutes.ts'
import { ADMIN_ONLY, read, type RouteRule, write } from './routeRule.ts'

/** Whoever gives a screen without an account a way in decides what leaves the room. */
const LINKS = ADMIN_ONLY

/** The built web client. */
export const CONSOLE_ROUTES = {
  home: { method: 'GET', path: '/', access: 'public', isFile: true },
  /** Build of the web client, so that a page left open for weeks notices a newer one. */
  release: { method: 'GET', path: '/gateway/release', access: 'public' },
  /** Where the catalog once was. */
  oldCatalog: { method: 'GET', path: '/config/*', access: 'public', isFile: true },
  file: { method: 'GET', path: '/*', access: 'public', isFile: true },
} as const satisfies Record<string, RouteRule>

export const DEMO_ROUTES = {
  /** The demo's accounts, for a browser on this machine alone: the handler says who that is. */
  readDemo: { method: 'POST', path: '/gateway/demo', access: 'public' },
} as const satisfies Record<string, RouteRule>

export const WALL_ROUTES = {
  listBoards: { method: 'GET', path: '/gateway/wall/boards', access: read('canaries') },
  createBoard: { method: 'POST', path: '/gateway/wall/boards', access: write('canaries') },
  changeBoard: { method: 'PUT', path: '/gateway/wall/boards/{id}', access: write('canaries') },
  removeBoard: { method: 'DELETE', path: '/gateway/wall/boards/{id}', access: write('canaries') },
  listLinks: { method: 'GET', path: '/gateway/wall/links', access: LINKS },
  createLink: { method: 'POST', path: '/gateway/wall/boards/{id}/links', access: LINKS },
  withdrawLink: { method: 'DELETE', path: '/gateway/wall/links/{id}', access: LINKS },

  // The token, then the screen's own cookie, is the credential of these.
  enterDevice: { method: 'POST', path: '/gateway/wall/device', access: 'public' },
  readDevice: { method: 'GET', path: '/gateway/wall/device', access: 'public' },
} as const satisfies Record<string, RouteRule>

/** The topology as it was. Besides, the backend must show someone as much as it shows the gateway, which recorded it. */
export const TOPOLOGY_HISTORY_ROUTES = {
  page: { method: 'GET', path: '/gateway/topology-history/page', access: read('topologies') },
  transitions: { method: 'GET', path: '/gateway/topology-history/transitions', access: read('topologies') },
  diff: { method: 'GET', path: '/gateway/topology-history/diff', access: read('topologies') },
} as const satisfies Record<string, RouteRule>

/** What came together just now. Who is not shown all that the gateway recorded is told nothing, without a refusal. */
export const TOPOLOGY_NEWS_ROUTES = {
  bursts: { method: 'GET', path: '/gateway/topology-history/bursts', access: read('topologies') },
} as const satisfies Record<string, RouteRule>

/** Who am I, where nobody signs in: the gateway then answers these two of the backend's routes itself. */
export const STANDALONE_ROUTES = {
  whoAmI: { method: 'GET', path: '/api/auth/whoami', access: 'signed-in' },
  roles: { method: 'GET', path: '/api/db/people_roles', access: read('database') },
} as const satisfies Record<string, RouteRule>

/** Sign-in with a company's identity provider. Each protects itself: by what the provider signed, or by the session's cookie. */
export const HOSTED_ROUTES = {
  signIn: { method: 'GET', path: '/gateway/hosted/sign-in', access: 'public', isFile: true },
  callback: { method: 'GET', path: '/gateway/hosted/callback', access: 'public', isFile: true },
  signOut: { method: 'POST', path: '/gateway/hosted/sign-out', access: 'public' },
  signedOut: { method: 'GET', path: '/gateway/hosted/signed-out', access: 'public', isFile: true },
  /** The provider says that its session has ended: by itself, or in a frame of its own page. */
  backChannelLogout: { method: 'POST', path: '/gateway/hosted/back-channel-logout', access: 'public' },
  frontChannelLogout: { method: 'GET', path: '/gateway/hosted/front-channel-logout', access: 'public' },
  listOrganizations: { method: 'GET', path: '/gateway/hosted/organizations', access: 'public' },
  chooseOrganization: { method: 'POST', path: '/gateway/hosted/organization', access: 'public' },
} as const satisfies Record<string, RouteRule>

export const GATEWAY_ROUTES = {
  ...OPERATION_ROUTES,
  ...CONSOLE_ROUTES,
  ...DEMO_ROUTES,
  ...WALL_ROUTES,
  ...TOPOLOGY_HISTORY_ROUTES,
  ...TOPOLOGY_NEWS_ROUTES,
} as const
