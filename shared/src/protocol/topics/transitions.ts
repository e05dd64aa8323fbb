import { z } from 'zod'

import type { Topic } from '../topic.ts'

const TransitionVersionSchema = z.object({ id: z.string(), version: z.string() })

/** That something happened that someone may be told of, or that rules decided on it. What they decided is read where it is shown. */
export type TransitionVersion = z.infer<typeof TransitionVersionSchema>

/** The newest. */
export const transitionsTopic: Topic<Record<string, never>, TransitionVersion> = {
  name: 'transitions',
  params: z.record(z.string(), z.never()),
  row: TransitionVersionSchema,
  key: 'id',
  resource: () => 'notifications',
  source: () => 'notification_transitions',
}
