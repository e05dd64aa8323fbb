import { backoffMs, type Clock, createTimer } from '@watchroom/shared/kernel'
import { tryParseWake, type Wake, WAKE_CHANNEL } from '@watchroom/shared/protocol'
import { Client } from 'pg'

import type { Logger } from './logger.ts'

// Learns at once that the database changed, so that pollers need not wait for their interval. Only a hint: notifications are lost
// while the connection is down, and the pollers find what was missed at their next interval.

const BACKOFF = { firstMs: 500, maxMs: 15_000 }
/** How often a query checks whether the server is still there: it may vanish without a word. */
const PROBE_MS = 20_000
const ANSWER_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 5_000

/** What a database says of its changes, and what that concerns. */
export interface WakeDialect {
  /** Plain names. */
  readonly channels: readonly string[]
  /** Nothing for words of another version. */
  readonly toWakes: (channel: string, payload: string) => readonly Wake[]
}

/** How databases with our own triggers speak. */
export const OWN_WAKES: WakeDialect = {
  channels: [WAKE_CHANNEL],
  toWakes: (_channel, payload) => {
    const wake = tryParseWake(payload)
    return wake ? [wake] : []
  },
}

export interface DatabaseWakeDeps {
  /** Where the database is now: it may move when the embedded backend restarts. Null while it is not known. */
  readonly databaseUrl: () => string | null
  readonly dialect: WakeDialect
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly onWake: (wake: Wake) => void
  /** Called after every (re)connect: anything may have changed meanwhile. */
  readonly onConnected: () => void
}

export interface DatabaseWake {
  readonly isConnected: () => boolean
  readonly close: () => Promise<void>
}

export function createDatabaseWake(deps: DatabaseWakeDeps): DatabaseWake {
  const { clock, dialect, logger } = deps
  const timer = createTimer(clock)
  let client: Client | null = null
  let isConnected = false
  let failures = 0
  let isClosed = false

  const lose = (lost: Client, error: unknown): void => {
    if (client !== lost) return
    client = null
    if (isConnected) logger.warn({ err: error }, 'database connection for notifications lost')
    isConnected = false
    lost.removeAllListeners()
    // The connection is already given up: errors while it closes do not matter.
    lost.on('error', () => undefined)
    lost.end().catch(() => undefined)
    if (isClosed) return
    timer.set(connect, backoffMs(++failures, BACKOFF, deps.random))
  }

  /** @returns whether the connection is still there: one that leaves a question unanswered for too long is given up */
  const ask = async (watched: Client, sql: string): Promise<boolean> => {
    const deadline = createTimer(clock)
    deadline.set(() => lose(watched, new Error('no answer')), ANSWER_TIMEOUT_MS)
    try {
      await watched.query(sql)
    } catch (error) {
      lose(watched, error)
    } finally {
      deadline.clear()
    }
    return client === watched
  }

  const probeLater = (watched: Client): void => timer.set(() => void probe(watched), PROBE_MS)

  const probe = async (watched: Client): Promise<void> => {
    if (await ask(watched, 'select 1')) probeLater(watched)
  }

  const open = async (connectionString: string): Promise<void> => {
    const opened = new Client({
      connectionString,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'watchroom-wake',
    })
    client = opened
    opened.on('error', (error) => lose(opened, error))
    opened.on('end', () => lose(opened, new Error('connection ended')))
    opened.on('notification', ({ channel, payload = '' }) => {
      const wakes = dialect.toWakes(channel, payload)
      for (const wake of wakes) deps.onWake(wake)
      if (wakes.length === 0) logger.debug({ channel, payload }, 'notification that concerns nothing here')
    })
    try {
      await opened.connect()
    } catch (error) {
      lose(opened, error)
      return
    }
    if (!(await ask(opened, dialect.channels.map((channel) => `listen ${channel}`).join('; ')))) return
    failures = 0
    isConnected = true
    probeLater(opened)
    deps.onConnected()
  }

  const connect = (): void => {
    if (isClosed) return
    const connectionString = deps.databaseUrl()
    if (connectionString === null) timer.set(connect, BACKOFF.firstMs)
    else void open(connectionString)
  }

  connect()
  return {
    isConnected: () => isConnected,
    close: async () => {
      isClosed = true
      isConnected = false
      timer.clear()
      const open = client
      client = null
      open?.removeAllListeners()
      open?.on('error', () => undefined)
      await open?.end().catch(() => undefined)
    },
  }
}
