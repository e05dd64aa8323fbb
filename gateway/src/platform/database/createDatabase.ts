// The gateway's own database: a pool to wherever the database is now, brought to the schema of this program before first use.

import { type Clock, createTimer } from '@watchroom/shared/kernel'
import { Pool } from 'pg'

import { CodedError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { applyMigrations, type Migration, type MigrationBook } from './applyMigrations.ts'
import { databaseErrors } from './errors.ts'

const BOOK: MigrationBook = {
  table: 'gateway_migration',
  lock: 7_461_303,
  toNewerError: (names) => new CodedError(databaseErrors.DATABASE_NEWER_THAN_PROGRAM, { values: { names } }),
  toAlteredError: (names) => new CodedError(databaseErrors.DATABASE_CHECKSUM_MISMATCH, { values: { names } }),
}
const MAX_CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 5_000
const RETRY_MS = 500

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
      // Not waited for: a query that hangs at the former address would keep everyone from the new one.
      former?.end().catch((error: unknown) => logger.info({ err: error }, 'former database connections not ended'))
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
  const client = await pool.connect()
  try {
    await applyMigrations(client, migrations, BOOK)
    client.release()
  } catch (error) {
    // It may still hold the lock: closing the session frees it.
    client.release(true)
    throw error
  }
}
