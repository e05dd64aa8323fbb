import { z } from 'zod'

import { type PlaybookRunPart, PlaybookRunPartSchema } from '../../playbooks/index.ts'
import type { Topic } from '../topic.ts'

/** One run: itself, its steps without what they printed, and who approved what. */
export const playbookRunTopic: Topic<{ id: string }, PlaybookRunPart> = {
  name: 'playbookRun',
  params: z.strictObject({ id: z.guid() }),
  row: PlaybookRunPartSchema,
  key: 'id',
  resource: () => 'playbook_runs',
  source: ({ id }) => `playbook_runs?id=eq.${id}`,
  quotes: ['playbooks', 'checks', 'components', 'config_items'],
}
