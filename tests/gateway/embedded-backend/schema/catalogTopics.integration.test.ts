// What the database says on the channel of live topics when the catalog is written, and how often.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type CatalogRows, createCatalogRows } from '../../../support/catalogRows.ts'
import { startTestDatabase, type TestDatabase } from '../../../support/database.ts'

let database: TestDatabase
let rows: CatalogRows
let listener: Client
const heard: string[] = []

beforeAll(async () => {
  database = await startTestDatabase()
  rows = createCatalogRows(database.pool)
  listener = new Client({ connectionString: database.databaseUrl })
  listener.on('notification', ({ payload }) => heard.push(payload ?? ''))
  await listener.connect()
  await listener.query('listen watchroom_topic')
})
afterAll(async () => {
  await listener?.end()
  await database?.stop()
})

/** Whatever was said before has been heard. */
async function hear(marker: string): Promise<void> {
  await database.pool.query(`notify watchroom_topic, '${marker}'`)
  await expect.poll(() => heard.at(-1)).toBe(marker)
}

/** Items and changes are events as well, of which its own topic tells. */
const OF_EVENTS = 'eventQueue'

/** What was said of the catalog meanwhile. */
async function heardOf<Value>(write: () => Promise<Value>): Promise<{ said: string[]; value: Value }> {
  await hear('begin')
  heard.length = 0
  const value = await write()
  await hear('end')
  return {
    said: heard
      .slice(0, -1)
      .filter((topic) => topic !== OF_EVENTS)
      .toSorted(),
    value,
  }
}

const saidOf = async (write: () => Promise<unknown>): Promise<string[]> => (await heardOf(write)).said
const sql = (text: string, values: readonly unknown[] = []) => saidOf(() => database.pool.query(text, [...values]))

describe('lists and pages of the catalog are woken', () => {
  it('by an item that is new, changed, deleted, back and gone', async () => {
    const { said, value: id } = await heardOf(() => rows.item('woken'))
    const all = ['catalogSummary', `config:${id}`, 'configs']
    expect(said).toEqual(all)
    expect(await sql(`update config_items set config = '{"a": 1}' where id = $1`, [id])).toEqual(all)
    // Components stand for items: their cards show the health of these.
    for (const change of [`health = 'unhealthy'`, 'deleted_at = now()', 'deleted_at = null']) {
      expect([change, ...(await sql(`update config_items set ${change} where id = $1`, [id]))]).toEqual([
        change,
        ...all,
        'topology',
      ])
    }
    const gone = await sql('delete from config_items where id = $1', [id])
    expect(gone).toEqual([...all, 'configChanges'].toSorted())
  })

  it('by no scrape that found nothing new', async () => {
    const id = await rows.item('calm')
    await rows.insight(id)
    expect(await sql('update config_items set last_scraped_time = now() where id = $1', [id])).toEqual([])
    expect(await sql('update config_analysis set last_observed = now() where config_id = $1', [id])).toEqual([])
  })

  it('by a change, at its item and what that is part of, and by one that is counted again', async () => {
    const parent = await rows.item('parent')
    const child = await rows.item('child', { parent_id: parent })
    await database.pool.query('update config_items set path = $2 where id = $1', [child, `${parent}.${child}`])
    const all = ['catalogSummary', `config:${child}`, `config:${parent}`, 'configChanges', 'configs'].toSorted()
    const change = { external_change_id: 'once', details: { at: 1 } }
    expect(await saidOf(() => rows.change(child, change))).toEqual(all)
    expect(await saidOf(() => rows.change(child, { ...change, details: { at: 2 } }))).toEqual(all)
    expect(await sql('delete from config_changes where config_id = $1', [child])).toEqual(['configChanges'])
  })

  it('by an insight that opens or is resolved, a relation, a check and a run', async () => {
    const [one, other] = [await rows.item('one'), await rows.item('other')]
    const all = ['catalogSummary', `config:${one}`, 'configInsights', 'configs'].toSorted()
    expect(await saidOf(() => rows.insight(one))).toEqual(all)
    expect(await sql(`update config_analysis set status = 'resolved' where config_id = $1`, [one])).toEqual(all)
    expect(await sql('delete from config_analysis where config_id = $1', [one])).toEqual(all)
    const ends = [`config:${one}`, `config:${other}`, 'configRelationships'].toSorted()
    expect(await saidOf(() => rows.relate(one, other))).toEqual(ends)
    expect(await sql('update config_relationships set deleted_at = now() where config_id = $1', [one])).toEqual(ends)
    expect(await sql('delete from config_relationships where config_id = $1', [one])).toEqual(ends)
  })

  it('by a scraper and its jobs, and by no other job', async () => {
    const { said, value: id } = await heardOf(() => rows.scraper('files'))
    expect(said).toEqual(['scrapers', 'settings:config_scrapers'])
    const job = `insert into job_history (name, resource_type, resource_id, status) values ('Scraper', $1, $2, 'RUNNING')`
    expect(await sql(job, ['config_scraper', id])).toEqual(['jobs', 'scrapers'])
    expect(await sql(job, ['topology', id])).toEqual(['jobs'])
  })

  it('once by thousands of rows, whether a statement or a transaction wrote them', async () => {
    const { said, value: ids } = await heardOf(() => rows.items(5_000, (index) => ({ name: `many ${index}` })))
    expect(said).toEqual(['catalogSummary', 'config', 'configs'])
    const changes = () =>
      rows.changes(5_000, (index) => ({ config_id: ids[index] ?? '', external_change_id: `seen ${index}` }))
    const told = await saidOf(changes)
    expect(told.filter((payload) => !payload.startsWith('config:'))).toEqual([
      'catalogSummary',
      'config',
      'configChanges',
      'configs',
    ])
    expect(told.length).toBeLessThanOrEqual(24)
  })
})
