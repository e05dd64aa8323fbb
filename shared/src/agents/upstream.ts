// What an agent and its upstream say to each other. Paths and table names are those of the real product; fields marked as
// an extension are optional both ways, so that either side may be replaced by the real one.
import { z } from 'zod'

import { MAX_LABELS, MAX_RESULT_TEXT_LENGTH } from '../health/index.ts'
import { MAX_CHUNK_LENGTH, OutputChunkSchema } from '../playbooks/index.ts'

const text = z.string().max(MAX_RESULT_TEXT_LENGTH)
const optionalText = text.nullish()
const name = z.string().min(1).max(512)
const timestamp = z.iso.datetime({ offset: true })
const labels = z
  .record(z.string().max(256), z.string().max(1_024))
  .refine((all) => Object.keys(all).length <= MAX_LABELS, `at most ${MAX_LABELS} are kept`)
  .nullish()
const id = z.guid()
/** What agents of the real product say of their rows. A row with a time of deletion is deleted here, too. */
const bookkeeping = {
  created_at: timestamp.nullish(),
  updated_at: timestamp.nullish(),
  deleted_at: timestamp.nullish(),
}

/** `GET`: I am here. */
export const PING_PATH = '/upstream/ping'
/** `POST`: rows to keep. `DELETE`: rows that are gone. */
export const PUSH_PATH = '/upstream/push'
/** `GET`: canaries that were assigned to the agent. */
export const PULL_CANARIES_PATH = '/upstream/canary/pull'
/** `GET`, answered when there is a step of a playbook for the agent, or with nothing after a while. */
export const AWAIT_STEP_PATH = '/upstream/playbook-action'
/** With the id of an artifact. */
export const ARTIFACT_PATH = '/upstream/artifacts'

/** Our agent cuts its results into batches of this many. */
export const RESULTS_PER_PUSH = 500
/** Rows of one kind in one push; agents of the real product can be set to send as many. */
const MAX_PUSHED_ROWS = 10_000
const MAX_LIVE_IDS = 20_000
const MAX_PUSHED_OUTPUTS = 500
/** Characters of a step's output, with the piece that says that it was cut. */
const MAX_STEP_OUTPUT = 20_100_000

export const PushedCanarySchema = z.object({
  id,
  name,
  namespace: name,
  labels,
  spec: z.record(z.string(), z.unknown()),
  source: z.string().max(256).nullish(),
  annotations: z.record(z.string(), z.unknown()).nullish(),
  ...bookkeeping,
})
export type PushedCanary = z.infer<typeof PushedCanarySchema>

export const PushedCheckSchema = z.object({
  id,
  canary_id: id,
  type: name,
  name,
  namespace: optionalText,
  description: z.string().nullish(),
  icon: optionalText,
  spec: z.unknown().optional(),
  labels,
  owner: optionalText,
  severity: optionalText,
  transformed: z.boolean().nullish(),
  /** On the agent's clock. Ours says it with each result. What is no time is not worth the check. */
  next_runtime: timestamp.nullish().catch(null),
  ...bookkeeping,
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
  /** Any JSON. */
  details: z.unknown().optional(),
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

/** A piece of what a step printed on an agent, numbered there. */
const PushedOutputSchema = OutputChunkSchema.extend({
  action_id: id,
  at: timestamp,
  text: z.string().min(1).max(MAX_CHUNK_LENGTH),
  /** Characters before it. */
  place: z.number().int().min(0).max(MAX_STEP_OUTPUT),
})

/** A step as an agent was given it, and how it ended. */
export const PushedStepSchema = z.object({
  id,
  status: z.enum(['completed', 'failed']),
  start_time: z.string().nullish(),
  end_time: z.string(),
  result: z.record(z.string(), z.unknown()).nullable(),
  error: z.string().nullable(),
})
export type PushedStep = z.infer<typeof PushedStepSchema>

/** A file that a step left, ahead of its content. */
export interface PushedArtifact {
  readonly id: string
  readonly playbook_run_action_id: string
  readonly path: string
  readonly filename: string
  readonly content_type: string
  readonly size: number
  readonly checksum: string
}

/** What of a push is no row. */
const ExtensionSchema = z.object({
  /** Extension: the agent's clock when it sent this. It was sent before it arrived, so it proves how far ahead that is at least. */
  sent_at: timestamp.nullish(),
  /** Extension: what the agent's exchanges prove of its clock. Nonsense proves nothing. */
  clock: ClockBoundsSchema.nullish().catch(null),
  /** Extension. */
  outputs: z.array(PushedOutputSchema).max(MAX_PUSHED_OUTPUTS).nullish(),
  /** Extension: steps that the agent works on. It is told which of them nobody waits for any more. */
  working: z.array(id).max(MAX_PUSHED_OUTPUTS).nullish(),
  /** Extension: all that this agent defines. What it pushed before and is not named is gone. */
  live: z.object({ canaries: z.array(id).max(MAX_LIVE_IDS), checks: z.array(id).max(MAX_LIVE_IDS) }).nullish(),
})

/** What our own agent pushes. */
export type Push = z.input<typeof ExtensionSchema> & {
  canaries?: PushedCanary[]
  checks?: PushedCheck[]
  check_statuses?: PushedResult[]
  playbook_actions?: PushedStep[]
  artifacts?: PushedArtifact[]
}

/** Kinds of rows that agents push, each a table's worth; in this order every row comes behind those it refers to. */
export const PUSHED_KINDS = [
  'topologies',
  'config_scrapers',
  'config_items',
  'components',
  'component_relationships',
  'config_changes',
  'config_analysis',
  'config_relationships',
  'canaries',
  'checks',
  'check_statuses',
  'config_component_relationships',
  'job_history',
  'playbook_actions',
  'artifacts',
] as const
export type PushedKind = (typeof PUSHED_KINDS)[number]

const rows = z.array(z.unknown()).max(MAX_PUSHED_ROWS).nullish()

/** A push before its rows are looked at: one odd row must not cost the others. Further keys are kinds that nobody here knows. */
export const PushFrameSchema = z.looseObject({
  ...ExtensionSchema.shape,
  ...(Object.fromEntries(PUSHED_KINDS.map((kind) => [kind, rows])) as Record<PushedKind, typeof rows>),
})

/** A row that the upstream did not keep; the others of its push it has. */
export const RefusedRowSchema = z.object({
  /** The kind, as the push named it. */
  table: z.string(),
  /** As agents name a row; of a result: its check. */
  id: z.string(),
  name: z.string().nullish(),
  reason: z.string(),
})
export type RefusedRow = z.infer<typeof RefusedRowSchema>

/** Answer of a push. The real product answers with nothing; everything here is an extension. */
export const PushAnswerSchema = z.object({
  refused: z.array(RefusedRowSchema).catch([]).default([]),
  /** Of the steps that the agent works on: those that were cancelled, or took too long. */
  ended: z.array(z.string()).catch([]).default([]),
})

export type PushAnswer = z.infer<typeof PushAnswerSchema>

/** Answer of the ping. The real product answers with nothing; everything here is an extension. */
export const PingAnswerSchema = z.object({
  agent: z.object({ id, name: z.string() }),
  /** The upstream's clock. */
  time: timestamp,
  /** Changes when the canaries assigned to the agent do. */
  canaries: z.string().optional(),
})
export type PingAnswer = z.infer<typeof PingAnswerSchema>

/** Answer of the path for steps; none of it has an id when there is nothing to do. */
export const GivenStepSchema = z.object({
  run: z.looseObject({ id: id.optional() }),
  action: z.looseObject({ id: id.optional(), name: z.string().optional(), start_time: z.string().nullish() }),
  action_spec: z.record(z.string(), z.unknown()),
  template_env: z.record(z.string(), z.unknown()),
})
export type GivenStep = z.infer<typeof GivenStepSchema>

/** A canary that was assigned to the agent by its `agent_id`. */
export const PulledCanarySchema = z.object({
  id,
  name: z.string(),
  namespace: z.string(),
  labels: z.record(z.string(), z.string()).nullish(),
  spec: z.unknown(),
  /** The real product also gives back what the agent brought along itself. */
  source: z.string().nullish(),
  deleted_at: z.string().nullish(),
})
export type PulledCanary = z.infer<typeof PulledCanarySchema>

/** Answer of `GET /upstream/canary/pull`. */
export const PulledCanariesSchema = z.object({
  /** The upstream's clock; what changed since is asked for with it. */
  before: z.string(),
  /** The real product leaves it out for an agent without any. */
  canaries: z.array(PulledCanarySchema).nullish(),
})
