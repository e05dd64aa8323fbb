import { parseSearch } from '../../url/searchParams.ts'

export interface Destination {
  path: string
  search: Record<string, string | string[] | undefined>
}

/** Milliseconds: two valid sessions refused within this time are a loop, not two accidents. */
const LOOP_MS = 5_000

let lastValidAt = Number.NEGATIVE_INFINITY

/**
 * Where to go after asking the identity service about the session.
 *
 * A session that is valid there and refused by the backend again and again would bounce the page for ever: the second
 * time within a few seconds leads to the bad-session page instead.
 *
 * @param status of the session lookup
 * @param nowMs monotonic
 * @returns null when the answer decides nothing
 */
export function sessionVerdict(status: number, returnTo: string, nowMs: number): Destination | null {
  switch (status) {
    case 200: {
      const isLoop = nowMs - lastValidAt < LOOP_MS
      lastValidAt = nowMs
      if (isLoop) return { path: '/error', search: { error_code: 'BAD_SESSION' } }
      const [path = '/', query = ''] = returnTo.split('?')
      return { path, search: parseSearch(query) }
    }
    case 401:
      return { path: '/login', search: { return_to: returnTo } }
    case 403:
    case 422:
      return { path: '/login', search: { aal: 'aal2', return_to: returnTo } }
    default:
      return null
  }
}
