import { z } from 'zod'

import { type Config, ConfigSchema } from '../../catalog/index.ts'
import type { Topic } from '../topic.ts'

/** As many items as the topic tells of that changed or were deleted last: of what changed before the oldest of them it says nothing. */
export const CONFIGS_WINDOW = 500

/** The 500 items that changed last, were deleted, or have news. Lists patch the rows they hold, and read again when they are behind. */
export const configsTopic: Topic<Record<string, never>, Config> = {
  name: 'configs',
  params: z.record(z.string(), z.never()),
  row: ConfigSchema,
  key: 'id',
  resource: () => 'database',
  source: () => 'configs',
  quotes: ['agents'],
}
