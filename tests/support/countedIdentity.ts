// The identity service in this process, over the database of a backend that runs: what it asks of the database and of a processor is
// written down, so that two of its answers can be compared by their work instead of by the clock.
import { randomBytes } from 'node:crypto'

import type { Clock } from '@watchroom/shared/kernel'
import fastify from 'fastify'
import type { PoolClient } from 'pg'
import { pino } from 'pino'

import type { AgentService } from '../../gateway/src/embedded-backend/agents/createAgentService.ts'
import { createIdentityService } from '../../gateway/src/embedded-backend/identity/createIdentityService.ts'
import { identityRoutes } from '../../gateway/src/embedded-backend/identity/routes.ts'
import { createMailer } from '../../gateway/src/embedded-backend/mail/createMailer.ts'
import type { TokenService } from '../../gateway/src/embedded-backend/people/createTokenService.ts'
import { createPool } from '../../gateway/src/embedded-backend/postgres/createPool.ts'
import type { BackendContext } from '../../gateway/src/embedded-backend/server/context.ts'
import { createAuthenticator } from '../../gateway/src/embedded-backend/server/createAuthenticator.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'
import { createSeal } from '../../gateway/src/platform/createSeal.ts'
import { acceptJsonBodies } from '../../gateway/src/platform/jsonBodies.ts'
import type { TestBackend } from './embeddedBackend.ts'

export interface CountedIdentity extends Pick<TestBackend, 'call'> {
  /** Statements in their order, `wait` where time has to pass, and whatever else a test puts between them, since it was asked last. */
  takeWork(): string[]
  /** Calls with name and password, as scripts do. */
  callAs(name: string, password: string): Promise<unknown>
  stop(): Promise<void>
}

/** @param work a list that a test may write in too */
export async function startCountedIdentity(
  { databaseUrl }: Pick<TestBackend, 'databaseUrl'>,
  work: string[],
): Promise<CountedIdentity> {
  const logger = pino({ level: 'silent' })
  const pool = createPool(databaseUrl, logger)
  pool.on('connect', (client) => recordStatements(client, work))
  const identity = createIdentityService({ pool, clock: systemClock, logger })
  const publicUrl = 'http://127.0.0.1:3000'
  const transport = { kind: 'outbox', send: () => Promise.resolve() } as const
  const mailer = createMailer({ pool, transport, linkBase: publicUrl })
  const clock: Clock = {
    ...systemClock,
    schedule: (callback, delayMs) => {
      work.push('wait')
      return systemClock.schedule(callback, delayMs)
    },
  }
  const context = { pool, clock, logger, random: Math.random, options: { publicUrl } }
  const app = fastify({ logger: false })
  acceptJsonBodies(app)
  app.decorateRequest('principal', null)
  const seal = createSeal(randomBytes(32))
  // Whoever signs in needs no vault and no other option.
  await app.register(identityRoutes, { context: context as unknown as BackendContext, identity, mailer, seal })

  const nobody = { recognise: () => Promise.resolve(null), isExpired: () => Promise.resolve(false) }
  const authenticator = createAuthenticator({
    identity,
    // Asked about tokens alone.
    agents: nobody as unknown as AgentService,
    tokens: nobody as unknown as TokenService,
    providerPeople: undefined,
    serviceToken: 'of nobody here',
    clock: systemClock,
  })
  app.get('/basic', async (request) => authenticator.authenticate(request))

  return {
    call: async (path, { method = 'GET', headers = {}, body } = {}) => {
      const answer = await app.inject({
        method: method as 'GET',
        url: path,
        headers: { accept: 'application/json', ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      return {
        status: answer.statusCode,
        headers: answer.headers as Record<string, string | string[] | undefined>,
        text: answer.body,
        bytes: answer.rawPayload,
        json: () => answer.json(),
      }
    },
    takeWork: () => work.splice(0),
    callAs: async (name, password) => {
      const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
      return (await app.inject({ url: '/basic', headers: { authorization } })).json()
    },
    stop: async () => {
      await app.close()
      identity.close()
      await pool.end()
    },
  }
}

/** All that a pool asks goes through its clients. */
function recordStatements(client: PoolClient, work: string[]): void {
  const query = client.query.bind(client) as (...values: unknown[]) => unknown
  Object.assign(client, {
    query: (...values: unknown[]) => {
      const [statement] = values as [string | { text: string }]
      work.push(typeof statement === 'string' ? statement : statement.text)
      return query(...values)
    },
  })
}
