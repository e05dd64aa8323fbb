// `/agent/generate` for people, `/upstream/*` for agents (backend reference 1.4, 4.7). The caller was authenticated before these
// handlers run; whether it is an agent, and whose rows it touches, is asked here.
import { AGENT_ROUTES } from '@watchroom/shared/access'
import { ClockBoundsSchema, PingAnswerSchema, RefusedRowSchema } from '@watchroom/shared/agents/upstream'
import { isStorable, sleep } from '@watchroom/shared/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { createCallSlots } from '../../platform/createCallSlots.ts'
import { hasSqlState, isUniqueViolation, SQL_STATE } from '../../platform/database/sqlState.ts'
import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import type { HealthEngine } from '../checks/createHealthEngine.ts'
import { SecretUnreadable } from '../secrets/createVault.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { BackendContext } from '../server/context.ts'
import { forwardedAddress } from '../server/forwarded.ts'
import type { Principal } from '../server/principal.ts'
import { measureSkew } from './clockSkew.ts'
import type { AgentService, KnownAgent } from './createAgentService.ts'
import { ownSql, PUSH_KINDS } from './pushKinds.ts'
import { readPush, type ReadPush } from './readPush.ts'
import { AgentGone, isExtended, receiveDeletion, receivePush, type Unkept } from './receivePush.ts'

export interface AgentRoutesDeps {
  context: Pick<BackendContext, 'pool' | 'vault' | 'clock' | 'logger'>
  agents: AgentService
  engine: HealthEngine
}

const MIB = 1_048_576
/** 10,000 rows of agents of the real product, or a file of one of its checks. */
const MAX_AGENT_BODY_BYTES = 32 * MIB
/** What is read takes some times its size in memory; beyond this bodies come in one after the other. */
const LARGE_BODY_BYTES = MIB
const LARGE_BODIES = { total: 2, perCaller: 1, waitingPerCaller: 4, waitingTotal: 256, maxWaitMs: 20_000 }
/** Shorter than a gateway in front waits for an answer. */
const POLL_MS = 20_000
/** No write takes as long; what was being written while somebody asked is told the next time. */
const WRITING_MS = 5_000

const NewAgentSchema = z.object({
  name: z.string().trim().min(1, 'name is required').max(256).refine(isStorable, 'holds what no text may hold'),
  properties: z.record(z.string(), z.string()).nullish(),
})

const PingQuerySchema = z.object({
  sent_at: z.iso.datetime({ offset: true }).optional().catch(undefined),
  least_ms: z.coerce.number().optional().catch(undefined),
  most_ms: z.coerce.number().optional().catch(undefined),
  /** The agent asks who it is before it starts; whether it does nobody knows yet. */
  starting: z.literal('true').optional().catch(undefined),
  version: z.string().max(64).refine(isStorable).optional().catch(undefined),
  hostname: z.string().max(256).refine(isStorable).optional().catch(undefined),
  queued: z.coerce.number().int().min(0).max(2_147_483_647).optional().catch(undefined),
})

type PingFacts = z.output<typeof PingQuerySchema>

const PullQuerySchema = z.object({ since: z.iso.datetime({ offset: true }).optional() })

/** Given to the agent by people here, and not brought along by it. */
const ASSIGNED = `agent_id = $1 and (source is null or source = 'UI')`

const GeneratedAgentSchema = z.object({ id: z.string(), username: z.string(), access_token: z.string() })
const PushReceiptSchema = z.object({
  message: z.literal('ok'),
  stored: z.number(),
  duplicates: z.number(),
  refused: z.array(RefusedRowSchema).optional(),
})
const DeletionReceiptSchema = z.object({ message: z.literal('ok'), deleted: z.number() })
/** Rows as they are stored: what an agent does not know of them it ignores. */
const RowsSchema = z.array(z.looseObject({ id: z.string() }))
const PulledCanariesSchema = z.object({ before: z.string(), canaries: RowsSchema })
const ArtifactSchema = z.object({ id: z.guid() })
/** Nothing to do, as agents read it: none of it has an id. */
const NoActionSchema = z.object({
  run: z.object(),
  action_spec: z.object(),
  action: z.object(),
  template_env: z.object(),
})

const refuse = (status: number, error: string, message?: string): Refusal =>
  new Refusal(status, { error, ...(message === undefined ? {} : { message }) })

/** The console's own keys are lower case; the API reads them in any case. */
function withLowerCaseKeys(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key.toLowerCase(), value]))
}

export async function agentRoutes(app: FastifyInstance, { context, agents, engine }: AgentRoutesDeps): Promise<void> {
  const { pool, vault, clock } = context
  const logger = context.logger.child({ part: 'agents' })

  async function noteSighting(id: string, facts: PingFacts, address: string | null, now: number): Promise<void> {
    const { sent_at: sentAt, version, hostname, queued } = facts
    const bounds = ClockBoundsSchema.safeParse(facts)
    const aheadMs = sentAt === undefined ? null : measureSkew(now, { bounds: bounds.data, sentAt: Date.parse(sentAt) })
    await pool.query(
      `update agents set last_seen = greatest(last_seen, $2), clock_skew_ms = coalesce($3, clock_skew_ms),
         queued_results = coalesce($4, queued_results) where id = $1`,
      [id, new Date(now), aheadMs, queued ?? null],
    )
    // Facts are an edit of the row, so they are written only when they differ.
    await pool.query(
      `update agents set version = $2, hostname = $3, ip = $4 where id = $1
         and (version, hostname, ip) is distinct from ($2, $3, $4)`,
      [id, version ?? null, hostname ?? null, address],
    )
    engine.agentSeen(id, now)
  }

  /** With `since`, also those that were deleted. Times are given with all the digits that the next question may repeat. */
  async function pull(
    table: 'canaries' | 'config_scrapers',
    agent: KnownAgent,
    since: string | undefined,
  ): Promise<z.input<typeof RowsSchema>> {
    const { rows: found } = await pool.query<{ row: { id: string } }>(
      `select to_jsonb(stored) - 'is_pushed' as row from ${table} as stored
       where ${ASSIGNED} and case when $2::timestamptz is null then deleted_at is null
         else coalesce(updated_at, created_at) > $2 end
       order by coalesce(updated_at, created_at), id`,
      [agent.id, since ?? null],
    )
    const rows = found.map(({ row }) => row)
    // The agent runs them, so it is told what it needs for that.
    const stored = await vault.list(
      pool,
      table,
      rows.map(({ id }) => id),
    )
    return Promise.all(
      rows.map(async (row) => {
        try {
          return (await vault.fillIn(row, stored.get(row.id) ?? [])).document as { id: string }
        } catch (error) {
          if (!(error instanceof SecretUnreadable)) throw error
          // Its checks say then that *** stands for nothing.
          logger.warn(
            { agentId: agent.id, table, rowId: row.id, reason: error.message },
            'secret of an agent not readable',
          )
          return row
        }
      }),
    )
  }

  const largeBodies = createCallSlots(clock, LARGE_BODIES)
  /** Before a byte of a large body, or of one that does not say how large it is, is read. */
  const awaitTurn = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if (length === undefined ? encoding === undefined : Number(length) <= LARGE_BODY_BYTES) return
    const gone = new AbortController()
    let leave = (): void => gone.abort()
    reply.raw.once('close', () => leave())
    const slot = await largeBodies.enter(request.principal?.id ?? '', gone.signal)
    if (slot.kind !== 'entered') throw tooManyAtOnce()
    leave = slot.leave
    if (reply.raw.destroyed) leave()
  }
  const bodyRoute = { maxBodyBytes: MAX_AGENT_BODY_BYTES, options: { preParsing: awaitTurn } }

  const closing = new AbortController()
  app.addHook('preClose', () => closing.abort())

  const generateRoutes = {
    generate: defineBackendRoute({
      rule: AGENT_ROUTES.generate,
      body: z.preprocess(withLowerCaseKeys, NewAgentSchema),
      status: 201,
      response: GeneratedAgentSchema,
      handle: async ({ caller, body: { name, properties } }) => {
        const createdBy = caller.kind === 'person' ? caller.id : null
        try {
          return await agents.generate({ name, properties: properties ?? {}, createdBy })
        } catch (error) {
          if (!isUniqueViolation(error)) throw error
          throw refuse(409, `there is already an agent named ${name}`, 'error generating agent')
        }
      },
    }),
  } satisfies Pick<RouteTable<typeof AGENT_ROUTES, Principal>, 'generate'>
  registerRoutes(app, generateRoutes, BACKEND_POLICY)

  const upstreamRoutes = {
    ping: defineBackendRoute({
      rule: AGENT_ROUTES.ping,
      query: PingQuerySchema,
      response: PingAnswerSchema,
      handle: async ({ caller, query: facts, request }) => {
        const agent = requireAgent(caller)
        const now = clock.now()
        if (facts.starting === undefined) await noteSighting(agent.id, facts, forwardedAddress(request), now)
        const { rows } = await pool.query<{ version: string }>(
          `select md5(coalesce(string_agg(md5(concat_ws(chr(10), id, name, namespace, labels, spec, (
             select string_agg(secrets.id::text, ' ' order by secrets.id) from watchroom_internal.secrets
             where table_name = 'canaries' and row_id = canaries.id))), '' order by id), '')) as version
           from canaries where ${ASSIGNED} and deleted_at is null`,
          [agent.id],
        )
        return {
          agent: { id: agent.id, name: agent.name },
          time: new Date(now).toISOString(),
          canaries: rows[0]?.version ?? '',
        }
      },
    }),

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
        // Whoever does not read of refused rows must not take them for kept.
        if (unkept.some(({ isOrphan }) => isOrphan || !isExtended(push.frame))) throw conflict(unkept)
        const answer = { message: 'ok' as const, stored: receipt.results.length, duplicates: receipt.duplicates }
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

    pullCanaries: defineBackendRoute({
      rule: AGENT_ROUTES.pullCanaries,
      query: PullQuerySchema,
      response: PulledCanariesSchema,
      handle: async ({ caller, query }) => ({
        before: new Date(clock.now() - WRITING_MS).toISOString(),
        canaries: await pull('canaries', requireAgent(caller), query.since),
      }),
    }),

    pullScrapers: defineBackendRoute({
      rule: AGENT_ROUTES.pullScrapers,
      query: PullQuerySchema,
      response: RowsSchema,
      handle: async ({ caller, query }) => {
        const rows = await pull('config_scrapers', requireAgent(caller), query.since)
        return rows.map((row) => ({ ...row, spec: JSON.stringify(row.spec) }))
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
             update artifacts as stored set is_data_pushed = true where id = $1 and (${ownSql(PUSH_KINDS.artifacts)}) returning id)
           insert into watchroom_internal.artifact_contents (artifact_id, content) select id, $3 from own
           on conflict (artifact_id) do update set content = excluded.content`,
          [params.id, requireAgent(caller).id, body ?? Buffer.alloc(0)],
        )
        if (rowCount === 0) throw refuse(404, `artifact(id=${params.id}) not found`)
        return { message: 'ok' as const }
      },
    }),

    // Until playbooks run there is nothing to do, which is said as late as the agent waits.
    awaitAction: defineBackendRoute({
      rule: AGENT_ROUTES.awaitAction,
      response: NoActionSchema,
      handle: async ({ caller, reply }) => {
        requireAgent(caller)
        const gone = new AbortController()
        reply.raw.once('close', () => gone.abort())
        await sleep(clock, POLL_MS, AbortSignal.any([closing.signal, gone.signal])).catch(() => undefined)
        return { run: {}, action_spec: {}, action: {}, template_env: {} }
      },
    }),
  } satisfies Omit<RouteTable<typeof AGENT_ROUTES, Principal>, 'generate'>
  await app.register(async (scope) => {
    // Agents of the real product do not say what they send: everything is taken as it comes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    registerRoutes(scope, upstreamRoutes, BACKEND_POLICY)
  })
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

/** @throws Refusal when the caller is none */
function requireAgent({ agent }: Principal): KnownAgent {
  if (!agent) throw refuse(403, 'only an agent, with the token it was created with, may do this')
  return agent
}
