import { z } from 'zod'

import { type ShownComponent, ShownComponentSchema } from '../../topology/index.ts'
import type { Topic } from '../topic.ts'

/** What a page of the topology shows: three levels from one component, or from those at the top where no id is given. */
export const topologyTopic: Topic<{ id: string }, ShownComponent> = {
  name: 'topology',
  params: z.strictObject({ id: z.union([z.guid(), z.literal('')]) }),
  row: ShownComponentSchema,
  key: 'id',
  resource: () => 'topologies',
  source: () => 'components?deleted_at=is.null',
  quotes: ['checks', 'config_items', 'teams'],
}
