import { z } from 'zod'

import { type ConfigSummary, ConfigSummarySchema } from '../../catalog/index.ts'
import type { Topic } from '../topic.ts'

/** Items that are not deleted, by type, with changes, insights and cost of the last 30 days. */
export const catalogSummaryTopic: Topic<Record<string, never>, ConfigSummary> = {
  name: 'catalogSummary',
  params: z.record(z.string(), z.never()),
  row: ConfigSummarySchema,
  key: 'type',
  resource: () => 'database',
  source: () => 'config_items',
  // What it counts of them. Of each a stretch of time: it is quickly counted, and stays as it is meanwhile.
  quotes: [
    'config_changes?created_at=gte.yesterday&created_at=lt.today',
    'config_analysis?first_observed=gte.yesterday&first_observed=lt.today',
  ],
  door: 'POST /catalog/summary',
}
