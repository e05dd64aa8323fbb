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
  door: 'POST /catalog/summary',
}
