import { z } from 'zod'

import type { Topic } from '../topic.ts'

const SilenceSchema = z.object({
  id: z.string(),
  /** Another one whenever someone saved it. */
  version: z.string(),
  from: z.string(),
  until: z.string(),
  description: z.string().nullable(),
  /** What it names; null where that is gone. */
  about: z
    .object({ kind: z.enum(['check', 'canary', 'component', 'config']), id: z.string(), name: z.string() })
    .nullable(),
  isRecursive: z.boolean(),
  /** Ids of all that it holds back, as the backend that sends judges it; of one that is over none. */
  covers: z.array(z.string()),
})

/** What nobody is notified of for a while. */
export type Silence = z.infer<typeof SilenceSchema>

/** The silences that are not deleted, the last to end first. */
export const silencesTopic: Topic<Record<string, never>, Silence> = {
  name: 'silences',
  params: z.record(z.string(), z.never()),
  row: SilenceSchema,
  key: 'id',
  resource: () => 'notifications',
  source: () => 'notification_silences?deleted_at=is.null',
  quotes: ['checks', 'canaries', 'components', 'config_items'],
}
