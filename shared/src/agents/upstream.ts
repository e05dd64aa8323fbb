// What an agent and its upstream say to each other. Paths and table names are those of the real product; fields marked as
// an extension are optional both ways, so that either side may be replaced by the real one.
import { z } from 'zod'

import { MAX_LABELS } from '../health/index.ts'

const text = z.string().max(8_192)
const optionalText = text.nullish()
const name = z.string().min(1).max(512)
const timestamp = z.iso.datetime({ offset: true })
const labels = z
  .record(z.string().max(256), z.string().max(1_024))
  .refine((all) => Object.keys(all).length <= MAX_LABELS, `at most ${MAX_LABELS} are kept`)
  .nullish()
const id = z.guid()

/** `GET`: I am here. */
export const PING_PATH = '/upstream/ping'
/** `POST`: rows to keep. `DELETE`: rows that are gone. */
export const PUSH_PATH = '/upstream/push'
/** `GET`: canaries that were assigned to the agent. */
export const PULL_CANARIES_PATH = '/upstream/canary/pull'

/** Rows of one push. The agent cuts its results into batches of this many; the upstream takes no more. */
export const MAX_PUSHED_RESULTS = 500
const MAX_PUSHED_DEFINITIONS = 2_000
const MAX_LIVE_IDS = 20_000

export const PushedCanarySchema = z.object({
  id,
  name,
  namespace: name,
  labels,
  spec: z.record(z.string(), z.unknown()),
  source: z.string().max(256).nullish(),
})
export type PushedCanary = z.infer<typeof PushedCanarySchema>

export const PushedCheckSchema = z.object({
  id,
  canary_id: id,
  type: name,
  name,
  namespace: optionalText,
  description: optionalText,
  icon: optionalText,
  spec: z.unknown().optional(),
  labels,
  owner: optionalText,
  severity: optionalText,
})
export type PushedCheck = z.infer<typeof PushedCheckSchema>

/** One result. Check and time, as the agent says it, identify it: pushed twice, it is kept once. */
export const PushedResultSchema = z.object({
  check_id: id,
  /** Start of the run on the agent's clock. */
  time: timestamp,
  /** Milliseconds. */
  duration: z.number().int().min(0).max(2_147_483_647).nullish(),
  status: z.boolean(),
  invalid: z.boolean().nullish(),
  message: z.string().nullish(),
  error: z.string().nullish(),
  details: z.record(z.string(), z.unknown()).nullish(),
  severity: optionalText,
  /** Extension: when the check runs next, on the agent's clock. */
  next_runtime: timestamp.nullish(),
})
export type PushedResult = z.infer<typeof PushedResultSchema>

/**
 * How far the agent's clock is ahead of the upstream's, in milliseconds, negative when it is behind: at least and at most.
 * Both are proven by exchanges that the agent saw from end to end (`toClockBounds`), whatever waited on the way.
 */
export const ClockBoundsSchema = z
  .object({ least_ms: z.number(), most_ms: z.number() })
  .refine(({ least_ms: least, most_ms: most }) => least <= most)
export type ClockBounds = z.infer<typeof ClockBoundsSchema>

export const PushSchema = z.object({
  /** Extension: the agent's clock when it sent this. It was sent before it arrived, so it proves how far ahead that is at least. */
  sent_at: timestamp.nullish(),
  /** Extension: what the agent's exchanges prove of its clock. Nonsense proves nothing. */
  clock: ClockBoundsSchema.nullish().catch(null),
  canaries: z.array(PushedCanarySchema).max(MAX_PUSHED_DEFINITIONS).nullish(),
  checks: z.array(PushedCheckSchema).max(MAX_PUSHED_DEFINITIONS).nullish(),
  check_statuses: z.array(PushedResultSchema).max(MAX_PUSHED_RESULTS).nullish(),
  /** Extension: all that this agent defines. What it pushed before and is not named is gone. */
  live: z.object({ canaries: z.array(id).max(MAX_LIVE_IDS), checks: z.array(id).max(MAX_LIVE_IDS) }).nullish(),
})
export type Push = z.input<typeof PushSchema>

/** The same before its rows are looked at: one odd row must not cost the others. */
export const PushFrameSchema = PushSchema.extend({
  canaries: z.array(z.unknown()).max(MAX_PUSHED_DEFINITIONS).nullish(),
  checks: z.array(z.unknown()).max(MAX_PUSHED_DEFINITIONS).nullish(),
  check_statuses: z.array(z.unknown()).max(MAX_PUSHED_RESULTS).nullish(),
})

/** A row that the upstream cannot keep; the others of its push it has. */
export const RefusedRowSchema = z.object({
  table: z.enum(['canaries', 'checks', 'check_statuses']),
  /** Of a result: its check. */
  id: z.string(),
  name: z.string().nullish(),
  reason: z.string(),
})
export type RefusedRow = z.infer<typeof RefusedRowSchema>

/** Answer of a push. The real product answers with nothing; everything here is an extension. */
export const PushAnswerSchema = z.object({ refused: z.array(RefusedRowSchema).catch([]).default([]) })

/** Body of `DELETE`: ids are enough, whole rows are fine. */
export const PushDeletionSchema = z.object({
  canaries: z.array(z.object({ id })).max(MAX_PUSHED_DEFINITIONS).nullish(),
  checks: z.array(z.object({ id })).max(MAX_PUSHED_DEFINITIONS).nullish(),
})

/** Answer of the ping. The real product answers with nothing; everything here is an extension. */
export const PingAnswerSchema = z.object({
  agent: z.object({ id, name: z.string() }),
  /** The upstream's clock. */
  time: timestamp,
  /** Changes when the canaries assigned to the agent do. */
  canaries: z.string().optional(),
})
export type PingAnswer = z.infer<typeof PingAnswerSchema>

/** A canary that was assigned to the agent by its `agent_id`. */
export const PulledCanarySchema = z.object({
  id,
  name: z.string(),
  namespace: z.string(),
  labels: z.record(z.string(), z.string()).nullish(),
  spec: z.unknown(),
  deleted_at: z.string().nullish(),
})
export type PulledCanary = z.infer<typeof PulledCanarySchema>
