import type { Clock } from '@watchroom/shared/kernel'
import { type FeatureFlag, FeatureFlagSchema } from '@watchroom/shared/settings'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 10_000

/** The merged list: local flags, and those of the database that no local one hides. */
export function createFeatureFlagsSource(deps: { backend: BackendClient; clock: Clock }): Source<FeatureFlag> {
  return {
    name: 'featureFlags',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = deps.clock.now()
      return { kind: 'all', asOf, ...(await readTable(deps.backend, '/properties', FeatureFlagSchema, signal)) }
    },
  }
}
