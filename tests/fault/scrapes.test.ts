// Kills the backend's process the hard way in the middle of runs of a scraper, again and again. No item is half written or wrongly
// deleted, the next run completes, and each change is there once.
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { howMany } from '../support/howMany.ts'
import { killPart } from '../support/killPart.ts'
import { createRandom } from '../support/random.ts'
import { type ScraperWorld, startScraperWorld } from '../support/scraperWorld.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_123)
const KILLS = howMany('WATCHROOM_FAULT_ROUNDS', { short: 3, long: 40 })
const ITEMS = 600
const LONGEST_MS = 900
const LATEST = { timeout: 40_000, interval: 200 }

let world: ScraperWorld
let scraper: string

beforeAll(async () => {
  world = await startScraperWorld()
  scraper = await world.addScraper('killed', {
    file: [
      {
        format: 'json',
        icon: 'file',
        paths: ['killed'],
        id: '$.id',
        type: 'T',
        parent: '$.partOf',
        relationships: [{ id: '$.uses', relation: 'Uses' }],
        insights: [{ analyzer: 'odd', expr: 'int(config.version) % 2 == 1', message: 'odd' }],
      },
    ],
  })
})
afterAll(() => world?.stop())

const isGone = (version: number, index: number): boolean => version % 2 === 1 && index % 7 === 6
const countGone = (version: number): number =>
  Array.from({ length: ITEMS }, (_, index) => isGone(version, index)).filter(Boolean).length

/** All of a version; every seventh is gone in odd ones. */
function writeRound(version: number): void {
  for (let index = 0; index < ITEMS; index++) {
    const path = `killed/${index}.json`
    if (isGone(version, index)) world.remove(path)
    else {
      const partOf = index === 0 ? {} : { partOf: `${Math.floor(index / 7)}` }
      world.write(path, JSON.stringify({ id: `${index}`, version, uses: `${index + 1}`, ...partOf }))
    }
  }
}

it('leaves nothing half done when the backend is killed', { timeout: 1_200_000 }, async () => {
  const random = createRandom(SEED)
  writeRound(0)
  await world.run(scraper)
  for (let version = 1; version <= KILLS; version++) {
    writeRound(version)
    const run = world.run(scraper).catch(() => null)
    await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_MS))
    killPart(world.backend, 'backend')
    await run
    // The database is started again with the backend.
    const seen = await vi.waitFor(look, LATEST)
    expect([SEED, version, seen]).toEqual([
      SEED,
      version,
      // Below what was moved paths may wait for the next run.
      { ...seen, withoutEdge: 0, halfWritten: 0, wronglyGone: 0 },
    ])
    const answer = await vi.waitFor(() => world.run(scraper), LATEST)
    expect([SEED, version, answer.status, answer.errors]).toEqual([SEED, version, 'SUCCESS', []])
    const gone = countGone(version)
    expect(await look()).toEqual({
      live: ITEMS - gone,
      gone,
      misplaced: 0,
      withoutEdge: 0,
      halfWritten: 0,
      wronglyGone: 0,
    })
    expect([SEED, version, await countTwice()]).toEqual([SEED, version, 0])
  }
})

interface Soundness {
  readonly live: number
  readonly gone: number
  readonly misplaced: number
  readonly withoutEdge: number
  readonly halfWritten: number
  readonly wronglyGone: number
}

async function look(): Promise<Soundness> {
  const { rows } = await world.database.query<Soundness>(
    `select count(*) filter (where item.deleted_at is null)::int as live,
       count(*) filter (where item.deleted_at is not null)::int as gone,
       count(*) filter (where item.deleted_at is null
         and item.path is distinct from coalesce(parent.path || '.', '') || item.id)::int as misplaced,
       count(*) filter (where item.parent_id is not null and not exists (
         select from config_relationships as edge
         where edge.config_id = item.parent_id and edge.related_id = item.id and edge.relation = 'hard'))::int as "withoutEdge",
       count(*) filter (where item.deleted_at is null and ((item.config ->> 'version')::int % 2 = 1) <> exists (
         select from config_analysis as insight
         where insight.config_id = item.id and insight.status = 'open'))::int as "halfWritten",
       count(*) filter (where item.deleted_at is not null and item.external_id[1]::int % 7 <> 6)::int as "wronglyGone"
     from config_items as item left join config_items as parent on parent.id = item.parent_id
     where item.scraper_id = $1`,
    [scraper],
  )
  if (!rows[0]) throw new Error('the database counts nothing')
  return rows[0]
}

/** Of each item and version it was seen in. */
async function countTwice(): Promise<number> {
  const { rows } = await world.database.query<{ count: number }>(
    `select count(*)::int as count from (
       select config_id, patches from config_changes where change_type = 'diff'
       group by config_id, patches having count(*) > 1) as twice`,
  )
  return rows[0]?.count ?? -1
}
