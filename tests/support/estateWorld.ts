// A database with the catalog of an estate of the demo, and the folder for the files that say the same.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { lookApart } from '../../gateway/src/check-runner/lookApart.ts'
import { createFileFamily } from '../../gateway/src/embedded-backend/catalog/families/file.ts'
import type { Family } from '../../gateway/src/embedded-backend/catalog/family.ts'
import { type RunOutcome, runScraper } from '../../gateway/src/embedded-backend/catalog/run/runScraper.ts'
import { DAY_MS } from '../../gateway/src/embedded-backend/demo/catalog/estateItems.ts'
import { PAST_DAYS, type PastDeps } from '../../gateway/src/embedded-backend/demo/catalog/runPast.ts'
import { type ScraperSeed, seedScraper } from '../../gateway/src/embedded-backend/demo/seedScrapers.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'
import { startTestDatabase } from './database.ts'
import { silentLogger } from './runDeps.ts'

const { signal } = new AbortController()
const UNTIL = Date.parse('2026-06-15T12:00:00Z')
/** Of the past of an estate. */
export const ESTATE_TIMES = { since: UNTIL - PAST_DAYS * DAY_MS, until: UNTIL, signal, quietMs: 0, rest: 0 }

export interface EstateWorld {
  /** Where files go. */
  readonly sources: string
  /** @param what a table or a query, with its conditions */
  count(what: string): Promise<number>
  /** Reads the files as the product does. */
  scrape(): Promise<RunOutcome>
  stop(): Promise<void>
}

/** @param makePast what came before the files, through the engine */
export async function startEstateWorld(
  seed: ScraperSeed,
  makePast: (deps: PastDeps) => Promise<unknown>,
): Promise<EstateWorld> {
  const database = await startTestDatabase()
  const deps = { ...database, clock: systemClock, logger: silentLogger }
  await seedScraper(database.pool, seed)
  await makePast(deps)
  const sources = mkdtempSync(join(tmpdir(), 'wr-estate-'))
  const roots = { own: sources, others: [], hidden: [] }
  const families = new Map([['file', createFileFamily({ roots, clock: systemClock }) as Family]])
  const scraper = { id: seed.id, name: seed.name, spec: seed.spec }
  return {
    sources,
    async count(what) {
      const { rows } = await database.pool.query<{ count: number }>(`select count(*)::int as count from ${what}`)
      return rows[0]?.count ?? Number.NaN
    },
    scrape: () =>
      runScraper(scraper, { scraper, clock: systemClock, signal }, { ...deps, families, lookUp: lookApart }),
    async stop() {
      await database.stop()
      rmSync(sources, { recursive: true, force: true })
    },
  }
}
