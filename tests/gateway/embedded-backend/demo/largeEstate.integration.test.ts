// The catalog of the profile large, in small: a month of it through the engine, and then the files, which say the same.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { ESTATE_TIMES, type EstateWorld, startEstateWorld } from '#support/estateWorld.ts'
import { eventually } from '#support/eventually.ts'

import { DAY_MS } from '../../../../gateway/src/embedded-backend/demo/catalog/estateItems.ts'
import {
  LARGE_ESTATE,
  LARGE_FOLDER,
  toLargePast,
  writeLargeEstate,
} from '../../../../gateway/src/embedded-backend/demo/catalog/largeEstate.ts'
import { PAST_DAYS, runPast } from '../../../../gateway/src/embedded-backend/demo/catalog/runPast.ts'
import { seedScraper } from '../../../../gateway/src/embedded-backend/demo/seedScrapers.ts'

const COUNT = 2_300
/** Edited more often than it is read: a run sees one change of each. */
const STEP_DAYS = 15
const ROUNDS = PAST_DAYS / STEP_DAYS
const { since, until } = ESTATE_TIMES

let world: EstateWorld
beforeAll(async () => {
  world = await startEstateWorld(LARGE_ESTATE, (deps) => runPast(deps, toLargePast(COUNT, STEP_DAYS), ESTATE_TIMES))
})
afterAll(() => world?.stop())

const count = (what: string): Promise<number> => world.count(what)

describe('the catalog of the profile large', () => {
  it('goes through the engine: items on five levels, what was told of deployments, and their releases', async () => {
    expect(await count('config_items where deleted_at is null')).toBe(COUNT)
    expect(await count(`config_items where array_length(string_to_array(path, '.'), 1) = 5`)).toBe(79)
    expect(await count(`config_changes where change_type <> 'diff'`)).toBe(2_000 * 10)
    const releases = await count(`config_changes where change_type = 'diff' and patches::text like '%/service-%'`)
    expect(releases).toBeGreaterThan(2_000)
    expect(releases).toBeLessThanOrEqual(2 * 2_000)
    expect(await count(`config_changes where created_at > to_timestamp(${until / 1_000})`)).toBe(0)
  })

  it('has each item changed by each round, at a time of its own', async () => {
    expect(await count(`config_changes where change_type = 'diff'`)).toBe(COUNT * ROUNDS)
    expect(await count(`(select distinct config_id from config_changes where change_type = 'diff') items`)).toBe(COUNT)
    const hours = `(select distinct date_trunc('hour', created_at) from config_changes where change_type = 'diff') hours`
    expect(await count(hours)).toBeGreaterThan(100)
    expect(await count(`config_changes where created_at < to_timestamp(${since / 1_000})`)).toBe(0)
    expect(await count(`config_changes where change_type = 'diff' and external_created_by not like '%-bot'`)).toBe(0)
    expect(await count(`job_history where resource_id = '${LARGE_ESTATE.id}' and status <> 'SUCCESS'`)).toBe(0)
  })

  it('goes on from its files as if nothing had happened', async () => {
    await writeLargeEstate(world.sources, until, COUNT)
    expect(readdirSync(join(world.sources, LARGE_FOLDER))).toHaveLength(201)
    const changes = await count('config_changes')
    const { errors } = await world.scrape()
    expect(errors).toEqual([])
    expect(await count('config_changes')).toBe(changes)
    expect(await count('config_items where deleted_at is null')).toBe(COUNT)
  })
})

describe('the past of the profile large', { timeout: 120_000 }, () => {
  const ITEMS = 500
  const countIn = async (what: string, { pool }: TestDatabase): Promise<number> => {
    const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from ${what}`)
    return rows[0]?.count ?? Number.NaN
  }

  it('goes on in the round in which it was killed: each change is there once, and no round is made again', async () => {
    const database = await startTestDatabase()
    onTestFinished(() => database.stop())
    const directory = mkdtempSync(join(tmpdir(), 'wr-killed-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    await seedScraper(database.pool, LARGE_ESTATE)
    const make = (end: number) => {
      const program = fileURLToPath(new URL('../../../support/makeLargePast.ts', import.meta.url))
      const measures = [ITEMS, STEP_DAYS, since, end].map(String)
      const command = ['--import', 'tsx', program, database.databaseUrl, directory, ...measures]
      const child = spawn(process.execPath, command, { stdio: 'inherit' })
      onTestFinished(() => void child.kill('SIGKILL'))
      return child
    }
    const runs = async (): Promise<unknown> => {
      const { rows } = await database.pool.query(
        `select status, details ->> 'as_of' as at from job_history where resource_id = $1 order by created_at, id`,
        [LARGE_ESTATE.id],
      )
      return rows
    }
    const day = (days: number): string => new Date(since + days * DAY_MS).toISOString()

    expect(await once(make(since), 'exit')).toEqual([0, null])
    expect(await countIn('config_items', database)).toBe(ITEMS)
    // The second round waits for the last of its items, with the others written.
    const holder = await database.pool.connect()
    await holder.query('begin')
    await holder.query(`select from config_items where external_id[1] = 'deployment/278' for no key update`)
    const killed = make(until)
    const ended = once(killed, 'exit')
    await eventually(async () => expect(await countIn('config_changes', database)).toBe(400))
    killed.kill('SIGKILL')
    await ended
    await holder.query('rollback')
    holder.release()
    expect(await runs()).toMatchObject([{ status: 'SUCCESS' }, { status: 'RUNNING' }])

    expect(await once(make(until), 'exit')).toEqual([0, null])
    expect(await runs()).toEqual([
      { status: 'SUCCESS', at: day(0) },
      { status: 'STALE', at: null },
      { status: 'SUCCESS', at: day(STEP_DAYS) },
      { status: 'SUCCESS', at: day(PAST_DAYS) },
    ])
    const diffs = `config_changes where change_type = 'diff'`
    expect(await countIn(diffs, database)).toBe(ROUNDS * ITEMS)
    expect(await countIn(`(select distinct config_id, patches from ${diffs}) changes`, database)).toBe(ROUNDS * ITEMS)
    expect(await countIn(`config_items where last_scraped_time = to_timestamp(${until / 1_000})`, database)).toBe(ITEMS)
  })
})
