// What a request of the identity service says of who sends it and what they want back.
import { SESSION_COOKIE } from '@watchroom/shared/identity'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { pickCookies } from '../../platform/cookies.ts'
import { forwardedAddress, forwardedBlock, forwardedHost, isForwardedSecure } from '../server/forwarded.ts'
import { CSRF_COOKIE, DEVICE_COOKIE, readCookie, setCookie } from './cookies.ts'
import type { Origin } from './createKnownOrigins.ts'
import { IdentityRefusal, REFUSALS } from './identityErrors.ts'
import { newToken } from './secrets.ts'
import type { SessionDevice } from './sessions/createSessions.ts'

const COOKIE_AGE_S = 365 * 86_400
/** What programs call themselves may be long; a list of sessions shows the beginning. */
const MAX_USER_AGENT_LENGTH = 300

/** The flavour of a flow: with cookies, or with a token in a header. */
export type Flavour = 'browser' | 'api'

/** A browser that navigates asks for HTML; scripts and the web client ask for JSON. */
export function wantsJson({ headers }: FastifyRequest): boolean {
  const accept = headers.accept ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

export const isNavigation = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').includes('text/html')

/** '' without one. Flows of programs take no cookie: no page could use them with someone's session. */
export function sessionTokenOf(request: FastifyRequest, flavour?: Flavour): string {
  const header = request.headers['x-session-token']
  if (flavour !== 'browser' && typeof header === 'string' && header !== '') return header
  return flavour === 'api' ? '' : readCookie(request, SESSION_COOKIE)
}

/** The value that the browser will have after this answer. */
export function ensureCsrfCookie(request: FastifyRequest, reply: FastifyReply): string {
  const sent = [reply.getHeader('set-cookie') ?? []].flat().map(String)
  const renewed = sent.find((cookie) => cookie.startsWith(`${CSRF_COOKIE}=`))
  const value = pickCookies(renewed, (name) => name === CSRF_COOKIE)?.slice(CSRF_COOKIE.length + 1)
  return value ?? (readCookie(request, CSRF_COOKIE) || renewCsrfCookie(request, reply))
}

/** After a sign-in forms of before are worth nothing. */
export function renewCsrfCookie(request: FastifyRequest, reply: FastifyReply): string {
  const value = newToken()
  setCookie(request, reply, { name: CSRF_COOKIE, value, maxAgeS: COOKIE_AGE_S })
  return value
}

/** Where an attempt comes from; a browser without a name gets one when it is remembered. */
export function originOf(request: FastifyRequest, flavour: Flavour): Origin {
  const device = flavour === 'browser' ? readCookie(request, DEVICE_COOKIE) || newToken() : ''
  return { address: forwardedBlock(request), device }
}

export function rememberDevice(request: FastifyRequest, reply: FastifyReply, { device }: Origin): void {
  if (device !== '') setCookie(request, reply, { name: DEVICE_COOKIE, value: device, maxAgeS: COOKIE_AGE_S })
}

export function deviceOf(request: FastifyRequest): SessionDevice {
  return {
    address: forwardedAddress(request),
    userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
  }
}

/** As the browser names the page, without a path; null where nobody said so. */
export function publicOrigin(request: FastifyRequest): string | null {
  const host = forwardedHost(request)
  const address = `${isForwardedSecure(request) ? 'https' : 'http'}://${host}`
  return host !== null && URL.canParse(address) ? new URL(address).origin : null
}

/**
 * Where someone wants to be led afterwards, as a path of this site.
 *
 * @throws IdentityRefusal when it is elsewhere
 */
export function toOwnPath(request: FastifyRequest, given: string | undefined): string | null {
  if (given === undefined || given === '') return null
  const origin = publicOrigin(request)
  const path = origin !== null && given.startsWith(`${origin}/`) ? given.slice(origin.length) : given
  if (!isOwnPath(path)) throw new IdentityRefusal(REFUSALS.returnToForbidden)
  return path
}

/** Paths of this site only: `//host`, `/\host` and control characters would lead elsewhere in some browser. */
const isOwnPath = (path: string): boolean => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)
