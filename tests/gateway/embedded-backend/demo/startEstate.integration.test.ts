// The catalog of the demo as its first start leaves it, as later starts find it, and as it goes on.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { isStale } from '@watchroom/shared/catalog'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { silentLogger } from '#support/runDeps.ts'

import { createScrapers } from '../../../../gateway/src/embedded-backend/catalog/createScrapers.ts'
import { createFileFamily } from '../../../../gateway/src/embedded-backend/catalog/families/file.ts'
import type { Family } from '../../../../gateway/src/embedded-backend/catalog/family.ts'
import { BackendOptionsSchema } from '../../../../gateway/src/embedded-backend/contract.ts'
import { ESTATE } from '../../../../gateway/src/embedded-backend/demo/catalog/estateScraper.ts'
import { FAR_DEPOT } from '../../../../gateway/src/embedded-backend/demo/catalog/farDepot.ts'
import { startEstate } from '../../../../gateway/src/embedded-backend/demo/catalog/startEstate.ts'
import { seedScraper } from '../../../../gateway/src/embedded-backend/demo/seedScrapers.ts'

const STARTED_AT = Date.parse('2026-06-15T12:00:00Z')
const MINUTE_MS = 60_000
const TICK_MS = 50
/** The past of a month takes some seconds. */
const PATIENT = { timeout: 90_000 }

const clock = new FakeClock(STARTED_AT)
const dataDirectory = mkdtempSync(join(tmpdir(), 'wr-demo-'))
const sources = join(dataDirectory, 'sources')
let database: TestDatabase
let demo: Awaited<ReturnType<typeof start>>

beforeAll(async () => {
  database = await startTestDatabase()
  for (const seed of [ESTATE, FAR_DEPOT]) await seedScraper(database.pool, seed)
  // They begin on the day of the test.
  await database.pool.query('update config_scrapers set created_at = $1', [new Date(STARTED_AT)])
  demo = await start()
  await clock.advance(MINUTE_MS / 2)
  await untilPrepared()
}, PATIENT.timeout)
afterAll(async () => {
  await demo?.close()
  await database?.stop()
  rmSync(dataDirectory, { recursive: true, force: true })
})

/** As the backend does. */
async function start() {
  const options = BackendOptionsSchema.parse({
    socketPath: join(dataDirectory, 'socket'),
    dataDirectory,
    serviceToken: 'x'.repeat(32),
    profile: 'demo',
    adminEmail: 'admin@test.local',
    publicUrl: 'http://127.0.0.1:3000',
  })
  const context = { ...database, clock, logger: silentLogger, random: () => 0.5, options }
  const estate = await startEstate(context)
  const family = createFileFamily({ roots: { own: sources, others: [], hidden: [] }, clock })
  const scrapers = createScrapers(context, new Map([['file', family as Family]]))
  scrapers.start()
  return {
    close: async () => {
      await scrapers.close()
      await estate.close()
    },
  }
}

/** Time goes on until it passes, but not for longer than `atMostMs`. */
function meanwhile(
  check: () => unknown,
  { atMostMs = 10 * MINUTE_MS, ...patience }: { atMostMs?: number; timeout?: number } = {},
): Promise<void> {
  const end = clock.now() + atMostMs
  return eventually(async () => {
    if (clock.now() < end) await clock.advance(TICK_MS)
    await check()
  }, patience)
}

/** Its files are written last. */
const untilPrepared = (): Promise<void> =>
  meanwhile(() => expect(existsSync(join(sources, 'harbour-parcel-edge-us', 'denver.yaml'))).toBe(true), PATIENT)

async function read<Row extends object>(text: string, ...values: readonly unknown[]): Promise<Row[]> {
  return (await database.pool.query<Row>(text, [...values])).rows
}

/** As before there was one. */
async function forgetFarDepot(): Promise<void> {
  const items = `select id from config_items where scraper_id = '${FAR_DEPOT.id}'`
  await database.pool.query(`
    delete from config_changes where config_id in (${items});
    delete from config_analysis where config_id in (${items});
    delete from config_relationships where config_id in (${items}) or related_id in (${items});
    delete from config_items where scraper_id = '${FAR_DEPOT.id}' and parent_id in (${items});
    delete from config_items where scraper_id = '${FAR_DEPOT.id}';
    delete from job_history where resource_id = '${FAR_DEPOT.id}';
    delete from config_scrapers where id = '${FAR_DEPOT.id}'`)
  rmSync(join(sources, 'harbour-parcel-edge-us'), { recursive: true })
}

const FAR_ITEMS = ['denver', 'denver gate', 'denver sorter']

/** By the rule of the page. */
async function staleItems(condition = 'true'): Promise<string[]> {
  const items = await read<{ name: string; last_scraped_time: string; deleted_at: string | null }>(
    `select name, to_json(last_scraped_time) #>> '{}' as last_scraped_time, to_json(deleted_at) #>> '{}' as deleted_at
     from config_items where ${condition} order by name`,
  )
  return items.filter((item) => isStale(item, clock.now())).map(({ name }) => name)
}

/** When a scraper has run, from its log. */
const runsOf = async ({ id }: { readonly id: string }): Promise<number[]> =>
  (
    await read<{ at: Date }>(
      `select time_start as at from job_history where resource_id = $1 and status = 'SUCCESS' order by time_start`,
      id,
    )
  ).map(({ at }) => at.getTime())

const countChanges = async (condition: string): Promise<number> =>
  (await read<{ count: number }>(`select count(*)::int from config_changes where ${condition}`))[0]?.count ?? Number.NaN
const FAR = `config_id in (select id from config_items where scraper_id = '${FAR_DEPOT.id}')`
const SEEN = `change_type = 'diff'`

describe('a start of the demo', () => {
  it('leaves three items that are stale from its first minute, below what the other scraper found', async () => {
    expect(await staleItems()).toEqual(FAR_ITEMS)
    expect(clock.now() - STARTED_AT).toBeLessThan(5 * MINUTE_MS)
    const above = await read(
      `select item.name, above.name as above, above.scraper_id = $1 as is_others,
         item.updated_at > item.last_scraped_time as is_newer
       from config_items as item
       join config_items as above on above.id = item.parent_id where item.scraper_id = $2 order by item.name`,
      ESTATE.id,
      FAR_DEPOT.id,
    )
    expect(above).toEqual([
      { name: 'denver', above: 'us', is_others: true, is_newer: false },
      { name: 'denver gate', above: 'denver', is_others: false, is_newer: false },
      { name: 'denver sorter', above: 'denver', is_others: false, is_newer: false },
    ])
    // They have a past, too.
    expect(await countChanges(`${FAR} and ${SEEN}`)).toBeGreaterThan(3)
  })

  it('does not read them again, nor does the next one', async () => {
    const before = await runsOf(FAR_DEPOT)
    expect(before.at(-1)).toBe(STARTED_AT - 180 * MINUTE_MS)
    await demo.close()
    await clock.advance(MINUTE_MS)
    const restartedAt = clock.now()
    demo = await start()
    // What is read at a start is read at the same time.
    await meanwhile(async () => expect((await runsOf(ESTATE)).at(-1)).toBeGreaterThanOrEqual(restartedAt))
    await demo.close()
    expect(await runsOf(FAR_DEPOT)).toEqual(before)
    expect(await staleItems()).toEqual(FAR_ITEMS)
    demo = await start()
  })

  it('has a change arrive every 20 s', async () => {
    for (let move = 0; move < 4; move++) {
      const before = await countChanges(SEEN)
      await clock.advance(20_000)
      await meanwhile(async () => expect(await countChanges(SEEN)).toBeGreaterThan(before), { atMostMs: 5_000 })
    }
  })

  it('reads the depot in the night, when nothing of it is different', async () => {
    const changes = await countChanges(FAR)
    const night = Date.parse('2026-06-16T02:30:00Z')
    clock.step(night - MINUTE_MS - clock.now())
    await clock.advance(MINUTE_MS)
    await meanwhile(async () => expect((await runsOf(FAR_DEPOT)).at(-1)).toBeGreaterThanOrEqual(night))
    expect(await staleItems(`scraper_id = '${FAR_DEPOT.id}'`)).toEqual([])
    expect(await countChanges(FAR)).toBe(changes)
  })

  it('gives an older installation the depot, and leaves it what it has', async () => {
    await demo.close()
    await forgetFarDepot()
    const others = () =>
      read(
        `select id, config, updated_at, deleted_at from config_items where scraper_id = $1 and type <> 'Depot::Machine'
         order by id`,
        ESTATE.id,
      )
    const before = await others()
    const told = await countChanges(`change_type <> 'diff'`)
    demo = await start()
    await clock.advance(MINUTE_MS / 2)
    await untilPrepared()
    expect(await staleItems(`scraper_id = '${FAR_DEPOT.id}'`)).toEqual(FAR_ITEMS)
    expect(await others()).toEqual(before)
    expect(await countChanges(`change_type <> 'diff'`)).toBe(told)
  })
})
