import { z } from 'zod'

import { boundLabels } from './boundLabels.ts'

const timestamp = z.string().nullish()

export const CheckHealthSchema = z.enum(['healthy', 'unhealthy'])
/** Judgement of a check's last run. Anything else on the wire (or nothing yet) is shown as unknown. */
export type CheckHealth = z.infer<typeof CheckHealthSchema>

/** Status of a row that the gateway puts in the place of a check that was saved and is not run yet (`polling/sources/waitingChecks`). */
export const WAITING_STATUS = 'waiting'
export const WAITING_TEXT = 'Waiting for its first run, up to 5 minutes'

/** One row of the check summary: what the health board shows. Durations in milliseconds, times RFC 3339. */
export const CheckSummarySchema = z.object({
  id: z.string(),
  canary_id: z.string(),
  canary_name: z.string().catch(''),
  canary_namespace: z.string().catch(''),
  name: z.string(),
  namespace: z.string().nullish(),
  type: z.string(),
  /** Absent until the first run. */
  status: z.string().nullish(),
  severity: z.string().nullish(),
  description: z.string().nullish(),
  icon: z.string().nullish(),
  owner: z.string().nullish(),
  /** What the check talks to, for example a URL; only newer backends send it. */
  endpoint: z.string().nullish(),
  agent_id: z.string().nullish(),
  labels: z
    .record(z.string(), z.string())
    .nullish()
    .transform((labels) => boundLabels(labels ?? {})),
  /** Over the last hour; a check that did not run in it shows its latest run. */
  uptime: z.object({
    passed: z.number().catch(0),
    failed: z.number().catch(0),
    last_pass: timestamp,
    last_fail: timestamp,
  }),
  latency: z.object({
    p95: z.number().nullish(),
    p97: z.number().nullish(),
    p99: z.number().nullish(),
    rolling1h: z.number().nullish(),
  }),
  last_runtime: timestamp,
  next_runtime: timestamp,
  last_transition_time: timestamp,
  /** Why the last run failed or, for a broken definition, what is wrong with it. Extension: absent on other backends. */
  last_error: z.string().nullish(),
  /**
   * Since when nobody knows how the check is, because the agent that runs it went silent: what it last said then is old news.
   * Absent or null while its agent is seen. Extension, on the server's clock: absent on other backends.
   */
  unknown_since: timestamp,
  created_at: timestamp,
  updated_at: timestamp,
  deleted_at: timestamp,
  silenced_at: timestamp,
})
export type CheckSummary = z.infer<typeof CheckSummarySchema>

/** Times to the tenth of a second: nobody sees less on a board, and the rest is random and so a fifth of its bytes. */
const boardTime = z
  .string()
  .transform((time) => time.replace(/(?<=\.\d)\d+Z$/, '00Z'))
  .nullish()

/**
 * What of the summary every open board is sent, live. Left out is what a board never shows but what changes with every run
 * or costs much to send: row times, the time of the last pass (the last run of a healthy check), the rolling mean.
 */
export const CheckBoardRowSchema = CheckSummarySchema.omit({
  owner: true,
  created_at: true,
  updated_at: true,
  deleted_at: true,
  silenced_at: true,
}).extend({
  last_runtime: boardTime,
  next_runtime: boardTime,
  last_transition_time: boardTime,
  uptime: CheckSummarySchema.shape.uptime.omit({ last_pass: true }).extend({ last_fail: boardTime }),
  latency: CheckSummarySchema.shape.latency.omit({ rolling1h: true }),
})
export type CheckBoardRow = z.infer<typeof CheckBoardRowSchema>

/**
 * Answer of GET /canary/api/summary.
 *
 * `cursor`, `partial` and `removed` are an optional extension: a caller that sends `?since={cursor}` may get only the rows
 * that changed since then. A backend that does not know it ignores the parameter and answers with all rows.
 */
export const CheckSummaryResponseSchema = z.object({
  duration: z.number().optional(),
  runnerName: z.string().optional(),
  checks_summary: z
    .array(z.unknown())
    .nullish()
    .transform((rows) => rows ?? []),
  cursor: z.string().optional(),
  partial: z.boolean().optional(),
  removed: z.array(z.string()).optional(),
})
