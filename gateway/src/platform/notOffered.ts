/** Of a name that the database API does not have: PostgreSQL's own, and PostgREST's for tables and functions. */
const UNKNOWN_NAMES: ReadonlySet<unknown> = new Set(['42P01', '42883', 'PGRST205', 'PGRST202'])

/**
 * Whether a backend says that it has no such table, function or route. Any other 404 is about a row, or does not come from the backend.
 *
 * @param said its body: undefined without one, a text where it is no JSON
 */
export function isNotOffered(status: number, said: unknown): boolean {
  if (status !== 404) return false
  // A table that the real server does not know is 404 without a word, and a route that it does not have is this message alone.
  if (said === undefined) return true
  const { code, message, error } = (typeof said === 'object' ? (said ?? {}) : {}) as Readonly<Record<string, unknown>>
  return UNKNOWN_NAMES.has(code) || (message === 'Not Found' && error === undefined)
}

/** @returns undefined when the backend said nothing */
export function readSaid(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined
  } catch {
    // Not JSON is an expected outcome here: many backends answer errors with plain text.
    return text.trim() || undefined
  }
}
