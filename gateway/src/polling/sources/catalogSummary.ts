import { type ConfigSummary, ConfigSummarySchema } from '@watchroom/shared/catalog'
import type { Clock } from '@watchroom/shared/kernel'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { parseRows } from './readTable.ts'
import { readUpstream } from './upstream.ts'

const WINDOW = '30d'
const QUESTION = JSON.stringify({
  groupBy: ['type'],
  changes: { since: WINDOW },
  analysis: { since: WINDOW },
  cost: WINDOW,
})

/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 30_000

/** Null: there is nothing. */
const AnswerSchema = z.array(z.unknown()).nullable()

/** What there is of each type. */
export function createCatalogSummarySource(deps: { backend: BackendClient; clock: Clock }): Source<ConfigSummary> {
  return {
    name: 'catalogSummary',
    intervalMs: INTERVAL_MS,
    read: (signal) => {
      const asOf = deps.clock.now()
      return readUpstream(
        deps.backend,
        '/catalog/summary',
        signal,
        async (response) => {
          const answer = AnswerSchema.parse(await response.json()) ?? []
          return { kind: 'all', asOf, ...parseRows(answer, ConfigSummarySchema) }
        },
        QUESTION,
      )
    },
  }
}
