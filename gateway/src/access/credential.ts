import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

import { SESSION_COOKIE } from '@watchroom/shared/identity'

import { pickCookies } from '../platform/cookies.ts'

/** What a request proves its caller with. */
export interface Credential {
  /** `session` is known to the identity service, `basic` (e-mail or token) to the backend's own sign-in. */
  readonly kind: 'session' | 'basic'
  /** Exactly the headers that carry it onwards. */
  readonly headers: Readonly<Record<string, string>>
  /** Names the credential in memory without holding it. */
  readonly key: string
}

/** A header first, because a script that sends one means it; the browser adds the cookie by itself. */
export function readCredential(headers: IncomingHttpHeaders): Credential | null {
  const token = readSessionToken(headers)
  if (token !== undefined) return toCredential('session', 'x-session-token', token)
  if (headers.authorization !== undefined && /^basic /i.test(headers.authorization)) {
    return toCredential('basic', 'authorization', headers.authorization)
  }
  const cookie = readSessionCookie(headers)
  return cookie === undefined ? null : toCredential('session', 'cookie', cookie)
}

/**
 * The session of a program, in whichever of the two headers it came; `X-Session-Token` is the one that every backend reads.
 * A bearer counts only without a cookie, as in the identity service: a proxy in front may put one of its own on every request.
 */
export function readSessionToken(headers: IncomingHttpHeaders): string | undefined {
  const token = headers['x-session-token']
  if (typeof token === 'string' && token !== '') return token
  if (readSessionCookie(headers) !== undefined) return undefined
  return /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

const readSessionCookie = (headers: IncomingHttpHeaders): string | undefined =>
  pickCookies(headers.cookie, (name) => name === SESSION_COOKIE)

function toCredential(kind: Credential['kind'], header: string, value: string): Credential {
  return {
    kind,
    headers: { [header]: value },
    key: createHash('sha256').update(`${header}\n${value}`).digest('base64url'),
  }
}
