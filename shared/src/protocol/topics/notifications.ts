import { z } from 'zod'

import type { Topic } from '../topic.ts'

const NotificationActivitySchema = z.object({ id: z.string(), version: z.string() })

/** That a rule of notifications was saved, or that something became of what it sends. What that is, is read where it is shown. */
export type NotificationActivity = z.infer<typeof NotificationActivitySchema>

/** The rules that are not deleted. */
export const notificationsTopic: Topic<Record<string, never>, NotificationActivity> = {
  name: 'notifications',
  params: z.record(z.string(), z.never()),
  row: NotificationActivitySchema,
  key: 'id',
  resource: () => 'notifications',
  source: () => 'notifications_summary',
}
