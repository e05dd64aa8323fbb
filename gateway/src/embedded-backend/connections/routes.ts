// `/connection/test`: tries a connection that is stored, or one that someone is about to save.
import { CONNECTION_ROUTES } from '@watchroom/shared/access'
import { isUuid, SECRET_MASK } from '@watchroom/shared/kernel'
import { TestedConnectionSchema } from '@watchroom/shared/settings/connections'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'

import { callerSignal } from '../../platform/http/callerSignal.ts'
import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { BackendContext } from '../server/context.ts'
import type { Principal } from '../server/principal.ts'
import type { ConnectionTests, TestVerdict } from './createConnectionTests.ts'
import { isFaultOfRow, readConnection, SEALED_COLUMNS, type StoredConnection } from './readConnection.ts'
import { recordTest } from './recordTest.ts'

export interface ConnectionRoutesDeps {
  context: Pick<BackendContext, 'pool' | 'vault'>
  connectionTests: ConnectionTests
}

const AnswerSchema = z.object({ message: z.literal('ok') })

const refuse = (status: number, error: string): Refusal => new Refusal(status, { error })

/** Credentials that cannot be filled in are the row's fault, and said to whoever tests it. */
async function whenReadable<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  try {
    return await read()
  } catch (error) {
    if (isFaultOfRow(error)) throw refuse(400, error.message)
    throw error
  }
}

function toAnswer(verdict: TestVerdict): z.input<typeof AnswerSchema> {
  if (verdict.outcome === 'unsupported') throw refuse(501, 'not implemented')
  if (verdict.outcome === 'failed') throw refuse(400, verdict.message)
  return { message: 'ok' }
}

export async function connectionRoutes(
  app: FastifyInstance,
  { context, connectionTests }: ConnectionRoutesDeps,
): Promise<void> {
  const { pool, vault } = context

  async function run(caller: Principal, tried: StoredConnection, reply: FastifyReply): Promise<TestVerdict> {
    const gone = callerSignal(reply)
    const verdict = await connectionTests.run(caller.id, tried, gone)
    // What was given up says nothing of the connection.
    gone.throwIfAborted()
    if (!verdict.ok) throw refuse(429, verdict.error)
    return verdict.value
  }

  const routes = {
    test: defineBackendRoute({
      rule: CONNECTION_ROUTES.test,
      params: z.object({ id: z.string() }),
      response: AnswerSchema,
      handle: async ({ caller, params: { id }, reply }) => {
        const stored = isUuid(id) ? await whenReadable(() => readConnection(context, id)) : null
        if (!stored) throw refuse(404, 'connection was not found')
        const verdict = await run(caller, stored, reply)
        await recordTest(pool, id, caller.id, verdict)
        return toAnswer(verdict)
      },
    }),

    // Not an interface of the field: a backend without it answers 404.
    tryOut: defineBackendRoute({
      rule: CONNECTION_ROUTES.tryOut,
      body: TestedConnectionSchema,
      response: AnswerSchema,
      handle: async ({ caller, body, reply }) => {
        const { id, insecure_tls: insecureTls = false, ...entered } = body
        const isAdministrator = caller.kind === 'person' && caller.roles.includes('admin')
        const sealed = Object.fromEntries(SEALED_COLUMNS.map((column) => [column, entered[column] ?? null]))
        const { document, secrets } =
          id === undefined
            ? { document: sealed, secrets: [] }
            : await whenReadable(() =>
                vault.fillTrial('connections', id, sealed, isAdministrator ? 'administrator' : 'other'),
              )
        const missing = SEALED_COLUMNS.find((column) => (document as typeof entered)[column] === SECRET_MASK)
        if (missing !== undefined)
          throw refuse(400, `${missing}: no secret is stored here that *** could stand for. Enter it.`)
        const row = { ...(document as typeof entered), insecure_tls: insecureTls }
        return toAnswer(await run(caller, { type: body.type, row, filled: secrets }, reply))
      },
    }),
  } satisfies RouteTable<typeof CONNECTION_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}
