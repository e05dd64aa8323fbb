import { z } from 'zod'

import { type FeatureFlag, FeatureFlagSchema } from '../../settings/index.ts'
import type { Topic } from '../topic.ts'

/** What this installation has switched on and off, as every page has to know it. */
export const featureFlagsTopic: Topic<Record<string, never>, FeatureFlag> = {
  name: 'featureFlags',
  params: z.record(z.string(), z.never()),
  row: FeatureFlagSchema,
  key: 'name',
  resource: () => 'feature_flags',
  source: () => 'properties?select=name',
}
