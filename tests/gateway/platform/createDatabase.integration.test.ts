import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { startEmptyTestDatabase, type TestDatabase } from '#support/database.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { until } from '#support/processes.ts'
import { relayDatabase } from '#support/tcpRelay.ts'

import { systemClock } from '../../../gateway/src/platform/clock.ts'
import type { Migration } from '../../../gateway/src/platform/database/applyMigrations.ts'
import { createDatabase, type Database } from '../../../gateway/src/platform/database/createDatabase.ts'
import { inTransaction } from '../../../gateway/src/platform/database/inTransaction.ts'

const FIRST: Migration = { name: '0001_first', sql: 'create table watchroom.first (id integer)' }
const SECOND: Migration = { name: '0002_second', sql: 'create table watchroom.second (id integer)' }

let database: TestDatabase
let opened: Database[]
let warnings: string[]

beforeEach(async () => {
  database = await startEmptyTestDatabase()
  opened = []
  warnings = []
})

afterEach(async () => {
  for (const own of opened) await own.close()
  await database.stop()
})

function open(migrations: readonly Migration[], url = database.databaseUrl): Database {
  const logger = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) })
  const own = createDatabase({ databaseUrl: () => url, migrations, clock: systemClock, logger })
  opened.push(own)
  return own
}

const tables = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'watchroom' and tablename <> 'gateway_migration' order by 1`,
  )
  return rows.map(({ name }) => name)
}

describe("the gateway's own database", () => {
  it('is prepared once by gateways that start together, and brought forward later', async () => {
    const together = [open([FIRST]), open([FIRST]), open([FIRST])]
    await until(() => together.every((own) => own.isReady()), { what: 'ready' })
    expect(await tables()).toEqual(['first'])
    const later = open([FIRST, SECOND])
    await until(later.isReady, { what: 'ready' })
    expect(await tables()).toEqual(['first', 'second'])
  })

  it.each([
    ['a newer program has used it', [FIRST], 'DATABASE_NEWER_THAN_PROGRAM'],
    ['a migration was altered', [FIRST, { ...SECOND, sql: 'select 1' }], 'DATABASE_CHECKSUM_MISMATCH'],
  ])('is not used when %s, and the log says why', async (_why, migrations, code) => {
    const right = open([FIRST, SECOND])
    await until(right.isReady, { what: 'ready' })
    const wrong = open(migrations)
    await until(() => warnings.some((line) => line.includes(code)), { what: code })
    expect(wrong.isReady()).toBe(false)
    expect(() => wrong.pool()).toThrow('cannot be reached')
  })

  it('survives the loss of a connection within a transaction', async () => {
    const own = open([FIRST])
    await until(own.isReady, { what: 'ready' })
    const ended = inTransaction(own.pool(), async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      const gone = new Promise<void>((resolve) => {
        client.once('end', () => resolve())
      })
      // While it is asked nothing: without a listener its error is an uncaught exception, which fails this run.
      await own.pool().query('select pg_terminate_backend($1)', [rows[0]?.pid])
      await gone
      await client.query('select 1')
    })
    await expect(ended).rejects.toThrow('Client has encountered a connection error')
    expect(await own.answers()).toBe(true)
  })

  it('warns once of a database that cannot be reached, however often it is looked for', async () => {
    const clock = new FakeClock()
    let looks = 0
    const logger = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) })
    const databaseUrl = (): string => {
      looks += 1
      return 'postgresql://postgres@127.0.0.1:1/postgres'
    }
    opened.push(createDatabase({ databaseUrl, migrations: [FIRST], clock, logger }))
    const lookAgain = async (): Promise<boolean> => {
      await clock.advance(500)
      return looks > 3
    }
    await until(lookAgain, { what: 'several attempts' })
    expect(warnings).toEqual([expect.stringContaining('ECONNREFUSED')])
  })

  it('ends a statement at the database before it gives it up itself', async () => {
    const own = open([FIRST])
    await until(own.isReady, { what: 'ready' })
    const { rows } = await own
      .pool()
      .query<{ ms: number }>(`select setting::int as ms from pg_settings where name = 'statement_timeout'`)
    expect(rows[0]?.ms).toBeGreaterThan(0)
    expect(rows[0]?.ms).toBeLessThan(own.pool().options.query_timeout ?? 0)
  })

  it('answers or not as the database does now, and again once it does', async () => {
    const relay = await relayDatabase(database)
    onTestFinished(() => relay.close())
    const own = open([FIRST], relay.url)
    await until(own.isReady, { what: 'ready' })
    expect(await own.answers()).toBe(true)
    relay.setSilent(true)
    expect(await own.answers()).toBe(false)
    // Those that hang are not what is asked the next time.
    relay.setSilent(false)
    await until(() => own.answers(), { what: 'an answer' })
  })
})
