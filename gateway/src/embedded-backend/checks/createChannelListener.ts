import { backoffMs, type Clock } from '@watchroom/shared/kernel'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'

export interface ChannelListener {
  /**
   * Resolves when everything that was committed before the call has been told: PostgreSQL delivers what waits for a connection before it
   * is done with that connection's query.
   *
   * @returns false while nothing is heard
   */
  hasHeard(): Promise<boolean>
  close(): void
}

export interface ChannelListenerDeps {
  pool: Pool
  clock: Clock
  logger: Logger
  channel: string
  onNotification: (payload: string) => void
  /** Called after every (re)connect: notifications of the time before are lost. */
  onConnected: () => void
}

const BACKOFF = { firstMs: 200, maxMs: 10_000 }

/** Listens on one channel with a connection of the pool, and takes another one when it is lost. */
export function createChannelListener(deps: ChannelListenerDeps): ChannelListener {
  const { pool, clock, logger, channel, onNotification, onConnected } = deps
  let client: PoolClient | null = null
  let cancelRetry: (() => void) | null = null
  let failures = 0
  let isClosed = false

  function release(lost: PoolClient): void {
    lost.removeAllListeners('notification')
    lost.release(true)
  }

  function retry(error: unknown): void {
    if (isClosed || cancelRetry) return
    if (failures === 0) logger.warn({ err: error, channel }, 'database channel lost, listening again soon')
    cancelRetry = clock.schedule(
      () => {
        cancelRetry = null
        void connect()
      },
      backoffMs(++failures, BACKOFF),
    )
  }

  async function connect(): Promise<void> {
    let opened: PoolClient | null = null
    try {
      const fresh = await pool.connect()
      opened = fresh
      const handleEnd = (error?: Error): void => {
        if (client !== fresh) return
        client = null
        release(fresh)
        retry(error)
      }
      fresh.on('error', handleEnd)
      fresh.once('end', handleEnd)
      fresh.on('notification', ({ payload }) => onNotification(payload ?? ''))
      await fresh.query(`listen ${fresh.escapeIdentifier(channel)}`)
      if (isClosed) {
        release(fresh)
        return
      }
      client = fresh
      failures = 0
      onConnected()
    } catch (error) {
      if (opened) release(opened)
      retry(error)
    }
  }

  void connect()
  return {
    hasHeard: async () => {
      const asked = client
      try {
        await asked?.query('select 1')
      } catch {
        return false
      }
      return asked !== null && asked === client
    },
    close: () => {
      isClosed = true
      cancelRetry?.()
      const open = client
      client = null
      if (open) release(open)
    },
  }
}
