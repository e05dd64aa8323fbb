import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startEmptyTestDatabase, type TestDatabase } from '#support/database.ts'
import { until } from '#support/processes.ts'

import { systemClock } from '../../../gateway/src/platform/clock.ts'
import type { Migration } from '../../../gateway/src/platform/database/applyMigrations.ts'
import { createDatabase, type Database } from '../../../gateway/src/platform/database/createDatabase.ts'

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

function open(migrations: readonly Migration[]): Database {
  const logger = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) })
  const own = createDatabase({ databaseUrl: () => database.databaseUrl, migrations, clock: systemClock, logger })
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
})
