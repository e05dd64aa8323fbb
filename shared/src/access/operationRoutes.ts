// Apart from the gateway's other routes: every page asks two of these when it opens, and needs to know of no other.
import { ADMIN_ONLY, type RouteRule } from './routeRule.ts'

/** For operators and their tools. */
export const OPERATION_ROUTES = {
  isAlive: { method: 'GET', path: '/healthz', access: 'public' },
  isReady: { method: 'GET', path: '/readyz', access: 'public' },
  /** Also open to a collector with the operator's token. */
  metrics: { method: 'GET', path: '/metrics', access: ADMIN_ONLY, isFile: true },
  /** Who the gateway is at the backend, and what it is not shown there. */
  readCredential: { method: 'GET', path: '/gateway/credential', access: ADMIN_ONLY },
  /** What stands behind the gateway: how its changes are heard, and what it cannot do. */
  readBackend: { method: 'GET', path: '/gateway/backend', access: 'signed-in' },
  /** Of the gateway alone; the backend's own is `/api/health`. */
  isServing: { method: 'GET', path: '/api/_health', access: 'public' },
} as const satisfies Record<string, RouteRule>
