import type { FastifyReply, FastifyRequest } from 'fastify'

import { pickCookies } from '../../platform/cookies.ts'

export const SESSION_COOKIE = 'ory_kratos_session'
export const CSRF_COOKIE = 'csrf_token_watchroom'

/** The value of one cookie; '' when the browser did not send it. */
export function readCookie(request: FastifyRequest, name: string): string {
  return pickCookies(request.headers.cookie, (candidate) => candidate === name)?.slice(name.length + 1) ?? ''
}

/** @param maxAgeS 0 deletes the cookie */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  cookie: { name: string; value: string; maxAgeS: number },
): void {
  const isSecure = request.headers['x-forwarded-proto'] === 'https'
  const attributes = [
    'Path=/',
    `Max-Age=${cookie.maxAgeS}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ]
  // Fastify collects several `set-cookie` values.
  reply.header('set-cookie', [`${cookie.name}=${cookie.value}`, ...attributes].join('; '))
}
