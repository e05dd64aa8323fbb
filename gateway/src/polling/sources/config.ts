import { CONFIG_DETAIL_SELECT, type ConfigDetail, ConfigDetailSchema } from '@watchroom/shared/catalog'
import type { Clock } from '@watchroom/shared/kernel'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 30_000

/** One item of the catalog as its page shows it. */
export function createConfigSource(deps: {
  backend: BackendClient
  clock: Clock
  configId: string
}): Source<ConfigDetail> {
  const path = `/db/config_detail?id=eq.${deps.configId}&select=${encodeURIComponent(CONFIG_DETAIL_SELECT)}`
  return {
    name: 'config',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = deps.clock.now()
      return { kind: 'all', asOf, ...(await readTable(deps.backend, path, ConfigDetailSchema, signal)) }
    },
  }
}
