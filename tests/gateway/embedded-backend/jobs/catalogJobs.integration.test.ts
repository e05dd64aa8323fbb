import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type CatalogRows, createCatalogRows } from '#support/catalogRows.ts'
import { startTestDatabase, type TestDatabase } from '#support/database.ts'

import { CATALOG_JOBS } from '../../../../gateway/src/embedded-backend/jobs/catalogJobs.ts'
import { createJobRunner } from '../../../../gateway/src/embedded-backend/jobs/createJobRunner.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

const AGENT = '018f0000-0000-7000-8000-00000000a6e7'

let database: TestDatabase
let catalog: CatalogRows

beforeEach(async () => {
  database = await startTestDatabase()
  catalog = createCatalogRows(database.pool)
})
afterEach(() => database.stop())

async function select<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await database.pool.query(text, values)).rows as Row[]
}

/** Runs a job at noon of 10 March. @returns its row in the log */
async function run(name: string): Promise<{ status: string; success_count: number; details: { errors?: string[] } }> {
  const runner = createJobRunner({
    pool: database.pool,
    clock: { ...systemClock, now: () => Date.parse('2026-03-10T12:00:00Z') },
    logger: pino({ level: 'silent' }),
    random: Math.random,
    hostname: 'host-1',
    jobs: CATALOG_JOBS,
  })
  await runner.runNow(name)
  const [row] = await select<{ status: string; success_count: number; details: { errors?: string[] } }>(
    'select status, success_count, details from job_history where name = $1',
    [name],
  )
  if (!row) throw new Error(`${name} left no row`)
  return row
}

/** Evidence of an incident, whose other columns are empty, as most of them are. */
async function insertEvidence(column: string, id: string | null): Promise<void> {
  await database.pool.query(
    `with person as (insert into people (name) values ('Ada') returning id),
       incident as (
         insert into incidents (title, description, type, severity, status, created_by)
         select 'Down', '', 'availability', 'Low', 'open', id from person returning id, created_by),
       hypothesis as (
         insert into hypotheses (incident_id, title, type, status, created_by)
         select id, 'Why', 'root', 'possible', created_by from incident returning id, created_by)
     insert into evidences (hypothesis_id, type, description, created_by, ${column})
     select id, 'config', '', created_by, $1 from hypothesis`,
    [id],
  )
}

const insertAgent = () => database.pool.query(`insert into agents (id, name) values ($1, 'north')`, [AGENT])

const names = async (table: string, column: string): Promise<string[]> =>
  (await select<{ name: string }>(`select ${column} as name from ${table} order by 1`)).map(({ name }) => name)

const insightsOf = async (): Promise<string[]> =>
  (
    await select<{ insight: string }>(
      `select item.name || ': ' || insight.status as insight
       from config_analysis as insight join config_items as item on item.id = insight.config_id order by 1`,
    )
  ).map(({ insight }) => insight)

describe('clean-up of the catalog', () => {
  it('deletes changes older than 60 days, but none that is evidence, though other evidence names no change', async () => {
    const item = await catalog.item('a')
    await catalog.change(item, { summary: 'old', created_at: '2026-01-08T00:00:00Z' })
    await catalog.change(item, { summary: 'young', created_at: '2026-01-10T00:00:00Z' })
    const named = await catalog.change(item, { summary: 'named', created_at: '2025-01-01T00:00:00Z' })
    await insertEvidence('config_change_id', named)
    await insertEvidence('config_change_id', null)
    expect(await run('CleanupConfigChanges')).toMatchObject({ status: 'SUCCESS', success_count: 1 })
    expect(await names('config_changes', 'summary')).toEqual(['named', 'young'])
  })

  it('deletes insights that nobody saw for 60 days, but none that is evidence', async () => {
    const item = await catalog.item('a')
    await catalog.insight(item, { analyzer: 'old', last_observed: '2026-01-08T00:00:00Z' })
    await catalog.insight(item, { analyzer: 'young', last_observed: '2026-01-10T00:00:00Z' })
    const named = await catalog.insight(item, { analyzer: 'named', last_observed: '2025-01-01T00:00:00Z' })
    await insertEvidence('config_analysis_id', named)
    await insertEvidence('config_analysis_id', null)
    expect(await run('CleanupConfigAnalysis')).toMatchObject({ status: 'SUCCESS', success_count: 1 })
    expect(await names('config_analysis', 'analyzer')).toEqual(['named', 'young'])
  })

  it('follows the property, and says which one is nonsense', async () => {
    const item = await catalog.item('a')
    await catalog.change(item, { created_at: '2026-03-08T00:00:00Z' })
    await database.pool.query(`insert into properties (name, value) values ('config.changes.retention.period', 'soon')`)
    const { status, details } = await run('CleanupConfigChanges')
    expect(status).toBe('FAILED')
    expect(details.errors?.[0]).toContain('config.changes.retention.period')
    await database.pool.query(`update properties set value = '1d'`)
    await run('CleanupConfigChanges')
    expect(await names('config_changes', 'summary')).toEqual([])
  })

  it('deletes items a week after they were deleted, more than one batch, with parents and all; not what a record names', async () => {
    const old = { deleted_at: '2026-03-03T00:00:00Z' }
    const parent = await catalog.item('parent', old)
    const child = await catalog.item('child', { parent_id: parent })
    await catalog.items(450, (index) => ({ name: `old-${index}`, parent_id: parent, ...old }))
    await catalog.item('recent', { deleted_at: '2026-03-04T00:00:00Z' })
    await insertEvidence('config_id', await catalog.item('evidence', old))
    const silenced = await catalog.item('silenced', old)
    await database.pool.query(
      `insert into notification_silences (config_id, "from", until, namespace) values ($1, now(), now(), '')`,
      [silenced],
    )
    expect(await run('CleanupConfigItems')).toMatchObject({ status: 'SUCCESS', success_count: 451 })
    expect(await names('config_items', 'name')).toEqual(['child', 'evidence', 'recent', 'silenced'])
    expect(await select('select parent_id from config_items where id = $1', [child])).toEqual([{ parent_id: null }])
  })
})

describe('items of a type', () => {
  it('are deleted by the ages that their scraper names, and go for good when it says; those of others stay', async () => {
    const types = [
      { name: 'Pod', createdAge: '7d' },
      { name: 'Job', updatedAge: '2d' },
      { name: 'Old', deletedAge: '30d' },
      { name: 'Brief', deletedAge: '1h' },
    ]
    const scraper = await catalog.scraper('ruled', { spec: { retention: { types } } })
    const day = (of: number): string => `2026-03-${String(of).padStart(2, '0')}T00:00:00Z`
    const item = (name: string, type: string, values: object) =>
      catalog.item(name, { scraper_id: scraper, type, created_at: day(9), updated_at: day(9), ...values })
    await item('young pod', 'Pod', {})
    await item('old pod', 'Pod', { created_at: day(1) })
    await item('busy job', 'Job', { created_at: day(1) })
    await catalog.insight(await item('idle job', 'Job', { created_at: day(1), updated_at: day(7) }))
    await catalog.insight(await item('seen job', 'Job', {}))
    await item('long gone', 'Old', { deleted_at: day(1) })
    await item('just gone', 'Brief', { deleted_at: day(10) })
    await catalog.item('of another', { type: 'Pod', created_at: day(1), scraper_id: await catalog.scraper('other') })
    // Its source shows it still: were it to go, the next run would find it anew.
    const kept = { delete_reason: 'its scraper keeps items of this type no longer', deleted_at: day(1) }
    await item('still shown', 'Pod', { ...kept, last_scraped_time: day(10) })
    await item('shown no more', 'Pod', { ...kept, last_scraped_time: day(1) })
    expect(await run('CleanupConfigItems')).toMatchObject({ status: 'SUCCESS', success_count: 4 })
    const left = await select<{ name: string; gone: boolean }>(
      'select name, deleted_at is not null as gone from config_items order by name',
    )
    expect(left.map(({ name, gone }) => `${name}${gone ? ' deleted' : ''}`)).toEqual([
      'busy job',
      'idle job deleted',
      'long gone deleted',
      'of another',
      'old pod deleted',
      'seen job',
      'still shown deleted',
      'young pod',
    ])
    expect(await insightsOf()).toEqual(['idle job: resolved', 'seen job: open'])
  })
})

describe('items of agents', () => {
  it('are deleted softly when the agent has not told of them for a day, or as long as their scraper says', async () => {
    await insertAgent()
    const scraperOf = (name: string, retention?: object) =>
      catalog.scraper(name, { agent_id: AGENT, spec: retention ? { retention } : {} })
    const ages = { fresh: '2026-03-09T13:00:00Z', stale: '2026-03-09T11:00:00Z' }
    for (const [name, scraper] of [
      ['usual', await scraperOf('usual')],
      ['longer', await scraperOf('longer', { staleItemAge: '2d' })],
      ['shorter', await scraperOf('shorter', { staleItemAge: '1h' })],
      ['kept', await scraperOf('kept', { staleItemAge: 'keep' })],
    ] as const) {
      for (const [age, last_scraped_time] of Object.entries(ages)) {
        await catalog.insight(
          await catalog.item(`${name} ${age}`, { agent_id: AGENT, scraper_id: scraper, last_scraped_time }),
        )
      }
    }
    const local = await catalog.scraper('local')
    await catalog.item('local stale', { scraper_id: local, last_scraped_time: ages.stale })
    expect(await run('SoftDeleteAgentStaleItems')).toMatchObject({ status: 'SUCCESS', success_count: 3 })
    expect(
      await select('select name, delete_reason from config_items where deleted_at is not null order by name'),
    ).toEqual(
      ['shorter fresh', 'shorter stale', 'usual stale'].map((name) => ({
        name,
        delete_reason: 'its agent has not told of it any more',
      })),
    )
    expect((await insightsOf()).filter((insight) => insight.endsWith('resolved'))).toEqual([
      'shorter fresh: resolved',
      'shorter stale: resolved',
      'usual stale: resolved',
    ])
  })
})

describe('rules of scrapers', () => {
  it('delete changes of a type by age and by number of each item; others, and evidence, stay', async () => {
    const scraper = await catalog.scraper('ruled', {
      spec: {
        retention: {
          changes: [
            { name: 'Pulled', age: '7d' },
            { name: 'diff', count: 2 },
          ],
        },
      },
    })
    const ruled = await catalog.item('ruled', { scraper_id: scraper })
    const sibling = await catalog.item('sibling', { scraper_id: scraper })
    const other = await catalog.item('other', { scraper_id: await catalog.scraper('other') })
    const days = ['2026-03-01', '2026-03-05', '2026-03-08', '2026-03-09']
    for (const item of [ruled, sibling, other]) {
      for (const change_type of ['Pulled', 'diff']) {
        await catalog.changes(days.length, (index) => ({ config_id: item, change_type, created_at: days[index] }))
      }
    }
    const [evidence] = await select<{ id: string }>(
      `select id from config_changes where config_id = $1 and change_type = 'diff' order by created_at limit 1`,
      [ruled],
    )
    await insertEvidence('config_change_id', evidence?.id ?? null)
    expect(await run('Process Change Retention Rules')).toMatchObject({ status: 'SUCCESS', success_count: 5 })
    expect(
      await select(
        `select name, change_type, array_agg(extract(day from config_changes.created_at)::integer order by config_changes.created_at) as days
         from config_changes join config_items on config_items.id = config_id group by name, change_type order by name, change_type collate "C" desc`,
      ),
    ).toEqual([
      { name: 'other', change_type: 'diff', days: [1, 5, 8, 9] },
      { name: 'other', change_type: 'Pulled', days: [1, 5, 8, 9] },
      { name: 'ruled', change_type: 'diff', days: [1, 8, 9] },
      { name: 'ruled', change_type: 'Pulled', days: [5, 8, 9] },
      { name: 'sibling', change_type: 'diff', days: [8, 9] },
      { name: 'sibling', change_type: 'Pulled', days: [5, 8, 9] },
    ])
  })

  it('that nobody can read are told with the name of their scraper, and the others go on', async () => {
    await insertAgent()
    await catalog.scraper('broken', { agent_id: AGENT, spec: { retention: { changes: [{ age: '7d' }] } } })
    const scraper = await catalog.scraper('ruled', { spec: { retention: { changes: [{ name: 'diff', count: 0 }] } } })
    await catalog.change(await catalog.item('a', { scraper_id: scraper }))
    const { status, details } = await run('Process Change Retention Rules')
    expect(status).toBe('WARNING')
    expect(details.errors).toEqual(['scraper broken: retention.changes.0.name: This field is required'])
    expect(await names('config_changes', 'summary')).toEqual([])
  })
})
