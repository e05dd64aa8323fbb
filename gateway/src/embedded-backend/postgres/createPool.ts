import { Pool } from 'pg'
import type { Logger } from 'pino'

/**
 * Connections kept by the backend's own services; PostgREST has its own. A few of them are never given back: the one that listens, and
 * one for each lock of a service. Where no others were left, whoever waits for a second one in
 * the middle of a transaction would wait for ever.
 */
const MAX_CONNECTIONS = 24

/**
 * A pool that never crashes the process: `pg` emits `error` on idle and on checked-out connections when the server dies,
 * and an event without a listener is an uncaught exception. The query that was running rejects by itself.
 */
export function createPool(
  databaseUrl: string,
  logger: Logger,
  options: { readonly max?: number; readonly name?: string } = {},
): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: options.max ?? MAX_CONNECTIONS,
    application_name: options.name ?? 'watchroom-backend',
  })
  // Only the message: `pg` hangs the whole client on the error.
  pool.on('error', ({ message }) => {
    // `end` resolves before its connections are closed, so a stopping server still has something to say to them.
    logger[pool.ending ? 'debug' : 'warn']({ reason: message }, 'idle database connection lost')
  })
  pool.on('connect', (client) => {
    client.on('error', ({ message }) => logger.debug({ reason: message }, 'database connection lost'))
  })
  return pool
}
