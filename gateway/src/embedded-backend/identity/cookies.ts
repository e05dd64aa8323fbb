import type { FastifyReply, FastifyRequest } from 'fastify'

import { pickCookies } from '../../platform/cookies.ts'
import { isForwardedSecure } from '../server/forwarded.ts'

export const CSRF_COOKIE = 'csrf_token_watchroom'
/** Names a browser from which someone signed in before; opens nothing. */
export const DEVICE_COOKIE = 'ory_kratos_device'

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
  const attributes = [
    'Path=/',
    `Max-Age=${cookie.maxAgeS}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isForwardedSecure(request) ? ['Secure'] : []),
  ]
  // Fastify collects several `set-cookie` values.
  reply.header('set-cookie', [`${cookie.name}=${cookie.value}`, ...attributes].join('; '))
}
