import { z } from 'zod'

import { type ConfigDetail, ConfigDetailSchema } from '../../catalog/index.ts'
import type { Topic } from '../topic.ts'

/** One item with what its tabs count, without its content: that is read again when `updated_at` moves. */
export const configTopic: Topic<{ id: string }, ConfigDetail> = {
  name: 'config',
  params: z.strictObject({ id: z.guid() }),
  row: ConfigDetailSchema,
  key: 'id',
  resource: () => 'database',
  source: ({ id }) => `config_detail?id=eq.${id}`,
  quotes: ['components', 'agents'],
}
