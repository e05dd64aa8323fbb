import type { Clock } from '@watchroom/shared/kernel'
import { configInsightsTopic, type InsightState } from '@watchroom/shared/protocol'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

/** Some pages of the list. */
const NEWEST = 500
/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 30_000

/** Insights as far as a list must know that they changed. @param deps.configId empty: of all items */
export function createConfigInsightsSource(deps: {
  backend: BackendClient
  clock: Clock
  configId: string
}): Source<InsightState> {
  const filter = deps.configId === '' ? '' : `&config_id=eq.${deps.configId}`
  const path = `/db/config_analysis?select=id,status,last_observed${filter}&order=last_observed.desc.nullslast&limit=${NEWEST}`
  return {
    name: 'configInsights',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = deps.clock.now()
      return { kind: 'all', asOf, ...(await readTable(deps.backend, path, configInsightsTopic.row, signal)) }
    },
  }
}
