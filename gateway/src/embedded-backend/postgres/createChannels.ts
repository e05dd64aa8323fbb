import { backoffMs, type Clock, createTimer } from '@watchroom/shared/kernel'
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

export interface Channel {
  /** A plain name. */
  readonly channel: string
  readonly onNotification: (payload: string) => void
  /** Called after every (re)connect: notifications of the time before are lost. */
  readonly onConnected: () => void
}

export interface Channels {
  listen(channel: Channel): ChannelListener
}

/** A connection that listens. Its queries go one after the other. */
interface Line {
  readonly query: (sql: string) => Promise<unknown>
  readonly close: () => void
}

const BACKOFF = { firstMs: 200, maxMs: 10_000 }

/**
 * Everything that listens shares one connection of the pool, which is taken when someone listens and given back when nobody does any
 * more. A lost one is replaced.
 */
export function createChannels({ pool, clock, logger }: { pool: Pool; clock: Clock; logger: Logger }): Channels {
  /** Those who listen, and the line that was told to listen for them. */
  const listeners = new Map<Channel, Line | null>()
  const retryTimer = createTimer(clock)
  let line: Line | null = null
  let isConnecting = false
  let failures = 0

  function lose(lost: Line, error: unknown): void {
    if (line !== lost) return
    line = null
    lost.close()
    retry(error)
  }

  function retry(error: unknown): void {
    if (listeners.size === 0 || retryTimer.isSet()) return
    if (failures === 0) logger.warn({ err: error }, 'database channels lost, listening again soon')
    retryTimer.set(() => void connect(), backoffMs(++failures, BACKOFF))
  }

  function tell(channel: string, payload: string): void {
    for (const listener of listeners.keys()) if (listener.channel === channel) listener.onNotification(payload)
  }

  async function connect(): Promise<void> {
    if (isConnecting || line !== null) return
    isConnecting = true
    try {
      const client = await pool.connect()
      const opened = openLine(client)
      const handleEnd = (error?: Error): void => lose(opened, error)
      client.on('error', handleEnd)
      client.once('end', handleEnd)
      client.on('notification', ({ channel, payload }) => tell(channel, payload ?? ''))
      line = opened
    } catch (error) {
      retry(error)
    } finally {
      isConnecting = false
    }
    await hear()
  }

  /** Listens for those for whom nobody does yet. */
  async function hear(): Promise<void> {
    const asked = line
    if (asked === null) return
    if (listeners.size === 0) {
      line = null
      asked.close()
      return
    }
    const fresh = [...listeners].flatMap(([listener, heardOn]) => (heardOn === asked ? [] : [listener]))
    if (fresh.length === 0) return
    for (const listener of fresh) listeners.set(listener, asked)
    try {
      await asked.query([...new Set(fresh.map(({ channel }) => `listen "${channel}"`))].join('; '))
    } catch (error) {
      lose(asked, error)
      return
    }
    if (line !== asked) return
    failures = 0
    for (const listener of fresh) if (listeners.has(listener)) listener.onConnected()
  }

  return {
    listen: (channel) => {
      listeners.set(channel, null)
      if (line !== null) void hear()
      else if (!retryTimer.isSet()) void connect()
      return {
        hasHeard: async () => {
          const asked = line
          if (asked === null || listeners.get(channel) !== asked) return false
          try {
            await asked.query('select 1')
          } catch {
            return false
          }
          return asked === line
        },
        close: () => {
          listeners.delete(channel)
          if (listeners.size > 0) return
          retryTimer.clear()
          void hear()
        },
      }
    },
  }
}

function openLine(client: PoolClient): Line {
  let last: Promise<unknown> = Promise.resolve()
  return {
    query: (sql) => {
      const asked = last.then(() => client.query(sql))
      last = asked.catch(() => undefined)
      return asked
    },
    close: () => {
      client.removeAllListeners('notification')
      client.release(true)
    },
  }
}
