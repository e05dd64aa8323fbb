import { z } from 'zod'

import type { Topic } from '../topic.ts'

const RelatedAtSchema = z.object({ config_id: z.string(), at: z.string() })

/** When the item was last related to another one, or parted from it. How they are related is read where it is shown. */
export type RelatedAt = z.infer<typeof RelatedAtSchema>

/** Items at both ends of the relationships that were written last. */
export const configRelationshipsTopic: Topic<Record<string, never>, RelatedAt> = {
  name: 'configRelationships',
  params: z.record(z.string(), z.never()),
  row: RelatedAtSchema,
  key: 'config_id',
  resource: () => 'database',
  // An edge has no id. A stretch of time: it is quickly counted, and stays as it is meanwhile.
  source: () => 'config_relationships?select=config_id&updated_at=gte.yesterday&updated_at=lt.today',
  quotes: ['config_items'],
}
