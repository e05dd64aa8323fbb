// Real PostgreSQL for tests: one server per test file, a migrated template, and a copy of it per call.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Pool } from 'pg'
import { pino } from 'pino'
import { afterAll } from 'vitest'

import { createPool } from '../../gateway/src/embedded-backend/postgres/createPool.ts'
import { createPostgres } from '../../gateway/src/embedded-backend/postgres/createPostgres.ts'
import { migrate } from '../../gateway/src/embedded-backend/schema/migrate.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'

const logger = pino({ level: 'silent' })

export interface TestDatabase {
  /** Superuser. */
  pool: Pool
  /** Unix-socket address of this database, usable by `pg`, also for LISTEN. */
  databaseUrl: string
  /** Ends the pool; the database goes with the server when the test file ends. */
  stop(): Promise<void>
}

/** Password of `watchroom_authenticator` in test databases. */
export const TEST_AUTHENTICATOR_PASSWORD = 'authenticator'

const TEMPLATE = 'watchroom_template'

interface Server {
  urlOf: (database: string) => string
  administer: (statement: string) => Promise<void>
  stop: () => Promise<void>
}

let server: Promise<Server> | undefined
let template: Promise<void> | undefined
let count = 0

// Registered at import, so it runs after the hooks of the test file itself.
afterAll(async () => {
  await (await server)?.stop()
})

/** A fresh database with the whole schema and the seed rows. The first call of a file takes about a second, others 50 ms. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const { urlOf, administer } = await startServer()
  template ??= migrateTemplate()
  await template
  const name = `test_${String(++count)}`
  // Copying files costs a third of replaying them through the write-ahead log, which nobody needs here.
  await administer(`create database ${name} template ${TEMPLATE} strategy file_copy`)
  return open(urlOf(name))
}

/** A database without any table, for tests of the migrations themselves. */
export async function startEmptyTestDatabase(): Promise<TestDatabase> {
  const { urlOf, administer } = await startServer()
  const name = `empty_${String(++count)}`
  await administer(`create database ${name}`)
  return open(urlOf(name))
}

function open(databaseUrl: string): TestDatabase {
  const pool = createPool(databaseUrl, logger)
  return { pool, databaseUrl, stop: () => pool.end() }
}

async function migrateTemplate(): Promise<void> {
  const { urlOf, administer } = await startServer()
  await administer(`create database ${TEMPLATE}`)
  const pool = createPool(urlOf(TEMPLATE), logger)
  try {
    await migrate(pool, { logger, authenticatorPassword: TEST_AUTHENTICATOR_PASSWORD })
  } finally {
    await pool.end()
  }
}

function startServer(): Promise<Server> {
  server ??= launchServer()
  return server
}

async function launchServer(): Promise<Server> {
  const directory = mkdtempSync(join(tmpdir(), 'watchroom-test-'))
  // As root the server runs as "nobody", who must be able to walk to its data.
  chmodSync(directory, 0o711)
  const postgres = createPostgres(
    { dataDirectory: directory, settings: { fsync: 'off', full_page_writes: 'off', max_connections: '200' } },
    { clock: systemClock, logger },
  )
  const { databaseUrl } = await postgres.start()
  const administrator = createPool(databaseUrl, logger)
  return {
    urlOf: (database) => databaseUrl.replace('/postgres?', `/${database}?`),
    administer: async (statement) => {
      await administrator.query(statement)
    },
    stop: async () => {
      await administrator.end()
      await postgres.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
