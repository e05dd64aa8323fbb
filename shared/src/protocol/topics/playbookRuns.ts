import { z } from 'zod'

import { type PlaybookRunSummary, PlaybookRunSummarySchema } from '../../playbooks/index.ts'
import type { Topic } from '../topic.ts'

/** Runs that have not ended, and the newest 200. Lists page over HTTP and lay these rows over what they read. */
export const playbookRunsTopic: Topic<Record<string, never>, PlaybookRunSummary> = {
  name: 'playbookRuns',
  params: z.record(z.string(), z.never()),
  row: PlaybookRunSummarySchema,
  key: 'id',
  resource: () => 'playbook_runs',
  source: () => 'playbook_runs',
  quotes: ['playbooks', 'checks', 'components', 'config_items'],
}
