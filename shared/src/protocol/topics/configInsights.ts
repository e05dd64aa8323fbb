import { z } from 'zod'

import type { Topic } from '../topic.ts'

const InsightStateSchema = z.object({
  id: z.string(),
  status: z.string().nullish(),
  last_observed: z.string().nullish(),
})

/** That an insight opened, was seen again or is resolved. What it says is read where it is shown. */
export type InsightState = z.infer<typeof InsightStateSchema>

/** The insights that were observed last: of one item, or of all where no item is named. */
export const configInsightsTopic: Topic<{ configId: string }, InsightState> = {
  name: 'configInsights',
  params: z.strictObject({ configId: z.union([z.guid(), z.literal('')]) }),
  row: InsightStateSchema,
  key: 'id',
  resource: () => 'database',
  // Of all insights a stretch of time: it is quickly counted, and stays as it is meanwhile.
  source: ({ configId }) =>
    configId === ''
      ? 'config_analysis?first_observed=gte.yesterday&first_observed=lt.today'
      : `config_analysis?config_id=eq.${configId}`,
  quotes: ['config_items'],
}
