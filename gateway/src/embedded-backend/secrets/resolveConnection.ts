// A check that names a connection: its address and credentials come from there, at the moment of the run. Whoever writes a
// check may name any connection, so the credentials go only to the connection's own address, and how safely is the
// connection's word, too.
import type { AnyCheckSpec } from '@watchroom/shared/health/check-types'
import { CONNECTION_REFERENCE, failed, ok, type Result } from '@watchroom/shared/kernel'

/** A row of `connections` with its secrets in place. */
export interface OpenConnection {
  readonly url: string | null
  readonly username: string | null
  readonly password: string | null
  readonly certificate: string | null
  readonly properties: ReadonlyMap<string, unknown>
  readonly insecureTls: boolean
}

const PARAMETER = /\$\((url|username|password|certificate|properties\.[\w.-]+)\)/g
const MISSING = 'connection: it has no address'
const FOREIGN = 'url: this is not the address of the connection, and its credentials go nowhere else'

/** Namespace and name; null when the text names no connection. */
export function tryParseConnection(text: string | undefined): { namespace: string; name: string } | null {
  const match = CONNECTION_REFERENCE.exec(text ?? '')
  return match?.[2] === undefined ? null : { namespace: match[1] ?? 'default', name: match[2] }
}

/** @returns the definition as the runner takes it, or what is wrong, in words for its author */
export function resolveConnection(check: AnyCheckSpec, connection: OpenConnection): Result<AnyCheckSpec, string> {
  if (check.type === 'http') return resolveHttp(check, connection)
  if (check.type === 'postgres') return resolvePostgres(check, connection)
  return check.type === 'redis' ? resolveRedis(check, connection) : ok(check)
}

type Check<Type extends AnyCheckSpec['type']> = Extract<AnyCheckSpec, { type: Type }>

function resolveHttp({ spec }: Check<'http'>, connection: OpenConnection): Result<AnyCheckSpec, string> {
  const own = tryParseUrl(fillParameters(connection.url ?? '', connection, encodeURIComponent))
  if (own === null) return failed(MISSING)
  const { connection: _, insecureSkipVerify: __, ...rest } = spec
  const url =
    spec.url === undefined ? new URL(own) : tryParseUrl(fillParameters(spec.url, connection, encodeURIComponent))
  if (url === null || url.origin !== own.origin) return failed(FOREIGN)
  // Another name at the same address may be someone else's.
  const elsewhere = spec.headers?.find(({ name }) =>
    /^(?:host|forwarded|x-forwarded-host|x-original-url|x-rewrite-url)$/i.test(name),
  )
  if (elsewhere) return failed(`headers.${elsewhere.name}: not together with a connection`)
  url.username = ''
  url.password = ''
  const headers = spec.headers?.map((header) =>
    'value' in header ? { ...header, value: fillParameters(header.value, connection) } : header,
  )
  const username = connection.username ?? textOf(spec.username, connection) ?? decode(own.username)
  const password = connection.password ?? textOf(spec.password, connection) ?? decode(own.password)
  return ok({
    type: 'http',
    spec: {
      ...rest,
      url: url.href,
      ...(headers && { headers }),
      ...(spec.body !== undefined && { body: fillParameters(spec.body, connection) }),
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(connection.insecureTls && { insecureSkipVerify: true }),
    },
  })
}

function resolvePostgres({ spec }: Check<'postgres'>, connection: OpenConnection): Result<AnyCheckSpec, string> {
  const url = fillParameters(connection.url ?? '', connection, encodeURIComponent)
  if (!/^postgres(?:ql)?:\/\//.test(url)) return failed(MISSING)
  const { connection: _, ...rest } = spec
  return ok({ type: 'postgres', spec: { ...rest, url, ...signIn(connection) } })
}

function resolveRedis({ spec }: Check<'redis'>, connection: OpenConnection): Result<AnyCheckSpec, string> {
  const text = fillParameters(connection.url ?? '', connection, encodeURIComponent)
  const url = tryParseUrl(text.includes('://') ? text : `redis://${text}`)
  if (url === null || url.hostname === '') return failed(MISSING)
  const { connection: _, tls: __, insecureSkipVerify: ___, ...rest } = spec
  const username = decode(url.username)
  const password = decode(url.password)
  return ok({
    type: 'redis',
    spec: {
      ...rest,
      addr: `${url.hostname}:${url.port === '' ? '6379' : url.port}`,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...signIn(connection),
      ...(url.protocol === 'rediss:' && { tls: true }),
      ...(connection.insecureTls && { insecureSkipVerify: true }),
    },
  })
}

function signIn({ username, password }: OpenConnection): { username?: string; password?: string } {
  return { ...(username !== null && { username }), ...(password !== null && { password }) }
}

/** References are for other runners: `findObstacles` says so. */
function textOf(value: unknown, connection: OpenConnection): string | undefined {
  return typeof value === 'string' ? fillParameters(value, connection) : undefined
}

type Parameters = Omit<OpenConnection, 'insecureTls'>

/** `$(password)` and its kind; what the connection does not have stays as it is written. */
export function fillParameters(
  text: string,
  connection: Parameters,
  encode: (value: string) => string = (value) => value,
): string {
  return text.replaceAll(PARAMETER, (written, name: string) => {
    if (name === 'url') return connection.url?.replaceAll('$(url)', '') ?? written
    const value = name.startsWith('properties.')
      ? connection.properties.get(name.slice('properties.'.length))
      : connection[name as 'username' | 'password' | 'certificate']
    return typeof value === 'string' || typeof value === 'number' ? encode(String(value)) : written
  })
}

function tryParseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

function decode(text: string): string | undefined {
  if (text === '') return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray percent sign: it is what is written.
    return text
  }
}
