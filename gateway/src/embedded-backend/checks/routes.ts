// `/canary/*`: the health part of the backend's API. The caller was authenticated before these handlers run, and asked for
// the rights that `ROUTE_ACCESS` names; running a check is checked again here because it acts on the outside world.
import { can, CHECK_ROUTES, EXTENSIONS, mayRunChecks } from '@watchroom/shared/access'
import {
  CheckRunResultSchema,
  PROGRAM_SAVERS,
  type ProgramSavers,
  TryChecksRequestSchema,
  TryChecksResponseSchema,
} from '@watchroom/shared/health'
import { failed, ok, type Result } from '@watchroom/shared/kernel'
import { tryParseDuration } from '@watchroom/shared/time'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'

import type { Executor } from '../../executor/contract.ts'
import { hasSqlState, SQL_STATE } from '../../platform/database/sqlState.ts'
import { callerSignal } from '../../platform/http/callerSignal.ts'
import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { SecretUnreadable } from '../secrets/createVault.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { BackendContext } from '../server/context.ts'
import { findProgramRefusal } from '../server/findProgramRefusal.ts'
import type { Principal } from '../server/principal.ts'
import { bucketWidth, CheckGraphSchema, computeGraph } from './computeGraph.ts'
import type { SummaryFilter } from './createCheckSummary.ts'
import type { HealthEngine } from './createHealthEngine.ts'
import type { CheckResult } from './createResultStore.ts'
import { createTrials } from './createTrials.ts'
import { readDeletedChecks } from './readDeletedChecks.ts'
import { readGraphRuns } from './readGraphRuns.ts'

export interface HealthRoutesDeps {
  context: Pick<BackendContext, 'pool' | 'vault' | 'clock'>
  engine: HealthEngine
  version: string
  programs: Programs
}

/** What people wrote and this process executes. */
export interface Programs {
  readonly savers: ProgramSavers
  readonly executor: Pick<Executor, 'confinement'>
}

const UuidSchema = z.guid()

/** Each is looked up for each check. */
const MAX_FILTER_LABELS = 32
/** Of a summary's filter. */
const MAX_FILTER_BYTES = 16_384

/** Body of POST /canary/api/summary, keys as the API has them. */
const SummaryRequestSchema = z.object({
  CheckID: z.string().optional(),
  SortBy: z.enum(['name', '-name', '']).optional(),
  /** Also checks deleted after this moment. */
  DeleteFrom: z.iso.datetime({ offset: true }).optional(),
  Labels: z
    .record(z.string(), z.string())
    .refine(
      (labels) => Object.keys(labels).length <= MAX_FILTER_LABELS,
      `must have at most ${MAX_FILTER_LABELS} labels`,
    )
    .optional(),
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

const refuse = (status: number, error: string): Refusal => new Refusal(status, { error })

/** The summary is kept as text: nobody parses 10,000 rows to send them. */
const sendJson = (reply: FastifyReply, text: string): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(text)

const AboutSchema = z.object({
  Timestamp: z.string(),
  Version: z.string(),
  /** Not a field of the field's own backends: the console does without it. */
  programs: z.object({ savers: z.enum(PROGRAM_SAVERS), refusal: z.string().nullable() }),
  /** Nor is this: what it can do that they cannot. */
  can: z.array(z.enum(EXTENSIONS)),
})

const GraphAnswerSchema = z.object({
  duration: z.number(),
  runnerName: z.literal('local'),
  ...CheckGraphSchema.shape,
})

const RunAnswerSchema = z.object({
  start: z.string(),
  ...CheckRunResultSchema.shape,
  detail: z.record(z.string(), z.unknown()).optional(),
})

/** Answer of "run now". */
function toRunAnswer(result: CheckResult): z.input<typeof RunAnswerSchema> {
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
  { context, engine, version, programs }: HealthRoutesDeps,
): Promise<void> {
  const { pool, vault, clock } = context
  const { summary } = engine
  /** In a stored canary *** stands for the stored secret: it is filled in, or refused, just as on saving. */
  async function fillTrial(
    spec: Record<string, unknown>,
    canaryId: string | null,
  ): Promise<Result<{ spec: Record<string, unknown>; secrets: readonly string[] }, string>> {
    if (canaryId === null) return ok({ spec, secrets: [] })
    try {
      const { document, secrets } = await vault.fillTrial('canaries', canaryId, { spec })
      return ok({ spec: (document as { spec: Record<string, unknown> }).spec, secrets })
    } catch (error) {
      // The database says so of a stored secret that may not be used here.
      if (hasSqlState(error, SQL_STATE.checkViolation) || error instanceof SecretUnreadable)
        return failed(error.message)
      throw error
    }
  }

  const trials = createTrials({ execute: (check, signal, secrets) => engine.runOnce(check, signal, secrets) })

  const { confinement } = programs.executor
  const routes = {
    about: defineBackendRoute({
      rule: CHECK_ROUTES.about,
      response: AboutSchema,
      handle: () => ({
        Timestamp: new Date(clock.now()).toISOString(),
        Version: version,
        programs: { savers: programs.savers, refusal: confinement.kind === 'off' ? confinement.reason : null },
        can: [...EXTENSIONS],
      }),
    }),

    summary: defineBackendRoute({
      rule: CHECK_ROUTES.summary,
      query: z.object({ since: z.string().optional().catch(undefined) }),
      response: 'own',
      handle: ({ query, reply }) => sendJson(reply, summary.read(query.since)),
    }),

    filteredSummary: defineBackendRoute({
      rule: CHECK_ROUTES.filteredSummary,
      body: SummaryRequestSchema.prefault({}),
      maxBodyBytes: MAX_FILTER_BYTES,
      response: 'own',
      handle: async ({ body, reply }) => {
        const { CheckID: checkId, SortBy: sortBy, DeleteFrom: deletedSince, Labels: labels } = body
        const filter: SummaryFilter = {
          checkId: checkId || undefined,
          labels,
          sortBy: sortBy || undefined,
        }
        const deleted = deletedSince === undefined ? [] : await readDeletedChecks(pool, deletedSince, filter)
        return sendJson(reply, summary.readFiltered(filter, deleted))
      },
    }),

    graph: defineBackendRoute({
      rule: CHECK_ROUTES.graph,
      query: GraphQuerySchema,
      response: GraphAnswerSchema,
      handle: async ({ query }) => {
        const startedAt = clock.monotonic()
        const { check: checkId, canary_id: canaryId, since, start, until, end } = query
        if (checkId === undefined && canaryId === undefined) throw refuse(400, 'check or canary_id is required')
        const now = clock.now()
        const from = tryParseMoment(since || start || DEFAULT_RANGE, now)
        const to = tryParseMoment(until || end || '0', now)
        if (from === null || to === null) throw refuse(400, 'start and end are a duration such as 1h, or a timestamp')
        if (from > to) throw refuse(400, 'start is after end')
        const runs = await readGraphRuns(pool, { checkId, canaryId, from, to, widthMs: bucketWidth(to - from) })
        const duration = Math.round(clock.monotonic() - startedAt)
        return { duration, runnerName: 'local' as const, ...computeGraph(runs) }
      },
    }),

    run: defineBackendRoute({
      rule: CHECK_ROUTES.run,
      params: z.object({ id: z.string() }),
      response: RunAnswerSchema,
      handle: async ({ caller, params: { id } }) => {
        if (!mayRunChecks(caller.roles)) throw refuse(403, 'your role does not allow to run checks')
        const result = UuidSchema.safeParse(id).success ? await engine.runNow(id.toLowerCase()) : null
        if (!result) throw refuse(404, `no check ${id} is executed here`)
        return toRunAnswer(result)
      },
    }),

    // Not an interface of the field: a backend without it answers 404, and the console does without the button.
    tryOut: defineBackendRoute({
      rule: CHECK_ROUTES.tryOut,
      body: TryChecksRequestSchema,
      response: TryChecksResponseSchema,
      handle: async ({ caller, body, reply }) => {
        if (!can(caller.roles, 'write', 'canaries')) throw refuse(403, 'your role does not allow to try checks')
        const refusal = findProgramRefusal(body.spec, programs.savers, caller.roles)
        if (refusal !== null) throw refuse(403, refusal)
        const filled = await fillTrial(body.spec, body.canary_id ?? null)
        if (!filled.ok) throw refuse(400, filled.error)
        const trial = await trials.run(caller.id, filled.value.spec, callerSignal(reply), filled.value.secrets)
        if (!trial.ok) throw refuse(trial.error.status, trial.error.message)
        return trial.value
      },
    }),
  } satisfies RouteTable<typeof CHECK_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}
