// Kills the backend's process the hard way in the middle of runs of a scraper: somewhere, and in each phase of a run. No item is half written or wrongly
// deleted, the next run completes, and each change is there once.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { eventually } from '#support/eventually.ts'

import { howMany } from '../support/howMany.ts'
import { killPart } from '../support/killPart.ts'
import { createRandom } from '../support/random.ts'
import { type ScraperWorld, startScraperWorld } from '../support/scraperWorld.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_123)
const KILLS = howMany('WATCHROOM_FAULT_ROUNDS', { short: 1, long: 40 })
const ITEMS = 300
const LONGEST_MS = 900
const TIMES = { timeout: 120_000 }
const LATEST = { timeout: 40_000, interval: 200 }

let world: ScraperWorld
let scraper: string

beforeAll(async () => {
  world = await startScraperWorld({ programs: { savers: 'admin', hidden: [] } })
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

/** Of the files, and of those that are written next. */
let version = 0

/** All of a version; every seventh is gone in odd ones. */
function writeRound(next: number): void {
  for (let index = 0; index < ITEMS; index++) {
    const path = `killed/${index}.json`
    if (isGone(next, index)) {
      if (!isGone(version, index)) world.remove(path)
    } else {
      const partOf = index === 0 ? {} : { partOf: `${Math.floor(index / 7)}` }
      world.write(path, JSON.stringify({ id: `${index}`, version: next, uses: `${index + 1}`, ...partOf }))
    }
  }
  version = next
}

it('leaves nothing half done when the backend is killed', { timeout: 1_200_000 }, async () => {
  const random = createRandom(SEED)
  writeRound(0)
  await world.run(scraper)
  for (let kill = 0; kill < KILLS; kill++) {
    writeRound(version + 1)
    const run = world.run(scraper).catch(() => null)
    await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_MS))
    killPart(world.backend, 'backend')
    await run
    await expectCompletion([SEED, version])
  }
  expect(version).toBe(KILLS)
})

interface Phase {
  readonly name: string
  /** What the run finds: all items changed; those, and some gone; one that stands elsewhere, with what is below it; nothing new. */
  readonly finds: 'changed' | 'gone' | 'moved' | 'nothing'
  /** What makes the run wait: a lock of someone else. */
  readonly hold: string
  /** What it waits with. */
  readonly waiting: string
}

const ROW_OF = (key: string): string =>
  `select from config_items where external_id[1] = '${key}' and scraper_id = (
     select id from config_scrapers where name = 'killed') for no key update`

const PHASES: readonly Phase[] = [
  {
    name: 'begins its row in the job history',
    finds: 'changed',
    hold: 'lock table job_history in exclusive mode',
    waiting: 'insert into job_history%',
  },
  {
    name: 'reads what is stored',
    finds: 'changed',
    hold: 'lock table watchroom_internal.scraped_items in access exclusive mode',
    waiting: '%as scraped%',
  },
  {
    name: 'is in the middle of a batch',
    finds: 'changed',
    hold: 'lock table config_analysis in exclusive mode',
    waiting: '%config_analysis%',
  },
  {
    name: 'relates items',
    finds: 'changed',
    hold: 'lock table config_relationships in access exclusive mode',
    waiting: '%from config_relationships%',
  },
  { name: 'deletes what is gone', finds: 'gone', hold: ROW_OF('6'), waiting: '%update config_items set deleted_at%' },
  {
    name: 'moves what stands below what was moved',
    finds: 'moved',
    hold: ROW_OF('57'),
    waiting: 'update config_items set parent_id%',
  },
  { name: 'says when it saw the rest', finds: 'nothing', hold: ROW_OF('1'), waiting: '%last_scraped_time%' },
]

it.each(PHASES)('completes what a run left that was killed while it $name', TIMES, async ({ finds, hold, waiting }) => {
  if (finds === 'moved') world.write('killed/8.json', JSON.stringify({ id: '8', version, uses: '9', partOf: '2' }))
  else if (finds !== 'nothing') writeRound(version + ((version % 2 === 1) === (finds === 'gone') ? 2 : 1))
  expect(await killWhile(scraper, hold, waiting)).toBeNull()
  await expectCompletion([version])
})

it('tells each change once where a run is killed while it tells them', TIMES, async () => {
  const changes = [1, 2, 3].map((number) => ({ id: `deploy ${number}`, type: 'Deployed', summary: `${number}` }))
  const item = { config: { a: 1 }, id: 'told', name: 'told', type: 'Told', changes }
  const telling = await world.addScraper('telling', {
    exec: [{ script: `cat <<'END'\n${JSON.stringify(item)}\nEND\n` }],
  })
  expect(
    await killWhile(telling, 'lock table config_changes in exclusive mode', '%known.external_change_id%'),
  ).toBeNull()
  const answer = await eventually(() => world.run(telling), LATEST)
  expect(answer).toMatchObject({ status: 'SUCCESS', errors: [] })
  const { rows } = await world.database.query<{ summary: string; count: number }>(
    `select summary, count from config_changes where change_type = 'Deployed' order by summary`,
  )
  expect(rows).toEqual(changes.map(({ summary }) => ({ summary, count: 1 })))
})

/** Kills the backend while a run waits for what someone else has locked. @returns what the run answered: null */
async function killWhile(id: string, hold: string, waiting: string): Promise<unknown> {
  const holder = await world.database.connect()
  holder.on('error', () => undefined)
  try {
    await holder.query('begin')
    await holder.query(hold)
    const run = world.run(id).catch(() => null)
    await eventually(async () => {
      const { rows } = await world.database.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and ltrim(query, E' \\n') ilike $1`,
        [waiting],
      )
      expect(rows).not.toHaveLength(0)
    }, LATEST)
    killPart(world.backend, 'backend')
    return await run
  } finally {
    holder.release(true)
  }
}

/** What a kill left is sound, the next run completes it, and nothing is told twice. */
async function expectCompletion(seen: readonly unknown[]): Promise<void> {
  // The database is started again with the backend.
  const left = await eventually(look, LATEST)
  // Below what was moved paths may wait for the next run.
  expect([...seen, left]).toEqual([...seen, { ...left, withoutEdge: 0, halfWritten: 0, wronglyGone: 0 }])
  const answer = await eventually(() => world.run(scraper), LATEST)
  expect([...seen, answer.status, answer.errors]).toEqual([...seen, 'SUCCESS', []])
  const gone = countGone(version)
  expect(await look()).toEqual({
    live: ITEMS - gone,
    gone,
    misplaced: 0,
    withoutEdge: 0,
    halfWritten: 0,
    wronglyGone: 0,
  })
  expect([...seen, await countTwice()]).toEqual([...seen, 0])
}

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
