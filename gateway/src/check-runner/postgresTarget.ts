// Where a postgres check connects to, read here and not by the driver: the driver reads files that an address names, and
// fills what is missing from the environment and the home directory of this process.
import { failed, ok, type Result } from '@watchroom/shared/kernel'
import type { ClientConfig } from 'pg'

export type PostgresTarget = Pick<Required<ClientConfig>, 'user' | 'database' | 'ssl'> & {
  host: string
  port: number
  /** A function, so that the driver looks for no other. */
  password: () => string
}

const DEFAULT_PORT = 5_432
/** `verify-*` and `require` check the certificate, as the driver does. */
const SSL_MODES = new Map<string, PostgresTarget['ssl']>([
  ['disable', false],
  ['no-verify', { rejectUnauthorized: false }],
  ['prefer', true],
  ['require', true],
  ['verify-ca', true],
  ['verify-full', true],
])
/** Parameters that many addresses carry and that are ignored: the check has its own name and deadline. */
const IGNORED: ReadonlySet<string> = new Set(['application_name', 'connect_timeout'])

/** @returns why the address is refused, without quoting a value of it */
export function readPostgresTarget(
  address: string,
  given: { username?: string | undefined; password?: string | undefined },
): Result<PostgresTarget, string> {
  if (!URL.canParse(address)) return failed('the connection URL cannot be read')
  const url = new URL(address)
  const host = tryDecode(url.hostname)?.replace(/^\[(.*)\]$/, '$1')
  const [user, password, database] = [url.username, url.password, url.pathname.slice(1)].map(tryDecode)
  if (host === undefined || user === undefined || password === undefined || database === undefined)
    return failed('the connection URL cannot be read')
  if (host === '' || host.includes('/'))
    return failed('the connection URL needs a host: sockets of this machine are refused')
  let ssl: PostgresTarget['ssl'] = false
  for (const [name, value] of url.searchParams) {
    if (IGNORED.has(name)) continue
    if (name !== 'sslmode') return failed(`the connection URL has the parameter ${name}; only sslmode is allowed`)
    const mode = SSL_MODES.get(value)
    if (mode === undefined) return failed(`sslmode is not one of ${[...SSL_MODES.keys()].join(', ')}`)
    ssl = mode
  }
  const name = given.username ?? (user || 'postgres')
  return ok({
    host,
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    user: name,
    database: database || name,
    ssl,
    password: () => given.password ?? password,
  })
}

function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
