import { createHash } from 'node:crypto'

import type { JWTPayload } from 'jose'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

export interface Logout {
  /** Names the token. */
  readonly word: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  readonly providerSession?: string
  readonly subject?: string
}

/** What OpenID Connect Back-Channel Logout asks of a token whose signature, issuer, audience and time are right; null where it is no such. */
export function readLogout(claims: JWTPayload | null): Logout | null {
  // A token with a nonce is an ID token that someone sends here.
  if (!claims || 'nonce' in claims) return null
  const { events, exp = 0, jti, sid, sub } = claims
  if (typeof events !== 'object' || events === null || !(EVENT in events)) return null
  const providerSession = typeof sid === 'string' && sid !== '' ? sid : undefined
  const subject = typeof sub === 'string' && sub !== '' ? sub : undefined
  if (providerSession === undefined && subject === undefined) return null
  return {
    word: jti ?? createHash('sha256').update(JSON.stringify(claims)).digest('base64url'),
    expiresAt: exp * 1_000,
    ...(providerSession === undefined ? {} : { providerSession }),
    ...(subject === undefined ? {} : { subject }),
  }
}
