import { z } from 'zod'

import { type PlaybookCard, PlaybookCardSchema } from '../../playbooks/index.ts'
import type { Topic } from '../topic.ts'

/** Playbooks that are not deleted, without their specs. */
export const playbooksTopic: Topic<Record<string, never>, PlaybookCard> = {
  name: 'playbooks',
  params: z.record(z.string(), z.never()),
  row: PlaybookCardSchema,
  key: 'id',
  resource: () => 'playbooks',
  source: () => 'playbooks?deleted_at=is.null',
}
