// Apart from the other rows of the catalog: the summary is what people come for first, and it waits for nothing else.
import { z } from 'zod'

import { cost, count, text } from './rowFields.ts'

const counts = z.record(z.string(), z.number()).nullish().catch(null)

/** A row of `POST /catalog/summary` that was grouped by type, and perhaps by tags, whose values are beside it. */
export const ConfigSummarySchema = z.looseObject({
  type: z.string().catch(''),
  count,
  /** Items by health, without those that have none. */
  health: counts,
  created_at: text,
  updated_at: text,
  /** Of the last 30 days, where they were asked for. */
  changes: z.number().nullish().catch(null),
  analysis: counts,
  cost_30d: cost,
  cost_total_30d: cost,
})
export type ConfigSummary = z.infer<typeof ConfigSummarySchema>
