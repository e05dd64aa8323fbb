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
})
export type AgentSummary = z.infer<typeof AgentSummarySchema>
