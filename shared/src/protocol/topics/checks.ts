import { z } from 'zod'

import { type CheckSummary, CheckSummarySchema } from '../../health/index.ts'
import type { Topic } from '../topic.ts'

/** The health board: one row per live check. */
export const checksTopic: Topic<Record<string, never>, CheckSummary> = {
  name: 'checks',
  params: z.record(z.string(), z.never()),
  row: CheckSummarySchema,
  key: 'id',
  resource: 'canaries',
}
