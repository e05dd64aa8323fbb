/** Calls that change people, their roles or whether they may sign in. */
const PEOPLE =
  /^\/(?:people\/[^/]+|auth\/invite_user|auth\/[^/]+\/(?:update_state|properties)|rbac\/[^/]+\/update_role)$/

/** The table whose rows a successful call has changed, as far as its path tells. */
export function changedTable(method: string, path: string): string | null {
  if (method === 'GET' || method === 'HEAD') return null
  return /^\/db\/(\w+)$/.exec(path)?.[1] ?? (PEOPLE.test(path) ? 'people' : null)
}
