import { z } from 'zod'

import type { Topic } from '../topic.ts'

const QueueVersionSchema = z.object({ name: z.string(), version: z.string() })

/** That events of a name came, went or failed. What waits is read where it is shown. */
export type QueueVersion = z.infer<typeof QueueVersionSchema>

export const eventQueueTopic: Topic<Record<string, never>, QueueVersion> = {
  name: 'eventQueue',
  params: z.record(z.string(), z.never()),
  row: QueueVersionSchema,
  key: 'name',
  resource: () => 'database',
  source: () => 'event_queue_summary?select=name',
}
