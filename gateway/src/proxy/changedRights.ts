import type { AccessChange } from '../access/contract.ts'

/** Whose rights a successful call has changed, as far as its path tells; null when nobody's. */
export function changedRights(method: string, path: string): AccessChange | null {
  const person = /^\/(?:rbac\/([^/]+)\/update_role|auth\/([^/]+)\/update_state)$/.exec(path)
  if (person && method === 'POST') return { userId: person[1] ?? person[2] ?? '' }
  const ended = /^\/auth\/([^/]+)\/sessions$/.exec(path)
  if (ended?.[1] !== undefined && method === 'DELETE') return { userId: ended[1] }
  if (path === '/people/update' && method === 'POST') return 'all'
  const removed = /^\/people\/([^/]+)$/.exec(path)
  if (removed?.[1] !== undefined && method === 'DELETE') return { userId: removed[1] }
  return path === '/db/people' && method !== 'GET' && method !== 'HEAD' ? 'all' : null
}
