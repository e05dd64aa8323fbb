import { z } from 'zod'

import { type IncidentEvent, IncidentEventSchema } from '../../incidents/index.ts'
import type { Topic } from '../topic.ts'

/** Responders and changelog of one incident; the rest of it is the shared document. */
export const incidentTopic: Topic<{ id: string }, IncidentEvent> = {
  name: 'incident',
  params: z.strictObject({ id: z.guid() }),
  row: IncidentEventSchema,
  key: 'id',
  resource: () => 'incident',
  source: ({ id }) => `incidents?id=eq.${id}`,
  // Changes and insights of a config item are shown with it.
  quotes: ['checks', 'components', 'config_items'],
}
