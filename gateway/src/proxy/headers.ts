// Which headers cross the gateway. Everything not named here passes, because backends have headers of their own.
import type { IncomingHttpHeaders } from 'node:http'

import { pickCookies } from '../platform/cookies.ts'

/** RFC 9110, section 7.6.1, and `expect`, which was already answered here. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
]

/** Set by the gateway, or able to make the backend believe something about the caller that only we may say. */
const REPLACED_IN_REQUESTS = new Set([
  ...HOP_BY_HOP,
  'host',
  'content-length',
  'cookie',
  'authorization',
  'forwarded',
  'x-real-ip',
  'x-scheme',
  'x-forwarded-scheme',
])
/** What the gateway tells its own backend: whom it speaks for. */
const OWN_PREFIX = 'x-watchroom-'

/** What the gateway says itself, or what tells more about the backend than a browser needs. */
const DROPPED_FROM_ANSWERS = new Set([
  ...HOP_BY_HOP,
  'server',
  'x-powered-by',
  'date',
  'via',
  'www-authenticate',
  'set-cookie',
  'content-security-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'permissions-policy',
  'x-request-id',
])

/** Who asks, as the gateway knows it. */
export interface Caller {
  readonly headers: IncomingHttpHeaders
  readonly address: string
  readonly host: string
  readonly protocol: string
  readonly requestId: string
}

export interface RequestHeaderRules {
  /** Cookies that travel on. */
  readonly isCookieWanted: (name: string) => boolean
  /** `Authorization` headers that travel on: Basic is a person's, the others belong to paths with credentials of their own. */
  readonly authorization: 'basic' | 'any' | 'none'
  /** A program's session, however it was sent: backends read it in one header only. */
  readonly sessionToken?: string | undefined
}

/** Headers for the backend. */
export function toBackendHeaders(caller: Caller, rules: RequestHeaderRules): Record<string, string | string[]> {
  const headers = copyHeaders(
    caller.headers,
    (name) => !REPLACED_IN_REQUESTS.has(name) && !name.startsWith('x-forwarded-') && !name.startsWith(OWN_PREFIX),
  )
  const cookie = pickCookies(caller.headers.cookie, rules.isCookieWanted)
  if (cookie !== undefined) headers.cookie = cookie
  const { authorization } = caller.headers
  if (authorization !== undefined && isAuthorizationKept(authorization, rules)) headers.authorization = authorization
  return {
    ...headers,
    ...(rules.sessionToken === undefined ? {} : { 'x-session-token': rules.sessionToken }),
    'x-forwarded-for': caller.address,
    'x-forwarded-host': caller.host,
    'x-forwarded-proto': caller.protocol,
    // The backend tells the identity service its scheme from this one and assumes https without it.
    'x-forwarded-scheme': caller.protocol,
    'x-request-id': caller.requestId,
  }
}

const isAuthorizationKept = (authorization: string, rules: RequestHeaderRules): boolean =>
  rules.authorization === 'any' || (rules.authorization === 'basic' && /^basic /i.test(authorization))

/** Headers for the browser. */
export function toClientHeaders(
  headers: IncomingHttpHeaders,
  rules: { keepCookies: boolean },
): Record<string, string | string[]> {
  const copied = copyHeaders(
    headers,
    (name) => !DROPPED_FROM_ANSWERS.has(name) && !name.startsWith('access-control-') && !name.startsWith('x-rbac-'),
  )
  const cookies = headers['set-cookie']
  if (rules.keepCookies && cookies !== undefined) copied['set-cookie'] = cookies
  return { 'cache-control': 'no-store', ...copied }
}

/** `connection` may name further headers that end here. */
function copyHeaders(
  headers: IncomingHttpHeaders,
  isKept: (name: string) => boolean,
): Record<string, string | string[]> {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  const copy: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !named.has(name) && isKept(name)) copy[name] = value
  }
  return copy
}
