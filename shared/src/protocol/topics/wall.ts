import { z } from 'zod'

import { type CheckBoardRow, CheckBoardRowSchema } from '../../health/index.ts'
import type { Topic } from '../topic.ts'

/** The checks of one saved wallboard, filtered by the gateway: all that a screen without an account may read. */
export const wallTopic: Topic<{ boardId: string }, CheckBoardRow> = {
  name: 'wall',
  params: z.strictObject({ boardId: z.guid() }),
  row: CheckBoardRowSchema,
  key: 'id',
  resource: () => 'canaries',
  source: () => 'checks',
  quotes: ['canaries'],
}
