// What agents ask: who they are here, and what people gave them to do.
import { AGENT_ROUTES } from '@watchroom/shared/access'
import { ClockBoundsSchema, PingAnswerSchema } from '@watchroom/shared/agents/upstream'
import { isStorable } from '@watchroom/shared/kernel'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { callerSignal } from '../../platform/http/callerSignal.ts'
import type { RouteTable } from '../../platform/http/defineRoute.ts'
import { withDeadline } from '../../platform/withDeadline.ts'
import { defineBackendRoute } from '../server/backendPolicy.ts'
import { forwardedAddress } from '../server/forwarded.ts'
import type { Principal } from '../server/principal.ts'
import { requireAgent } from './agentCaller.ts'
import { measureSkew } from './clockSkew.ts'
import { ASSIGNED, pullAssigned } from './pullAssigned.ts'
import type { AgentRoutesDeps } from './routes.ts'

/** Shorter than a gateway in front waits for an answer. */
const POLL_MS = 20_000
/** No write takes as long. What was still being written during one question is part of the next answer. */
const WRITING_MS = 5_000

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

/** Rows as they are stored: what an agent does not know of them it ignores. */
const RowsSchema = z.array(z.looseObject({ id: z.string() }))
const PulledCanariesSchema = z.object({ before: z.string(), canaries: RowsSchema })
/** A step of a playbook. Nothing to do, as agents read it: none of it has an id. */
const ActionSchema = z.object({
  run: z.looseObject({}),
  action_spec: z.looseObject({}),
  action: z.looseObject({}),
  template_env: z.looseObject({}),
})

export function createPullRoutes(
  app: FastifyInstance,
  { context, engine, playbooks }: Pick<AgentRoutesDeps, 'context' | 'engine' | 'playbooks'>,
) {
  const { pool, clock } = context

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

  const closing = new AbortController()
  app.addHook('preClose', () => closing.abort())

  return {
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

    pullCanaries: defineBackendRoute({
      rule: AGENT_ROUTES.pullCanaries,
      query: PullQuerySchema,
      response: PulledCanariesSchema,
      handle: async ({ caller, query }) => ({
        before: new Date(clock.now() - WRITING_MS).toISOString(),
        canaries: await pullAssigned(context, 'canaries', requireAgent(caller).id, query.since),
      }),
    }),

    pullScrapers: defineBackendRoute({
      rule: AGENT_ROUTES.pullScrapers,
      query: PullQuerySchema,
      response: RowsSchema,
      handle: async ({ caller, query }) => {
        const rows = await pullAssigned(context, 'config_scrapers', requireAgent(caller).id, query.since)
        return rows.map((row) => ({ ...row, spec: JSON.stringify(row.spec) }))
      },
    }),

    awaitAction: defineBackendRoute({
      rule: AGENT_ROUTES.awaitAction,
      response: ActionSchema,
      handle: async ({ caller, reply }) => {
        const { id } = requireAgent(caller)
        const gone = AbortSignal.any([closing.signal, callerSignal(reply)])
        return withDeadline({ clock, limitMs: POLL_MS, signal: gone }, async ({ signal }) => {
          while (!signal.aborted) {
            const task = await playbooks.takeForAgent(id)
            if (task) return task
            await playbooks.untilStep(id, signal)
          }
          return { run: {}, action_spec: {}, action: {}, template_env: {} }
        })
      },
    }),
  } satisfies Partial<RouteTable<typeof AGENT_ROUTES, Principal>>
}
