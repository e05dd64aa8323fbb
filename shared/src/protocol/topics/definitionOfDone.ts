import { z } from 'zod'

import { type DodVerdict, DodVerdictSchema } from '../../incidents/index.ts'
import type { Topic } from '../topic.ts'

/** How the automatic items of one incident's definition of done stand, while its document is open. */
export const definitionOfDoneTopic: Topic<{ incidentId: string }, DodVerdict> = {
  name: 'definitionOfDone',
  params: z.strictObject({ incidentId: z.guid() }),
  row: DodVerdictSchema,
  key: 'id',
  resource: () => 'incident',
  source: ({ incidentId }) => `incidents?id=eq.${incidentId}`,
  quotes: ['checks', 'components', 'config_items'],
}
