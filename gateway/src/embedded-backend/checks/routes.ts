// `/canary/*`: the health part of the backend's API. The caller was authenticated before these handlers run, and asked for
// the rights that `ROUTE_ACCESS` names; running a check is asked here once more because it acts on the outside world.
import { can, mayRunChecks } from '@watchroom/shared/access'
import { TryChecksRequestSchema } from '@watchroom/shared/health'
import { tryParseDuration } from '@watchroom/shared/time'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'

import type { BackendContext } from '../server/context.ts'
import { bucketWidth, computeGraph } from './computeGraph.ts'
import type { SummaryFilter } from './createCheckSummary.ts'
import type { HealthEngine } from './createHealthEngine.ts'
import type { CheckResult } from './createResultStore.ts'
import { createTrials } from './createTrials.ts'
import { readDeletedChecks } from './readDeletedChecks.ts'
import { readGraphBuckets } from './readGraphBuckets.ts'

export interface HealthRoutesDeps {
  context: Pick<BackendContext, 'pool' | 'clock'>
  engine: HealthEngine
  version: string
}

const UuidSchema = z.guid()

/** Body of POST /canary/api/summary, keys as the API has them. */
const SummaryRequestSchema = z.object({
  CheckID: z.string().optional(),
  SortBy: z.enum(['name', '-name', '']).optional(),
  /** Also checks deleted after this moment. */
  DeleteFrom: z.iso.datetime({ offset: true }).optional(),
  Labels: z.record(z.string(), z.string()).optional(),
})

const GraphQuerySchema = z.object({
  check: UuidSchema.optional(),
  canary_id: UuidSchema.optional(),
  start: z.string().optional(),
  since: z.string().optional(),
  end: z.string().optional(),
  until: z.string().optional(),
})

const DEFAULT_RANGE = '1h'

/** A duration back from now, or a moment. */
function tryParseMoment(text: string, now: number): number | null {
  const agoMs = tryParseDuration(text)
  if (agoMs !== null) return now - agoMs
  const at = z.iso.datetime({ offset: true }).safeParse(text)
  return at.success ? Date.parse(at.data) : null
}

const refuse = (reply: FastifyReply, status: number, error: string): FastifyReply => reply.code(status).send({ error })

const sendJson = (reply: FastifyReply, text: string): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(text)

function describeIssues(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.') || 'request'}: ${message}`).join('; ')
}

/** Answer of "run now". */
function toRunAnswer(result: CheckResult): Record<string, unknown> {
  return {
    start: new Date(result.startedAt).toISOString(),
    pass: result.passed,
    ...(result.isInvalid ? { invalid: true } : {}),
    duration: Math.round(result.durationMs),
    ...(result.message === null ? {} : { message: result.message }),
    ...(result.error === null ? {} : { error: result.error }),
    ...(result.details === null ? {} : { detail: result.details }),
  }
}

export async function healthRoutes(
  app: FastifyInstance,
  { context, engine, version }: HealthRoutesDeps,
): Promise<void> {
  const { pool, clock } = context
  const { summary } = engine
  const trials = createTrials({ execute: (check, signal) => engine.runOnce(check, signal) })

  app.get('/canary/about', () => ({ Timestamp: new Date(clock.now()).toISOString(), Version: version }))

  app.get<{ Querystring: { since?: string } }>('/canary/api/summary', (request, reply) => {
    const since: unknown = request.query.since
    return sendJson(reply, summary.read(typeof since === 'string' ? since : undefined))
  })

  app.post('/canary/api/summary', async (request, reply) => {
    const parsed = SummaryRequestSchema.safeParse(request.body ?? {})
    if (!parsed.success) return refuse(reply, 400, describeIssues(parsed.error))
    const { CheckID: checkId, SortBy: sortBy, DeleteFrom: deletedSince, Labels: labels } = parsed.data
    const filter: SummaryFilter = {
      checkId: checkId || undefined,
      labels,
      sortBy: sortBy || undefined,
    }
    const deleted = deletedSince === undefined ? [] : await readDeletedChecks(pool, deletedSince, filter)
    return sendJson(reply, summary.readFiltered(filter, deleted))
  })

  app.get('/canary/api/graph', async (request, reply) => {
    const startedAt = clock.monotonic()
    const parsed = GraphQuerySchema.safeParse(request.query)
    if (!parsed.success) return refuse(reply, 400, describeIssues(parsed.error))
    const { check: checkId, canary_id: canaryId, since, start, until, end } = parsed.data
    if (checkId === undefined && canaryId === undefined) return refuse(reply, 400, 'check or canary_id is required')
    const now = clock.now()
    const from = tryParseMoment(since || start || DEFAULT_RANGE, now)
    const to = tryParseMoment(until || end || '0', now)
    if (from === null || to === null)
      return refuse(reply, 400, 'start and end are a duration such as 1h, or a timestamp')
    if (from > to) return refuse(reply, 400, 'start is after end')
    const buckets = await readGraphBuckets(pool, { checkId, canaryId, from, to, widthMs: bucketWidth(to - from) })
    const duration = Math.round(clock.monotonic() - startedAt)
    return { duration, runnerName: 'local', ...computeGraph(buckets) }
  })

  app.post<{ Params: { id: string } }>('/canary/run/check/:id', async (request, reply) => {
    if (!mayRunChecks(request.principal?.roles ?? []))
      return refuse(reply, 403, 'your role does not allow to run checks')
    const { id } = request.params
    const result = UuidSchema.safeParse(id).success ? await engine.runNow(id.toLowerCase()) : null
    if (!result) return refuse(reply, 404, `no check ${id} is executed here`)
    return toRunAnswer(result)
  })
  // Not an interface of the field: a backend without it answers 404, and the console does without the button.
  app.post('/canary/api/try', async (request, reply) => {
    const { principal } = request
    if (!principal || !can(principal.roles, 'write', 'canaries'))
      return refuse(reply, 403, 'your role does not allow to try checks')
    const parsed = TryChecksRequestSchema.safeParse(request.body)
    if (!parsed.success) return refuse(reply, 400, describeIssues(parsed.error))
    const gone = new AbortController()
    const handleClose = (): void => gone.abort(new Error('the caller has gone'))
    reply.raw.once('close', handleClose)
    const trial = await trials.run(principal.id, parsed.data.spec, gone.signal)
    reply.raw.off('close', handleClose)
    return trial.ok ? trial.value : refuse(reply, trial.error.status, trial.error.message)
  })
}
