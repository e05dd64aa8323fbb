import { z } from 'zod'

import { type OutputChunk, OutputChunkSchema } from '../../playbooks/index.ts'
import type { Topic } from '../topic.ts'

/**
 * What one step prints, as it prints it: the newest pieces, some 2 MB. Pieces leave at the other end; a reader keeps what it had,
 * and reads what it misses from `playbook_run_outputs`.
 */
export const playbookOutputTopic: Topic<{ actionId: string }, OutputChunk> = {
  name: 'playbookOutput',
  params: z.strictObject({ actionId: z.guid() }),
  row: OutputChunkSchema,
  key: 'seq',
  resource: () => 'playbook_runs',
  source: ({ actionId }) => `playbook_run_actions?id=eq.${actionId}`,
  // Whoever is not shown a run is not shown what it prints.
  quotes: ['playbook_runs'],
}
