// Takes events off `event_queue`. What nobody handles is done: an event is work, not history. A handler that fails gets its
// event again later, at most four times; then the row stays with its error, for people.
import type { Clock } from '@watchroom/shared/kernel'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import { type ChannelListener, createChannelListener } from '../checks/createChannelListener.ts'

export interface QueuedEvent {
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
}

/** May be called again for the same event. */
export type EventHandler = (event: QueuedEvent) => Promise<void>

export interface EventConsumer {
  start(): void
  close(): Promise<void>
}

export interface EventConsumerDeps {
  pool: Pool
  clock: Clock
  logger: Logger
  /** By event name, for example `check.failed`. */
  handlers: ReadonlyMap<string, EventHandler>
}

interface EventRow extends QueuedEvent {
  id: string
  attempts: number | null
  error: string | null
}

const CHANNEL = 'event_queue_updates'
const BATCH = 100
const MAX_RETRIES = 3
/** A burst of results raises many events; they are taken together. */
const DRAIN_DELAY_MS = 50
/** Finds delayed events, retries that became due, and events raised again, which are not announced. */
const POLL_MS = 15_000

const TAKE = `
delete from event_queue where id = any(array(
  select id from event_queue
  where coalesce(attempts, 0) <= ${MAX_RETRIES}
    and created_at + make_interval(secs => coalesce(delay, 0) / 1e9) <= now()
    and (last_attempt is null or last_attempt + make_interval(secs => 60 * power(coalesce(attempts, 0), 5)) <= now())
  order by priority desc, created_at limit ${BATCH}
  for update skip locked))
returning id, name, coalesce(properties, '{}') as properties, attempts`

const GIVE_BACK = `
insert into event_queue (id, name, properties, error, attempts, last_attempt)
values ($1, $2, $3, $4, $5, now())
on conflict (name, properties) do update set error = excluded.error`

export function createEventConsumer({ pool, clock, logger, handlers }: EventConsumerDeps): EventConsumer {
  let cancelTimer: (() => void) | null = null
  let wakesAt = Infinity
  /** Passes over the queue, one after the other. */
  let draining: Promise<void> = Promise.resolve()
  let isClosed = false
  let listener: ChannelListener | null = null

  /** Never later than planned before: a stream of announcements must not put the work off for ever. */
  function plan(delayMs: number): void {
    const at = clock.monotonic() + delayMs
    if (isClosed || wakesAt <= at) return
    cancelTimer?.()
    wakesAt = at
    cancelTimer = clock.schedule(() => {
      wakesAt = Infinity
      draining = drainAfter(draining)
    }, delayMs)
  }

  async function drainAfter(previous: Promise<void>): Promise<void> {
    await previous
    try {
      let taken = BATCH
      while (taken === BATCH) taken = isClosed ? 0 : await takeBatch()
    } catch (error) {
      if (!isClosed) logger.warn({ err: error }, 'events cannot be read, trying again')
    }
    plan(POLL_MS)
  }

  /** In one transaction: when this process dies, the events are there again. */
  async function takeBatch(): Promise<number> {
    return inTransaction(pool, async (client) => {
      const { rows } = await client.query<EventRow>(TAKE)
      for (const event of rows) await handle(client, event)
      return rows.length
    })
  }

  async function handle(client: PoolClient, event: EventRow): Promise<void> {
    const handler = handlers.get(event.name)
    if (!handler) return
    try {
      await handler(event)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      logger.warn({ err: error, event: event.name }, 'event handler failed')
      const attempts = (event.attempts ?? 0) + 1
      await client.query(GIVE_BACK, [event.id, event.name, JSON.stringify(event.properties), reason, attempts])
    }
  }

  return {
    start: () => {
      listener = createChannelListener({
        pool,
        clock,
        logger,
        channel: CHANNEL,
        onNotification: () => plan(DRAIN_DELAY_MS),
        onConnected: () => plan(DRAIN_DELAY_MS),
      })
    },
    close: async () => {
      isClosed = true
      cancelTimer?.()
      listener?.close()
      await draining
    },
  }
}
