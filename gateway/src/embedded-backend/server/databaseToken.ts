// Tokens that tell PostgREST as whom a request acts. Signed per request, so that a role taken away is gone at once.
import { createHmac } from 'node:crypto'

import { databaseRole, highestRole } from '@watchroom/shared/access'

import { JWT_AUDIENCE } from '../postgrest/createPostgrest.ts'
import type { Principal } from './principal.ts'

/** Long enough for one request to reach PostgREST. */
const LIFETIME_S = 60

const HEADER = encode({ alg: 'HS256', typ: 'JWT' })

/** @param now milliseconds since the epoch */
export function signDatabaseToken(principal: Principal, secret: string, now: number): string {
  const issuedAt = Math.floor(now / 1_000)
  const claims = {
    role: databaseRole(highestRole(principal.roles)),
    id: principal.id,
    aud: JWT_AUDIENCE,
    iat: issuedAt,
    exp: issuedAt + LIFETIME_S,
  }
  const content = `${HEADER}.${encode(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
