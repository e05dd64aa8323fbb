// Tokens that tell PostgREST as whom a request acts: RFC 7519 with HS256, nothing more.
import { createHmac } from 'node:crypto'

/** `aud` of every token; PostgREST refuses others. */
export const JWT_AUDIENCE = 'watchroom'
/** Long enough for one request to reach PostgREST. */
const LIFETIME_S = 60

const HEADER = encode({ alg: 'HS256', typ: 'JWT' })

export interface TokenClaims {
  /** Database role that the request runs as. */
  role: string
  /** Person id; triggers and defaults may read it. */
  id?: string
  /** Names the call for as long as it runs, so that it can be ended. */
  call?: string
}

/** @param now milliseconds since the epoch */
export function signToken(claims: TokenClaims, secret: string, now: number): string {
  const issuedAt = Math.floor(now / 1_000)
  const content = `${HEADER}.${encode({ ...claims, aud: JWT_AUDIENCE, iat: issuedAt, exp: issuedAt + LIFETIME_S })}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
