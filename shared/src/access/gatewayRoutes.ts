// The gateway's own routes beside the backend's: which right opens which. A route that is not here is not registered.

import type { RouteRule } from './routes.ts'

/** Whoever gives a screen without an account a way in decides what leaves the room. */
const LINKS: RouteRule['access'] = { roles: ['admin'] }

export const GATEWAY_ROUTES = {
  /** Build of the web client, so that a page left open for weeks notices a newer one. */
  release: { method: 'GET', path: '/gateway/release', access: 'public' },

  listBoards: { method: 'GET', path: '/gateway/wall/boards', access: { action: 'read', resource: 'canaries' } },
  createBoard: { method: 'POST', path: '/gateway/wall/boards', access: { action: 'write', resource: 'canaries' } },
  changeBoard: { method: 'PUT', path: '/gateway/wall/boards/{id}', access: { action: 'write', resource: 'canaries' } },
  removeBoard: {
    method: 'DELETE',
    path: '/gateway/wall/boards/{id}',
    access: { action: 'write', resource: 'canaries' },
  },
  listLinks: { method: 'GET', path: '/gateway/wall/links', access: LINKS },
  createLink: { method: 'POST', path: '/gateway/wall/boards/{id}/links', access: LINKS },
  withdrawLink: { method: 'DELETE', path: '/gateway/wall/links/{id}', access: LINKS },

  // The token, then the screen's own cookie, is the credential of these.
  enterDevice: { method: 'POST', path: '/gateway/wall/device', access: 'public' },
  readDevice: { method: 'GET', path: '/gateway/wall/device', access: 'public' },
} as const satisfies Record<string, RouteRule>

export type GatewayRoute = keyof typeof GATEWAY_ROUTES
