// The catalog of the demo: a month of it through the engine, and then the files, which say the same.
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
import { writeEstate } from '../../../../gateway/src/embedded-backend/demo/catalog/estateFiles.ts'
import { DAY_MS } from '../../../../gateway/src/embedded-backend/demo/catalog/estateItems.ts'
import { makePast } from '../../../../gateway/src/embedded-backend/demo/catalog/estatePast.ts'
import { ESTATE } from '../../../../gateway/src/embedded-backend/demo/catalog/estateScraper.ts'
import { PAST_DAYS } from '../../../../gateway/src/embedded-backend/demo/catalog/runPast.ts'
import { seedScraper } from '../../../../gateway/src/embedded-backend/demo/seedScrapers.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

const UNTIL = Date.parse('2026-06-15T12:00:00Z')
const SINCE = UNTIL - PAST_DAYS * DAY_MS
const { signal } = new AbortController()

let database: TestDatabase
let sources: string
beforeAll(async () => {
  database = await startTestDatabase()
  sources = mkdtempSync(join(tmpdir(), 'wr-estate-'))
  await seedScraper(database.pool, ESTATE)
  await makePast({ ...database, clock: systemClock, logger: silentLogger }, SINCE, UNTIL, signal)
})
afterAll(async () => {
  await database.stop()
  rmSync(sources, { recursive: true, force: true })
})

const count = async (what: string): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>(`select count(*)::int as count from ${what}`)
  return rows[0]?.count ?? Number.NaN
}

describe('the catalog of the demo', () => {
  it('has items of many types on four levels, with owners, costs that move, and some that are gone', async () => {
    expect(await count('config_items where deleted_at is null')).toBeGreaterThanOrEqual(100)
    expect(await count('(select distinct type from config_items) types')).toBeGreaterThanOrEqual(14)
    expect(await count(`config_items where array_length(string_to_array(path, '.'), 1) >= 4`)).not.toBe(0)
    expect(await count('config_items where deleted_at is not null')).not.toBe(0)
    expect(await count(`config_items where deleted_at is null and labels ->> 'team' is null`)).toBe(0)
    const dearer = 'abs(sum(cost_total_1d) / (sum(cost_total_30d) / 30) - 1) > 0.1'
    expect(await count(`(select type from config_items group by type having ${dearer}) types`)).toBeGreaterThanOrEqual(
      3,
    )
  })

  it('has a month of changes, of the documents and of other systems, one type of them in hundreds', async () => {
    expect(await count(`config_changes where change_type = 'diff' and created_at < '2026-06-10'`)).not.toBe(0)
    expect(await count(`config_changes where change_type = 'ScalingReplicaSet'`)).toBeGreaterThanOrEqual(500)
    expect(await count(`config_changes where created_at >= '2026-06-13T12:00:00Z'`)).toBeGreaterThanOrEqual(40)
    expect(await count(`config_changes where created_at > '2026-06-15T12:00:00Z'`)).toBe(0)
  })

  it('has insights for more than a page, of every type and severity, and relationships', async () => {
    expect(await count(`config_analysis where status = 'open'`)).toBeGreaterThan(50)
    expect(await count('(select distinct analysis_type from config_analysis) types')).toBe(10)
    expect(await count('(select distinct severity from config_analysis) severities')).toBe(7)
    expect(await count(`config_relationships where relation = 'Uses'`)).toBeGreaterThan(50)
  })

  it('goes on from its files as if nothing had happened', async () => {
    await writeEstate(sources, SINCE, UNTIL)
    expect(readdirSync(join(sources, 'harbour-parcel')).length).toBeGreaterThanOrEqual(6)
    const roots = { own: sources, others: [], hidden: [] }
    const families = new Map([['file', createFileFamily({ roots, clock: systemClock }) as Family]])
    const scraper = { id: ESTATE.id, name: ESTATE.name, spec: ESTATE.spec }
    const changes = await count('config_changes')
    const { errors } = await runScraper(
      scraper,
      { scraper, clock: systemClock, signal },
      { ...database, logger: silentLogger, families, lookUp: lookApart },
    )
    expect(errors).toEqual([])
    expect(await count('config_changes')).toBe(changes)
  })
})
