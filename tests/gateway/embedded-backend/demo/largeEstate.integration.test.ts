// The catalog of the profile large, in small: a month of it through the engine, and then the files, which say the same.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { silentLogger } from '#support/runDeps.ts'

import { lookApart } from '../../../../gateway/src/check-runner/lookApart.ts'
import { createFileFamily } from '../../../../gateway/src/embedded-backend/catalog/families/file.ts'
import type { Family } from '../../../../gateway/src/embedded-backend/catalog/family.ts'
import { runScraper } from '../../../../gateway/src/embedded-backend/catalog/run/runScraper.ts'
import { DAY_MS } from '../../../../gateway/src/embedded-backend/demo/catalog/estateItems.ts'
import {
  LARGE_ESTATE,
  LARGE_FOLDER,
  toLargePast,
  writeLargeEstate,
} from '../../../../gateway/src/embedded-backend/demo/catalog/largeEstate.ts'
import { PAST_DAYS, runPast } from '../../../../gateway/src/embedded-backend/demo/catalog/runPast.ts'
import { seedScraper } from '../../../../gateway/src/embedded-backend/demo/seedScrapers.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

const COUNT = 2_300
const UNTIL = Date.parse('2026-06-15T12:00:00Z')
const SINCE = UNTIL - PAST_DAYS * DAY_MS
const { signal } = new AbortController()

let database: TestDatabase
let sources: string
beforeAll(async () => {
  database = await startTestDatabase()
  sources = mkdtempSync(join(tmpdir(), 'wr-large-'))
  await seedScraper(database.pool, LARGE_ESTATE)
  const context = { ...database, clock: systemClock, logger: silentLogger }
  await runPast(context, toLargePast(COUNT), { since: SINCE, until: UNTIL, signal, quietMs: 0 })
})
afterAll(async () => {
  await database.stop()
  rmSync(sources, { recursive: true, force: true })
})

const count = async (what: string): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>(`select count(*)::int as count from ${what}`)
  return rows[0]?.count ?? Number.NaN
}

describe('the catalog of the profile large', () => {
  it('goes through the engine: items on five levels, what was told of deployments, and their releases', async () => {
    expect(await count('config_items where deleted_at is null')).toBe(COUNT)
    expect(await count(`config_items where array_length(string_to_array(path, '.'), 1) = 5`)).toBe(79)
    expect(await count(`config_changes where change_type <> 'diff'`)).toBe(2_000 * 10)
    const releases = await count(`config_changes where change_type = 'diff'`)
    expect(releases).toBeGreaterThan(2_000)
    expect(releases).toBeLessThanOrEqual(2 * 2_000)
    expect(await count(`config_changes where created_at > to_timestamp(${UNTIL / 1_000})`)).toBe(0)
  })

  it('goes on from its files as if nothing had happened', async () => {
    await writeLargeEstate(sources, UNTIL, COUNT)
    expect(readdirSync(join(sources, LARGE_FOLDER))).toHaveLength(201)
    const roots = { own: sources, others: [], hidden: [] }
    const families = new Map([['file', createFileFamily({ roots, clock: systemClock }) as Family]])
    const scraper = { id: LARGE_ESTATE.id, name: LARGE_ESTATE.name, spec: LARGE_ESTATE.spec }
    const changes = await count('config_changes')
    const { errors } = await runScraper(
      scraper,
      { scraper, clock: systemClock, signal },
      { ...database, logger: silentLogger, families, lookUp: lookApart },
    )
    expect(errors).toEqual([])
    expect(await count('config_changes')).toBe(changes)
    expect(await count('config_items where deleted_at is null')).toBe(COUNT)
  })
})
