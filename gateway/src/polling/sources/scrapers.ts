import { type Scraper, SCRAPER_SELECT, ScraperSchema } from '@watchroom/shared/catalog'
import type { Clock } from '@watchroom/shared/kernel'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

const MAX_SCRAPERS = 1_000
const PATH = `/db/config_scrapers_with_status?select=${encodeURIComponent(SCRAPER_SELECT)}&deleted_at=is.null&order=created_at.desc&limit=${MAX_SCRAPERS}`

/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 30_000

/** Scrapers with their last job. */
export function createScrapersSource(deps: { backend: BackendClient; clock: Clock }): Source<Scraper> {
  return {
    name: 'scrapers',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = deps.clock.now()
      return { kind: 'all', asOf, ...(await readTable(deps.backend, PATH, ScraperSchema, signal)) }
    },
  }
}
