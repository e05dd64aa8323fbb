// `/agent/generate` for people, `/upstream/*` for agents (backend reference 1.4, 4.7). The caller was authenticated before these
// handlers run; whether it is an agent, and whose rows it touches, is asked here.
import { PushDeletionSchema, type PingAnswer, PushSchema } from '@watchroom/shared/agents/upstream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import type { HealthEngine } from '../checks/createHealthEngine.ts'
import type { BackendContext } from '../server/context.ts'
import { measureSkew } from './clockSkew.ts'
import type { AgentService, KnownAgent } from './createAgentService.ts'
import { PushRefused, type PushRefusal, receiveDeletion, receivePush } from './receivePush.ts'

export interface AgentRoutesDeps {
  context: Pick<BackendContext, 'pool' | 'clock' | 'logger'>
  agents: AgentService
  engine: HealthEngine
}

/** A batch of 500 results with long messages is a quarter of this; the gateway in front allows 1 MiB. */
const MAX_PUSH_BYTES = 4 * 1_048_576
const UNIQUE_VIOLATION = '23505'

const NewAgentSchema = z.object({
  name: z.string().trim().min(1, 'name is required').max(256),
  properties: z.record(z.string(), z.string()).nullish(),
})

const PingQuerySchema = z.object({
  sent_at: z.iso.datetime({ offset: true }).optional().catch(undefined),
  version: z.string().max(64).optional().catch(undefined),
  hostname: z.string().max(256).optional().catch(undefined),
  queued: z.coerce.number().int().min(0).max(2_147_483_647).optional().catch(undefined),
})

const PullQuerySchema = z.object({ since: z.iso.datetime({ offset: true }).optional() })

/** Canaries that were given to the agent here, and not brought along by it. */
const ASSIGNED = `agent_id = $1 and source is distinct from 'ConfigFile' and source is distinct from 'KubernetesCRD'`

const fail = (reply: FastifyReply, status: number, error: string, message?: string): FastifyReply =>
  reply.code(status).send({ error, ...(message === undefined ? {} : { message }) })

const describeIssues = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => `${path.join('.') || 'request'}: ${message}`).join('; ')

/** The console's own keys are lower case; the API reads them in any case. */
function withLowerCaseKeys(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key.toLowerCase(), value]))
}

const isUniqueViolation = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION

export async function agentRoutes(app: FastifyInstance, { context, agents, engine }: AgentRoutesDeps): Promise<void> {
  const { pool, clock } = context
  const logger = context.logger.child({ part: 'agents' })

  app.post('/agent/generate', async (request, reply) => {
    const parsed = NewAgentSchema.safeParse(withLowerCaseKeys(request.body))
    if (!parsed.success) return fail(reply, 400, describeIssues(parsed.error))
    const { name, properties } = parsed.data
    const createdBy = request.principal?.kind === 'person' ? request.principal.id : null
    try {
      return await reply.code(201).send(await agents.generate({ name, properties: properties ?? {}, createdBy }))
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      return fail(reply, 500, `there is already an agent named ${name}`, 'error generating agent')
    }
  })

  app.get('/upstream/ping', async (request, reply) => {
    const agent = requireAgent(request, reply)
    if (!agent) return reply
    const { sent_at: sentAt, version, hostname, queued } = PingQuerySchema.parse(request.query)
    const now = clock.now()
    const aheadMs = sentAt === undefined ? null : measureSkew(now, Date.parse(sentAt), null)
    await pool.query(
      `update agents set last_seen = greatest(last_seen, $2), clock_skew_ms = coalesce($3, clock_skew_ms),
         queued_results = coalesce($4, queued_results) where id = $1`,
      [agent.id, new Date(now), aheadMs, queued ?? null],
    )
    // Facts are an edit of the row, so they are written only when they differ.
    await pool.query(
      `update agents set version = $2, hostname = $3, ip = $4 where id = $1
         and (version, hostname, ip) is distinct from ($2, $3, $4)`,
      [agent.id, version ?? null, hostname ?? null, addressOf(request)],
    )
    engine.agentSeen(agent.id, now)
    const { rows } = await pool.query<{ version: string }>(
      `select md5(coalesce(string_agg(md5(concat_ws(chr(10), id, name, namespace, labels, spec)), '' order by id), '')) as version
       from canaries where ${ASSIGNED} and deleted_at is null`,
      [agent.id],
    )
    const answer: PingAnswer = {
      agent: { id: agent.id, name: agent.name },
      time: new Date(now).toISOString(),
      canaries: rows[0]?.version ?? '',
    }
    return answer
  })

  app.post('/upstream/push', { bodyLimit: MAX_PUSH_BYTES }, async (request, reply) => {
    const agent = requireAgent(request, reply)
    if (!agent) return reply
    const parsed = PushSchema.safeParse(request.body)
    if (!parsed.success) return fail(reply, 400, describeIssues(parsed.error), 'invalid json request')
    try {
      const now = clock.now()
      const receipt = await receivePush(pool, agent.id, parsed.data, now)
      engine.agentSeen(agent.id, now)
      engine.pushed(receipt)
      if (receipt.clockAheadMs !== 0) {
        logger.warn({ agentId: agent.id, agent: agent.name, aheadMs: receipt.clockAheadMs }, "an agent's clock is off")
      }
      return { message: 'ok', stored: receipt.results.length, duplicates: receipt.duplicates }
    } catch (error) {
      if (error instanceof PushRefused) {
        logger.warn({ agentId: agent.id, agent: agent.name, refusal: error.refusal }, 'push refused')
        return refusePush(reply, error.refusal)
      }
      if (isUniqueViolation(error)) return fail(reply, 409, error.message, 'two checks of one canary have one name')
      throw error
    }
  })

  app.delete('/upstream/push', { bodyLimit: MAX_PUSH_BYTES }, async (request, reply) => {
    const agent = requireAgent(request, reply)
    if (!agent) return reply
    const parsed = PushDeletionSchema.safeParse(request.body)
    if (!parsed.success) return fail(reply, 400, describeIssues(parsed.error), 'invalid json request')
    const deleted = await receiveDeletion(pool, agent.id, {
      canaries: (parsed.data.canaries ?? []).map(({ id }) => id),
      checks: (parsed.data.checks ?? []).map(({ id }) => id),
    })
    if (deleted > 0) engine.remoteChanged()
    return { message: 'ok', deleted }
  })

  app.get('/upstream/canary/pull', async (request, reply) => {
    const agent = requireAgent(request, reply)
    if (!agent) return reply
    const parsed = PullQuerySchema.safeParse(request.query)
    if (!parsed.success) return fail(reply, 400, `'since' param needs to be a valid RFC3339 timestamp`)
    const { since } = parsed.data
    const { rows } = await pool.query(
      `select id, agent_id, name, namespace, labels, annotations, spec, source, created_at, updated_at, deleted_at
       from canaries where ${ASSIGNED}
         and case when $2::timestamptz is null then deleted_at is null
           else greatest(created_at, updated_at, deleted_at) > $2 end
       order by id`,
      [agent.id, since ?? null],
    )
    return rows
  })
}

/** Null when the caller is none: it was answered then. */
function requireAgent(request: FastifyRequest, reply: FastifyReply): KnownAgent | null {
  const agent = request.principal?.agent
  if (agent) return agent
  void fail(reply, 403, 'only an agent, with the token it was created with, may do this')
  return null
}

function refusePush(reply: FastifyReply, refusal: PushRefusal): FastifyReply {
  switch (refusal.kind) {
    case 'gone':
      return fail(reply, 401, 'Unauthorized', 'this agent was deleted')
    case 'foreign':
      return reply.code(403).send({ error: 'these rows belong to another agent', ids: refusal.ids })
    case 'unknown':
      return reply.code(409).send({ error: 'these rows are not known here: push them first', ids: refusal.ids })
  }
}

function addressOf(request: FastifyRequest): string | null {
  const forwarded = request.headers['x-forwarded-for']
  return typeof forwarded === 'string' ? (forwarded.split(',', 1)[0]?.trim() ?? null) : null
}
