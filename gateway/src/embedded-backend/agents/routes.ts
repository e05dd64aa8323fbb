// `/agent/generate` for people, `/upstream/*` for agents (backend reference 1.4, 4.7). The caller was authenticated before these
// handlers run; whether it is an agent, and whose rows it touches, is asked here.
import { AGENT_ROUTES } from '@watchroom/shared/access'
import {
  ClockBoundsSchema,
  PingAnswerSchema,
  PushDeletionSchema,
  RefusedRowSchema,
  type RefusedRow,
} from '@watchroom/shared/agents/upstream'
import { isStorable } from '@watchroom/shared/kernel'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { isUniqueViolation } from '../../platform/database/sqlState.ts'
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
import { readPush } from './readPush.ts'
import { PushRefused, type PushRefusal, receiveDeletion, receivePush } from './receivePush.ts'

export interface AgentRoutesDeps {
  context: Pick<BackendContext, 'pool' | 'vault' | 'clock' | 'logger'>
  agents: AgentService
  engine: HealthEngine
}

/** A batch of 500 results with long messages is a quarter of this; the gateway in front allows 1 MiB. */
const MAX_PUSH_BYTES = 4 * 1_048_576
const GIVEN_AWAY = 'this check was given to another agent, which tells of it from now on'

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

/** Canaries that were given to the agent here, and not brought along by it. */
const ASSIGNED = `agent_id = $1 and source is distinct from 'ConfigFile' and source is distinct from 'KubernetesCRD'`

const GeneratedAgentSchema = z.object({ id: z.string(), username: z.string(), access_token: z.string() })
const PushReceiptSchema = z.object({
  message: z.literal('ok'),
  stored: z.number(),
  duplicates: z.number(),
  refused: z.array(RefusedRowSchema).optional(),
})
const DeletionReceiptSchema = z.object({ message: z.literal('ok'), deleted: z.number() })
/** Rows as they are stored: what an agent does not know of them it ignores. */
const PulledRowsSchema = z.array(z.looseObject({ id: z.string() }))

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

  async function pull(agent: KnownAgent, since: string | undefined): Promise<z.input<typeof PulledRowsSchema>> {
    const { rows } = await pool.query<{ id: string }>(
      `select id, agent_id, name, namespace, labels, annotations, spec, source, created_at, updated_at, deleted_at
       from canaries where ${ASSIGNED}
         and case when $2::timestamptz is null then deleted_at is null
           else greatest(created_at, updated_at, deleted_at) > $2 end
       order by id`,
      [agent.id, since ?? null],
    )
    // The agent runs them, so it is told what it needs for that.
    const stored = await vault.list(
      pool,
      'canaries',
      rows.map(({ id }) => id),
    )
    return Promise.all(
      rows.map(async (row) => {
        try {
          return (await vault.fillIn(row, stored.get(row.id) ?? [])).document as { id: string }
        } catch (error) {
          if (!(error instanceof SecretUnreadable)) throw error
          // Its checks say then that *** stands for nothing.
          logger.warn({ agentId: agent.id, canaryId: row.id, reason: error.message }, 'secret of a canary not readable')
          return row
        }
      }),
    )
  }

  const routes = {
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
      maxBodyBytes: MAX_PUSH_BYTES,
      response: PushReceiptSchema,
      handle: async ({ caller, body }) => {
        const agent = requireAgent(caller)
        const read = readPush(body)
        if (!read.ok) throw refuse(400, read.error, 'invalid json request')
        const { push, refused } = read.value
        if (refused.length > 0) {
          logger.warn({ agentId: agent.id, agent: agent.name, refused: refused.slice(0, 20) }, 'rows of a push refused')
        }
        try {
          const now = clock.now()
          const receipt = await receivePush(pool, agent.id, push, now)
          engine.agentSeen(agent.id, now)
          engine.pushed(receipt)
          if (receipt.clockAheadMs !== 0) {
            const facts = { agentId: agent.id, agent: agent.name, aheadMs: receipt.clockAheadMs }
            logger.warn(facts, "an agent's clock is off")
          }
          const answer = { message: 'ok' as const, stored: receipt.results.length, duplicates: receipt.duplicates }
          const lost = receipt.lost.map((id): RefusedRow => ({ table: 'check_statuses', id, reason: GIVEN_AWAY }))
          return refused.length + lost.length === 0 ? answer : { ...answer, refused: [...refused, ...lost] }
        } catch (error) {
          if (error instanceof PushRefused) {
            logger.warn({ agentId: agent.id, agent: agent.name, refusal: error.refusal }, 'push refused')
            throw toRefusal(error.refusal)
          }
          if (isUniqueViolation(error)) throw refuse(409, error.message, 'two checks of one canary have one name')
          throw error
        }
      },
    }),

    remove: defineBackendRoute({
      rule: AGENT_ROUTES.remove,
      body: PushDeletionSchema,
      maxBodyBytes: MAX_PUSH_BYTES,
      response: DeletionReceiptSchema,
      handle: async ({ caller, body }) => {
        const agent = requireAgent(caller)
        const deleted = await receiveDeletion(pool, agent.id, {
          canaries: (body.canaries ?? []).map(({ id }) => id),
          checks: (body.checks ?? []).map(({ id }) => id),
        })
        if (deleted > 0) engine.remoteChanged()
        return { message: 'ok' as const, deleted }
      },
    }),

    pullCanaries: defineBackendRoute({
      rule: AGENT_ROUTES.pullCanaries,
      query: PullQuerySchema,
      response: PulledRowsSchema,
      handle: ({ caller, query }) => pull(requireAgent(caller), query.since),
    }),
  } satisfies RouteTable<typeof AGENT_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}

/** @throws Refusal when the caller is none */
function requireAgent({ agent }: Principal): KnownAgent {
  if (!agent) throw refuse(403, 'only an agent, with the token it was created with, may do this')
  return agent
}

function toRefusal(refusal: PushRefusal): Refusal {
  switch (refusal.kind) {
    case 'gone':
      return refuse(401, 'Unauthorized', 'this agent was deleted')
    case 'foreign':
      return new Refusal(403, { error: 'these rows belong to another agent', ids: refusal.ids })
    case 'unknown':
      return new Refusal(409, { error: 'these rows are not known here: push them first', ids: refusal.ids })
  }
}
