// What agents send: rows, their deletion, topologies, files. Read as it comes, and answered so that agents of either kind understand.
import { AGENT_ROUTES } from '@watchroom/shared/access'
import { RefusedRowSchema } from '@watchroom/shared/agents/upstream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { createCallSlots } from '../../platform/createCallSlots.ts'
import { hasSqlState, SQL_STATE } from '../../platform/database/sqlState.ts'
import { callerSignal, onceEnded } from '../../platform/http/callerSignal.ts'
import type { RouteTable } from '../../platform/http/defineRoute.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { defineBackendRoute } from '../server/backendPolicy.ts'
import type { Principal } from '../server/principal.ts'
import { refuse, requireAgent } from './agentCaller.ts'
import { IS_OPEN_FILE, nameOfRow, ownSql, PUSH_KINDS } from './pushKinds.ts'
import { readPush, type ReadPush } from './readPush.ts'
import { AgentGone, isExtended, receiveDeletion, receivePush, type Unkept } from './receivePush.ts'
import { readTopology, receiveTopology } from './receiveTopology.ts'
import type { AgentRoutesDeps } from './routes.ts'

const MIB = 1_048_576
/** 10,000 rows of agents of the real product, or a file of one of its checks. */
const MAX_AGENT_BODY_BYTES = 32 * MIB
/** What is read takes some times its size in memory; beyond this bodies come in one after the other. */
const LARGE_BODY_BYTES = MIB
const LARGE_BODIES = { total: 2, perCaller: 1, waitingPerCaller: 4, waitingTotal: 256, maxWaitMs: 20_000 }
const PushReceiptSchema = z.object({
  message: z.literal('ok'),
  stored: z.number(),
  duplicates: z.number(),
  refused: z.array(RefusedRowSchema).optional(),
  ended: z.array(z.string()).optional(),
})
const TopologyReceiptSchema = z.object({ message: z.literal('success'), payload: z.object({ id: z.string() }) })
const DeletionReceiptSchema = z.object({ message: z.literal('ok'), deleted: z.number() })
const ArtifactSchema = z.object({ id: z.guid() })
export function createPushRoutes({ context, engine }: Pick<AgentRoutesDeps, 'context' | 'engine'>) {
  const { pool, clock } = context
  const logger = context.logger.child({ part: 'agents' })
  const largeBodies = createCallSlots(clock, LARGE_BODIES)
  /** Before a byte of a large body, or of one that does not say how large it is, is read. */
  const awaitTurn = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if (length === undefined ? encoding === undefined : Number(length) <= LARGE_BODY_BYTES) return
    const slot = await largeBodies.enter(request.principal?.id ?? '', callerSignal(reply))
    if (slot.kind !== 'entered') throw tooManyAtOnce()
    onceEnded(reply, slot.leave)
  }
  const bodyRoute = { maxBodyBytes: MAX_AGENT_BODY_BYTES, options: { preParsing: awaitTurn } }

  return {
    push: defineBackendRoute({
      rule: AGENT_ROUTES.push,
      // Read row by row: one odd row must not cost the others.
      body: z.unknown(),
      ...bodyRoute,
      response: PushReceiptSchema,
      handle: async ({ caller, body }) => {
        const agent = requireAgent(caller)
        const push = requirePush(body)
        const now = clock.now()
        const receipt = await receivePush(pool, agent.id, push, now).catch(refuseGone)
        engine.agentSeen(agent.id, now)
        engine.pushed(receipt)
        if (receipt.clockAheadMs !== 0) {
          const facts = { agentId: agent.id, agent: agent.name, aheadMs: receipt.clockAheadMs }
          logger.warn(facts, "an agent's clock is off")
        }
        const { unkept } = receipt
        if (unkept.length > 0) {
          const facts = { agentId: agent.id, agent: agent.name, refused: unkept.slice(0, 20).map(({ told }) => told) }
          logger.warn({ ...facts, count: unkept.length }, 'rows of a push refused')
        }
        // A caller that does not know of refused rows must not take them for stored.
        if (unkept.some(({ isOrphan }) => isOrphan || !isExtended(push.frame))) throw conflict(unkept)
        const { ended, results, duplicates } = receipt
        const told = ended.length > 0 && { ended: [...ended] }
        const answer = { message: 'ok' as const, stored: results.length, duplicates, ...told }
        return unkept.length === 0 ? answer : { ...answer, refused: unkept.map(({ told }) => told) }
      },
    }),

    remove: defineBackendRoute({
      rule: AGENT_ROUTES.remove,
      body: z.unknown(),
      ...bodyRoute,
      response: DeletionReceiptSchema,
      handle: async ({ caller, body }) => {
        const agent = requireAgent(caller)
        try {
          const deleted = await receiveDeletion(pool, agent.id, requirePush(body, {}), clock.now()).catch(refuseGone)
          if (deleted > 0) engine.remoteChanged()
          return { message: 'ok' as const, deleted }
        } catch (error) {
          if (!hasSqlState(error, SQL_STATE.foreignKeyViolation)) throw error
          throw refuse(500, 'other rows refer to these', 'failed to delete items')
        }
      },
    }),

    pushTopology: defineBackendRoute({
      rule: AGENT_ROUTES.pushTopology,
      body: z.unknown(),
      ...bodyRoute,
      response: TopologyReceiptSchema,
      handle: async ({ caller, body }) => {
        const agent = requireAgent(caller)
        const read = readTopology(body)
        if (!read.ok) throw refuse(400, read.error, 'invalid json request')
        const refusals = await receiveTopology(pool, agent.id, read.value, clock.now()).catch(refuseGone)
        const [first] = refusals
        if (first)
          throw refuse(
            409,
            `the topology was not kept; ${nameOfRow(PUSH_KINDS.components, first.row)}: ${first.reason}`,
          )
        return { message: 'success' as const, payload: { id: read.value.topology.id } }
      },
    }),

    uploadArtifact: defineBackendRoute({
      rule: AGENT_ROUTES.uploadArtifact,
      params: ArtifactSchema,
      body: z.instanceof(Buffer).optional(),
      ...bodyRoute,
      response: z.object({ message: z.literal('ok') }),
      handle: async ({ caller, params, body }) => {
        const { rowCount } = await pool.query(
          `with own as (
             update artifacts as stored set is_data_pushed = true where id = $1 and (${ownSql(PUSH_KINDS.artifacts)}) returning id),
           kept as (
             insert into watchroom_internal.artifact_contents (artifact_id, content) select id, $3 from own
             on conflict (artifact_id) do update set content = excluded.content
             where exists (select from artifacts as stored where id = $1 and ${IS_OPEN_FILE}))
           select from own`,
          [params.id, requireAgent(caller).id, body ?? Buffer.alloc(0)],
        )
        if (rowCount === 0) throw refuse(404, `artifact(id=${params.id}) not found`)
        return { message: 'ok' as const }
      },
    }),
  } satisfies Partial<RouteTable<typeof AGENT_ROUTES, Principal>>
}

/** @throws Refusal when nothing of it can be kept */
function requirePush(body: unknown, readers?: Parameters<typeof readPush>[1]): ReadPush {
  const read = readPush(body, readers)
  if (!read.ok) throw refuse(400, read.error, 'invalid json request')
  return read.value
}

function refuseGone(error: unknown): never {
  throw error instanceof AgentGone ? refuse(401, 'Unauthorized', 'this agent was deleted') : error
}

/** Agents of the real product mark all other rows as pushed, and send these again behind the rows that they refer to. */
function conflict(unkept: readonly Unkept[]): Refusal {
  const [first] = unkept
  const reason = first ? `the first, of ${first.told.table} ${first.told.id}: ${first.told.reason}` : ''
  const ids = [...new Set(unkept.map(({ name }) => name))]
  return new Refusal(409, { error: `${ids.length} rows were not kept; ${reason}`, data: JSON.stringify({ ids }) })
}

const tooManyAtOnce = (): Error =>
  Object.assign(new Error('too many large pushes at once, try again in a moment'), { statusCode: 429 })
