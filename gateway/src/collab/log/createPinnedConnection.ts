import { Pool } from 'pg'

import { statementDeadline } from '../../platform/database/statementDeadline.ts'
import type { Logger } from '../../platform/logger.ts'

const KEEP_ALIVE_MS = 30_000
/** Whoever types waits for each statement: a database that takes longer is away, and people are told so instead (COLLAB-3). */
const STATEMENT_TIMEOUT_MS = 10_000

/**
 * A connection pinned beside the pool, for what must not wait: neither behind others who use the pool, nor after a pause for a
 * connection to be made first, which takes longer than the statement itself.
 */
export interface PinnedConnection {
  /** Follows the pool when that moves to another database. @throws CodedError while there is none */
  use(): Pool
  close(): Promise<void>
}

export interface PinnedConnectionDeps {
  /** Says where the database is, and how it is reached. */
  readonly pool: () => Pool
  readonly logger: Logger
  readonly statementTimeoutMs?: number
}

export function createPinnedConnection(deps: PinnedConnectionDeps): PinnedConnection {
  const { logger, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = deps
  let pinned: { readonly of: Pool; readonly pool: Pool } | null = null

  const end = async (): Promise<void> => {
    const former = pinned?.pool
    pinned = null
    await former?.end()
  }

  return {
    use: () => {
      const of = deps.pool()
      if (pinned?.of === of) return pinned.pool
      end().catch((error: unknown) => logger.info({ err: error }, 'former connection of the document log not closed'))
      const pool = new Pool({
        ...of.options,
        // Not among the properties that a spread copies.
        password: of.options.password,
        max: 1,
        idleTimeoutMillis: 0,
        ...statementDeadline(statementTimeoutMs),
        // Kept for hours without a word, it would be forgotten by what lies between here and a database elsewhere.
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      })
      // It is replaced at the next use; without a listener the error would end the process.
      pool.on('error', (error) => logger.info({ err: error }, 'connection of the document log lost'))
      pinned = { of, pool }
      return pool
    },
    close: end,
  }
}
