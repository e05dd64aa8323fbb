import { z } from 'zod'

import { type CheckBoardRow, CheckBoardRowSchema } from '../../health/index.ts'
import type { Topic } from '../topic.ts'

/** The health board: one row per live check. */
export const checksTopic: Topic<Record<string, never>, CheckBoardRow> = {
  name: 'checks',
  params: z.record(z.string(), z.never()),
  row: CheckBoardRowSchema,
  key: 'id',
  resource: () => 'canaries',
  source: () => 'checks',
  // One that waits for its first run has no row but its canary's.
  quotes: ['canaries'],
}
