// Which schemas of code parameters are read. Pure.

const SCHEMA = /^(?:\/api)?(\/schemas\/[\w.-]+\.json)$/

/**
 * The URL of a parameter's schema: only schemas of this server. The author of a playbook must not choose which servers other people's
 * browsers contact.
 *
 * @returns null for any other address
 */
export function toSchemaPath(address: string, origin: string): string | null {
  if (!URL.canParse(address, origin)) return null
  const url = new URL(address, origin)
  const path = SCHEMA.exec(url.pathname)?.[1]
  return url.origin === origin && path !== undefined ? `/api${path}` : null
}
