import type { IncomingHttpHeaders } from 'node:http'

import { pickCookies } from '../platform/cookies.ts'

const NAME = 'watchroom_device'
/** Browsers keep no cookie longer. The link itself decides when it ends. */
const MAX_AGE_SECONDS = 400 * 86_400
/** Where the cookie goes, and nowhere else: never to the backend's paths. */
const PATHS = ['/socket.io/', '/gateway/wall/device']

/** What only a browser that was let in can know. Null when it says nothing. */
export function readDeviceSecret(headers: IncomingHttpHeaders): string | null {
  const pair = pickCookies(headers.cookie, (name) => name === NAME)
  // Two of them, of two paths, hold the same.
  return pair?.split(';', 1)[0]?.slice(NAME.length + 1) ?? null
}

/** @returns values of `Set-Cookie` */
export function toDeviceCookies(secret: string, isSecure: boolean): string[] {
  return PATHS.map(
    (path) =>
      `${NAME}=${secret}; Path=${path}; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
  )
}
