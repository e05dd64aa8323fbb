import { z } from 'zod'

import { type Config, ConfigSchema } from '../../catalog/index.ts'
import type { Topic } from '../topic.ts'

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
