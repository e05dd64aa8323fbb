import { z } from 'zod'

const count = z.number().nullish()
const timestamp = z.string().nullish()

/** A row of the view `agents_summary`. Counts are null on the wire when there is none. */
export const AgentSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  properties: z.record(z.string(), z.string()).nullish().catch(null),
  last_seen: timestamp,
  last_received: timestamp,
  created_at: timestamp,
  updated_at: timestamp,
  created_by: z
    .object({ id: z.string(), name: z.string().nullish(), avatar: z.string().nullish() })
    .nullish()
    .catch(null),
  config_count: count,
  checks_count: count,
  config_scrapper_count: count,
  playbook_runs_count: count,
  version: z.string().nullish(),
  hostname: z.string().nullish(),
  /** Extension: how far the agent's clock is ahead of the upstream's, in milliseconds. */
  clock_skew_ms: z.number().nullish(),
  /** Extension: results that wait on the agent's disk. */
  queued_results: z.number().nullish(),
  /** Judged by the gateway on the server's clock; null for an agent that was never seen, absent where nobody judged. */
  status: z.enum(['online', 'offline']).nullish(),
})
export type AgentSummary = z.infer<typeof AgentSummarySchema>
