import { AUTHENTICATOR_ROLE } from '@watchroom/shared/access'
// Real PostgreSQL for tests: databases of their own on the server of this worker, each a copy of the migrated one.
import type { Pool } from 'pg'
import { pino } from 'pino'

import { type Channels, createChannels } from '../../gateway/src/embedded-backend/postgres/createChannels.ts'
import { createPool } from '../../gateway/src/embedded-backend/postgres/createPool.ts'
import { createVault, type Vault } from '../../gateway/src/embedded-backend/secrets/createVault.ts'
import { prepareSecretKey } from '../../gateway/src/embedded-backend/secrets/secretKey.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'
import { preparedData } from './preparedData.ts'
import { testServerUrl } from './testServer.ts'

const logger = pino({ level: 'silent' })

export interface TestDatabase {
  /** Superuser. */
  pool: Pool
  channels: Channels
  /** Unix-socket address of this database, usable by `pg`, also for LISTEN. */
  databaseUrl: string
  vault: Vault
  /** Ends the pool; the database goes when the test file ends. */
  stop(): Promise<void>
}

/** Password of `watchroom_authenticator` in test databases. */
export const TEST_AUTHENTICATOR_PASSWORD = 'authenticator'

/** What test databases seal credentials to. */
export const TEST_SECRET_KEY = prepareSecretKey(preparedData() ?? '')

const MIGRATED = 'postgres'
/** Where one connects to make databases: a database that is copied must have no visitors. */
const LOBBY = 'template1'

let administrator: Pool | undefined
const made: string[] = []

/** After every file (setup/ownDatabases.ts): the next one of this worker finds nothing of it. */
export async function dropTestDatabases(): Promise<void> {
  for (const name of made.splice(0)) await administer(`drop database if exists ${name} with (force)`)
  await administrator?.end()
  administrator = undefined
}

/** A fresh database with the whole schema and the seed rows, in some 50 ms. */
export async function startTestDatabase(): Promise<TestDatabase> {
  // Copying files costs a third of replaying them through the write-ahead log, which nobody needs here.
  return make('test', `template ${MIGRATED} strategy file_copy`)
}

/** A database without any table, for tests of the migrations themselves. */
export function startEmptyTestDatabase(): Promise<TestDatabase> {
  return make('empty', 'template template0')
}

async function make(kind: string, copy: string): Promise<TestDatabase> {
  // Roles belong to the server: another file may have given this one another password.
  if (made.length === 0) await administer(`alter role ${AUTHENTICATOR_ROLE} password '${TEST_AUTHENTICATOR_PASSWORD}'`)
  const name = `${kind}_${process.pid}_${made.length}`
  made.push(name)
  await administer(`create database ${name} ${copy}`)
  const databaseUrl = urlOf(name)
  const pool = createPool(databaseUrl, logger)
  const channels = createChannels({ pool, clock: systemClock, logger })
  return { pool, channels, databaseUrl, vault: createVault({ pool, key: TEST_SECRET_KEY }), stop: () => pool.end() }
}

async function administer(statement: string): Promise<void> {
  administrator ??= createPool(urlOf(LOBBY), logger, { max: 1 })
  await administrator.query(statement)
}

const urlOf = (database: string): string => testServerUrl().replace('/postgres?', `/${database}?`)
