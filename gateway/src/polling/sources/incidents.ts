import { type IncidentSummary, IncidentSummarySchema } from '@watchroom/shared/incidents'
import type { Clock } from '@watchroom/shared/kernel'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

/** Newest first; a list of more than these is not read by people any more. */
const MAX_ROWS = 5_000
const PATH = `/db/incident_summary?order=created_at.desc&limit=${MAX_ROWS}`

/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 10_000

export function createIncidentsSource(deps: { backend: BackendClient; clock: Clock }): Source<IncidentSummary> {
  return {
    name: 'incidents',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = deps.clock.now()
      return { kind: 'all', asOf, ...(await readTable(deps.backend, PATH, IncidentSummarySchema, signal)) }
    },
  }
}
