// The gateway's own database: a pool to wherever the database is now, brought to the schema of this program before first use.

import { createHash } from 'node:crypto'

import { type Clock, createTimer } from '@watchroom/shared/kernel'
import { Pool } from 'pg'

import { CodedError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { databaseErrors } from './errors.ts'
import { inTransaction } from './inTransaction.ts'

/** Any constant will do; it only has to be the same in every gateway. */
const MIGRATION_LOCK = 7_461_303
const MAX_CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 5_000
const RETRY_MS = 500

export interface Migration {
  readonly name: string
  readonly sql: string
}

export interface Database {
  /** @throws CodedError DATABASE_UNAVAILABLE while there is none, or its schema is not ready */
  pool(): Pool
  readonly isReady: () => boolean
  close(): Promise<void>
}

/** @param deps.databaseUrl where the database is now; it moves when the embedded backend restarts, null while unknown */
export function createDatabase(deps: {
  databaseUrl: () => string | null
  migrations: readonly Migration[]
  clock: Clock
  logger: Logger
}): Database {
  const { logger } = deps
  const timer = createTimer(deps.clock)
  let current: { url: string; pool: Pool; isMigrated: boolean } | null = null
  let isClosed = false

  /** Follows the address and prepares the schema; looks again until it is done, and then for another address. */
  const follow = async (): Promise<void> => {
    const url = deps.databaseUrl()
    if (url !== null && current?.url !== url) {
      const former = current?.pool
      current = { url, pool: open(url, logger), isMigrated: false }
      await former?.end()
    }
    if (current && !current.isMigrated) {
      try {
        await migrate(current.pool, deps.migrations)
        current.isMigrated = true
      } catch (error) {
        logger.warn({ err: error }, 'database of the gateway not ready')
      }
    }
    if (!isClosed) timer.set(() => void follow(), RETRY_MS)
  }
  void follow()

  return {
    pool: () => {
      if (!current?.isMigrated) throw new CodedError(databaseErrors.DATABASE_UNAVAILABLE)
      return current.pool
    },
    isReady: () => current?.isMigrated ?? false,
    close: async () => {
      isClosed = true
      timer.clear()
      await current?.pool.end()
    },
  }
}

function open(url: string, logger: Logger): Pool {
  const pool = new Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'watchroom-gateway',
  })
  // An idle connection that breaks is replaced by the pool; without a listener the error would end the process.
  pool.on('error', (error) => logger.info({ err: error }, 'idle database connection lost'))
  return pool
}

async function migrate(pool: Pool, migrations: readonly Migration[]): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await client.query(`
      create schema if not exists watchroom;
      create table if not exists watchroom.gateway_migration (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`)
    const { rows } = await client.query<{ name: string }>('select name from watchroom.gateway_migration')
    const applied = new Set(rows.map(({ name }) => name))
    const unknown = [...applied].filter((name) => !migrations.some((migration) => migration.name === name))
    if (unknown.length > 0) {
      throw new CodedError(databaseErrors.DATABASE_NEWER_THAN_PROGRAM, { values: { names: unknown.join(', ') } })
    }
    for (const { name, sql } of migrations.filter((migration) => !applied.has(migration.name))) {
      await client.query(sql)
      const checksum = createHash('sha256').update(sql).digest('hex')
      await client.query('insert into watchroom.gateway_migration (name, checksum) values ($1, $2)', [name, checksum])
    }
  })
}
