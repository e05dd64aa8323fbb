// The gateway's own database: a pool to wherever the database is now, brought to the schema of this program before first use.

import { type Clock, createTimer, messageOf, waitAtMost } from '@watchroom/shared/kernel'
import { Client, type ClientConfig, Pool, type QueryConfig } from 'pg'

import { CodedError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { ADVISORY_LOCKS } from './advisoryLocks.ts'
import { applyMigrations, type Migration, type MigrationBook } from './applyMigrations.ts'
import { databaseErrors } from './errors.ts'
import { statementDeadline } from './statementDeadline.ts'

const BOOK: MigrationBook = {
  table: 'gateway_migration',
  lock: ADVISORY_LOCKS.gatewayMigrations,
  toNewerError: (names) => new CodedError(databaseErrors.DATABASE_NEWER_THAN_PROGRAM, { values: { names } }),
  toAlteredError: (names) => new CodedError(databaseErrors.DATABASE_CHECKSUM_MISMATCH, { values: { names } }),
}
const MAX_CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 5_000
const RETRY_MS = 500
/** Longer than most statements here: one that takes longer waits for a lock, or for a database that went away without a word. */
const STATEMENT_TIMEOUT_MS = 30_000
const PROBE_TIMEOUT_MS = 2_000
const PROBE: QueryConfig & { query_timeout: number } = { text: 'select 1', query_timeout: PROBE_TIMEOUT_MS }

export interface Database {
  /** @throws CodedError DATABASE_UNAVAILABLE while there is none, or its schema is not ready */
  pool(): Pool
  /** There was one, and its schema was made ready. */
  readonly isReady: () => boolean
  /** Asks it now. */
  answers(): Promise<boolean>
  close(): Promise<void>
}

/** @param deps.databaseUrl where the database is now; it moves when the embedded backend restarts, null while unknown */
export function createDatabase(deps: {
  databaseUrl: () => string | null
  migrations: readonly Migration[]
  clock: Clock
  logger: Logger
}): Database {
  const { clock, logger } = deps
  const timer = createTimer(clock)
  let current: { url: string; pool: Pool; isMigrated: boolean } | null = null
  /** Logged as a warning once, not at every attempt. */
  let knownProblem: string | null = null
  let isClosed = false

  /** Follows the address and prepares the schema. Repeats until that is done, and then to notice another address. */
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
        await migrate(current.url, deps.migrations)
        current.isMigrated = true
        knownProblem = null
      } catch (error) {
        const problem = messageOf(error)
        logger[problem === knownProblem ? 'debug' : 'warn']({ err: error }, 'database of the gateway not ready')
        knownProblem = problem
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
    answers: async () => {
      if (!current?.isMigrated) return false
      let isAnswered = false
      const asked = current.pool.query(PROBE).then(() => {
        isAnswered = true
      })
      // The pool, too, can be what does not answer.
      await waitAtMost(clock, asked, PROBE_TIMEOUT_MS).catch(() => undefined)
      return isAnswered
    },
    close: async () => {
      isClosed = true
      timer.clear()
      await current?.pool.end()
    },
  }
}

function open(url: string, logger: Logger): Pool {
  const pool = new Pool({ ...connectionTo(url), max: MAX_CONNECTIONS, ...statementDeadline(STATEMENT_TIMEOUT_MS) })
  // An idle connection that breaks is replaced by the pool; without a listener the error would end the process.
  pool.on('error', (error) => logger.info({ err: error }, 'idle database connection lost'))
  // The same for a connection in use, within a transaction for example. What it was asked rejects by itself.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.debug({ err: error }, 'database connection lost'))
  })
  return pool
}

const connectionTo = (url: string): ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  application_name: 'watchroom-gateway',
})

/** On a connection of its own: a migration may take long, and so may the wait for another gateway's. */
async function migrate(url: string, migrations: readonly Migration[]): Promise<void> {
  const client = new Client(connectionTo(url))
  // What breaks the connection fails the statement as well.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await applyMigrations(client, migrations, BOOK)
  } finally {
    // It may still hold the lock: closing the session frees it.
    await client.end()
  }
}
