import type { Clock } from '@watchroom/shared/kernel'
import { type FeatureFlag, FeatureFlagSchema } from '@watchroom/shared/settings'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readUpstream } from './upstream.ts'

/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 10_000

const AnswerSchema = z.array(z.unknown())

/** The merged list: local flags, and those of the database that no local one hides. */
export function createFeatureFlagsSource(deps: { backend: BackendClient; clock: Clock }): Source<FeatureFlag> {
  return {
    name: 'featureFlags',
    intervalMs: INTERVAL_MS,
    read: (signal) => {
      const asOf = deps.clock.now()
      return readUpstream(deps.backend, '/properties', signal, async (response) => {
        const answer = AnswerSchema.parse(await response.json())
        const rows = answer.flatMap((raw) => {
          const row = FeatureFlagSchema.safeParse(raw)
          return row.success ? [row.data] : []
        })
        return { kind: 'all', asOf, rows, droppedRows: answer.length - rows.length }
      })
    },
  }
}
