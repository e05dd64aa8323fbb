// The cookies of hosted mode: one for the session, and one for each sign-in that is under way.
import { createHash } from 'node:crypto'

import { SESSION_COOKIE } from '@watchroom/shared/identity'

import { pickCookies } from '../platform/cookies.ts'
import type { Attempt } from '../platform/createOpenIdClient.ts'

/** A browser takes this name only over TLS and for this host alone: no neighboring site can plant one. */
const HOST_PREFIX = '__Host-'
const SESSION = 'watchroom_session'
const ATTEMPT = 'watchroom_sign_in_'
const ORGANIZATION = 'watchroom_organization'
/** Someone may look for their second device. */
const ATTEMPT_MAX_AGE_S = 900
/** Pages that were opened at once each begin a sign-in; more of them would fill the header. */
export const MAX_ATTEMPTS = 5

export interface Cookies {
  readSession(header: string | undefined): string | null
  toSession(secret: string, maxAgeS: number): string
  readAttempt(header: string | undefined, state: string): (Attempt & { readonly returnTo: string }) | null
  /** Names of sign-ins under way. */
  attemptNames(header: string | undefined): string[]
  toAttempt(attempt: Attempt, returnTo: string): string
  /** Of which organization pages are that are loaded from now on: the one cookie that a page reads. */
  toOrganization(id: string | null, maxAgeS: number): string
  clear(name: string): string
  clearSession(): string
  attemptName(state: string): string
}

/** @param isSecure whether people open the gateway over TLS */
export function createCookies(isSecure: boolean): Cookies {
  const prefix = isSecure ? HOST_PREFIX : ''
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const write = (name: string, value: string, maxAgeS: number): string =>
    `${name}=${value}; Max-Age=${maxAgeS}; ${attributes}`
  const sessionName = prefix + SESSION
  const attemptName = (state: string): string => `${prefix}${ATTEMPT}${state.slice(0, 16)}`

  return {
    attemptName,
    readSession: (header) => readValue(header, sessionName),
    toSession: (secret, maxAgeS) => write(sessionName, secret, maxAgeS),
    toAttempt: ({ state, nonce, codeVerifier }, returnTo) =>
      write(
        attemptName(state),
        [state, nonce, codeVerifier, Buffer.from(returnTo).toString('base64url')].join('.'),
        ATTEMPT_MAX_AGE_S,
      ),
    readAttempt: (header, given) => {
      const [state, nonce, codeVerifier, returnTo] = readValue(header, attemptName(given))?.split('.') ?? []
      if (state !== given || !nonce || !codeVerifier || returnTo === undefined) return null
      return { state, nonce, codeVerifier, returnTo: Buffer.from(returnTo, 'base64url').toString('utf8') }
    },
    attemptNames: (header) =>
      (pickCookies(header, (name) => name.startsWith(prefix + ATTEMPT)) ?? '')
        .split('; ')
        .map((pair) => pair.split('=', 1)[0] ?? '')
        .filter((name) => name !== ''),
    toOrganization: (id, maxAgeS) =>
      `${ORGANIZATION}=${id === null ? '' : toTag(id)}; Max-Age=${id === null ? 0 : maxAgeS}; Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`,
    clear: (name) => write(name, '', 0),
    clearSession: () => write(sessionName, '', 0),
  }
}

/** An organization's id in a form that fits into cookies, headers and addresses. */
export const toTag = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 16)

/** One alone: of two with the same name, one was planted by another path or host. */
function readValue(header: string | undefined, name: string): string | null {
  const pairs = pickCookies(header, (one) => one === name)?.split('; ') ?? []
  const value = pairs.length === 1 ? pairs[0]?.slice(name.length + 1) : undefined
  return value === undefined || !/^[\w.~-]{1,4000}$/.test(value) ? null : value
}

/** The header as the rest of the gateway reads it: what callers send under the inner name never arrives. */
export function toInnerCookies(header: string | undefined, secret: string | null): string | undefined {
  const others = pickCookies(
    header,
    (name) => name !== SESSION_COOKIE && !name.startsWith(SESSION) && !name.startsWith(HOST_PREFIX),
  )
  return (
    [...(secret === null ? [] : [toSessionCookie(secret)]), ...(others === undefined ? [] : [others])].join('; ') ||
    undefined
  )
}

/** A session as the rest of the gateway knows it. */
export const toSessionCookie = (secret: string): string => `${SESSION_COOKIE}=${secret}`

/** Whose session a request of the gateway itself carries. */
export const readInnerSession = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' ? readValue(header, SESSION_COOKIE) : null
