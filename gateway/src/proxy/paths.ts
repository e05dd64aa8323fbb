/** Where browsers find the backend. */
export const API_PREFIX = '/api'
/** Agents of the real product are given the address alone and know no prefix. */
export const AGENT_PREFIX = '/upstream'
/** Where they push a topology. */
export const TOPOLOGY_PATH = '/push/topology'

/** Separators and dots in disguise: a server behind us may read them after we checked the plain path. */
const DISGUISED = /%2f|%5c|%00|\\/i
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i

export interface BackendPath {
  /** Without query, as the route table knows it. */
  readonly path: string
  /** With `?`, or empty; never touched, because the backend's filters depend on the exact text. */
  readonly query: string
}

/**
 * The backend's path for a path under `/api`.
 *
 * @param url path and query as they came over the wire
 * @returns null when the path is not one that a browser would send
 */
export function toBackendPath(url: string): BackendPath | null {
  const start = url.indexOf('?')
  const full = start === -1 ? url : url.slice(0, start)
  const query = start === -1 ? '' : url.slice(start)
  if (full.includes('//') || DISGUISED.test(full) || DOT_SEGMENT.test(full)) return null
  if (full.startsWith(`${AGENT_PREFIX}/`) || full === TOPOLOGY_PATH) return { path: full, query }
  if (!full.startsWith(`${API_PREFIX}/`)) return null
  const path = full.slice(API_PREFIX.length)
  return { path: path.replace(/^\/\.ory(?=\/|$)/, '/kratos'), query }
}

/** Paths of the identity service: its bodies and cookies pass through untouched. */
export const isIdentityPath = (path: string): boolean => path.startsWith('/kratos/')
