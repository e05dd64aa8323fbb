import { z } from 'zod'

import { type LogPiece, LogPieceSchema } from '../../logs/index.ts'
import type { Topic } from '../topic.ts'

/**
 * What a component's log says from now on, after the newest lines that it has: the newest pieces, some 2 MB. Pieces leave at the
 * other end; a reader keeps what it had.
 */
export const logTailTopic: Topic<{ componentId: string; selector: string; query: string }, LogPiece> = {
  name: 'logTail',
  params: z.strictObject({
    componentId: z.guid(),
    /** Empty: the first. */
    selector: z.string().max(500),
    query: z.string().max(1_000),
  }),
  row: LogPieceSchema,
  key: 'seq',
  // As `POST /logs`.
  resource: () => 'database',
  // Whoever is not shown a component is not shown its log.
  source: ({ componentId }) => `components?id=eq.${componentId}`,
  door: 'POST /logs',
}
