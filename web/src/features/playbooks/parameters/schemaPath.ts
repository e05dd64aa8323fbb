// Which schemas of code parameters are read. Pure.

const SCHEMA = /^(?:\/api)?(\/schemas\/[\w.-]+\.json)$/

/**
 * Where the schema of a parameter is read: only from those that this server offers. Whoever saves a playbook does not choose whom the
 * browsers of others ask.
 *
 * @returns null for any other address
 */
export function toSchemaPath(address: string, origin: string): string | null {
  if (!URL.canParse(address, origin)) return null
  const url = new URL(address, origin)
  const path = SCHEMA.exec(url.pathname)?.[1]
  return url.origin === origin && path !== undefined ? `/api${path}` : null
}
