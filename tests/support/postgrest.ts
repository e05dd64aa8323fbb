// Real PostgREST in front of a test database, asked as one of the console's roles.
import { createHmac, randomBytes } from 'node:crypto'

import { AUTHENTICATOR_ROLE, databaseRole, type Role } from '@watchroom/shared/access'
import { pino } from 'pino'
import { Agent, fetch } from 'undici'

import { createPostgrest } from '../../gateway/src/embedded-backend/postgrest/createPostgrest.ts'
import { JWT_AUDIENCE } from '../../gateway/src/embedded-backend/postgrest/signToken.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'
import { TEST_AUTHENTICATOR_PASSWORD, type TestDatabase } from './database.ts'

export interface PostgrestRequest {
  /** Relation and query as the console spells them, for example `people?select=*`. */
  path: string
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

export interface PostgrestResponse {
  status: number
  headers: { get: (name: string) => string | null }
  body: unknown
}

export interface TestPostgrest {
  readonly socketPath: string
  /** Tokens are signed with it. */
  readonly jwtSecret: string
  /** @param caller null: without a token */
  ask(caller: { role: Role; personId?: string } | null, request: PostgrestRequest): Promise<PostgrestResponse>
  stop(): Promise<void>
}

export async function startTestPostgrest(database: TestDatabase): Promise<TestPostgrest> {
  const secret = randomBytes(32).toString('base64url')
  const postgrest = createPostgrest(
    {
      databaseUrl: database.databaseUrl.replace(
        /\/\/[^@]*@/,
        `//${AUTHENTICATOR_ROLE}:${TEST_AUTHENTICATOR_PASSWORD}@`,
      ),
      jwtSecret: secret,
    },
    { clock: systemClock, logger: pino({ level: 'silent' }) },
  )
  await postgrest.start()
  const dispatcher = new Agent({ connect: { socketPath: postgrest.socketPath() } })
  return {
    socketPath: postgrest.socketPath(),
    jwtSecret: secret,
    ask: async (caller, { path, method = 'GET', body, headers }) => {
      // The console sends this on every call, also on reads (backend reference 2.1).
      const sent: Record<string, string> = { 'content-type': 'application/json', prefer: 'return=representation' }
      if (caller) sent['authorization'] = `Bearer ${sign(secret, databaseRole(caller.role), caller.personId)}`
      const response = await fetch(`http://postgrest/${path}`, {
        method,
        dispatcher,
        headers: { ...sent, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
    },
    stop: async () => {
      await dispatcher.close()
      await postgrest.close()
    },
  }
}

function sign(secret: string, role: string, personId: string | undefined): string {
  const expiresAt = Math.floor(Date.now() / 1_000) + 60
  const claims = { role, aud: JWT_AUDIENCE, exp: expiresAt, ...(personId === undefined ? {} : { id: personId }) }
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
