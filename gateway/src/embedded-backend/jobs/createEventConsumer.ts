// Takes events off `event_queue`. What nobody handles is done: an event is work, not history. A handler that fails gets its
// event again later, at most four times; then the row stays with its error, for people. Handlers of our own database run inside
// the transaction that takes the events; couriers, who talk to other machines, have them on loan.
import { type Clock, waitAtMost, messageOf } from '@watchroom/shared/kernel'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import type { ChannelListener, Channels } from '../postgres/createChannels.ts'

export interface QueuedEvent {
  /** Another one each time it happens. */
  readonly id: string
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
}

/** May be called again for the same event. */
export type EventHandler = (event: QueuedEvent) => Promise<void>

/**
 * Handles events by talking to others: no transaction is open meanwhile. When this process dies the event comes back after the
 * first of its waits.
 */
export interface Courier {
  /** How long after each failed attempt the next is made, in seconds; one more attempt than there are waits. */
  readonly retryAfterS: readonly number[]
  readonly handle: EventHandler
  /** Handles up to so many with one call, where that costs less; when it fails, each of them goes to `handle`. */
  readonly together?: { readonly most: number; readonly handle: (events: readonly QueuedEvent[]) => Promise<void> }
}

export interface EventConsumer {
  start(): void
  close(): Promise<void>
}

export interface EventConsumerDeps {
  pool: Pool
  channels: Channels
  clock: Clock
  logger: Logger
  /** By event name, for example `check.failed`. */
  handlers: ReadonlyMap<string, EventHandler>
  couriers: ReadonlyMap<string, Courier>
}

interface EventRow extends QueuedEvent {
  attempts: number | null
  priority: number
  error: string | null
}

const CHANNEL = 'event_queue_updates'
/** Taken with one transaction. What comes meanwhile waits for it, however urgent it is. */
const BATCH = 20
/** Events that one courier has on loan at once, unless it handles more together. */
const ERRANDS = 4
/** An errand that is under way when the program stops is left to the next one after this. */
const ERRAND_CLOSE_MS = 2_000
/** A row that was tried this often has failed: it waits no more. */
export const MAX_EVENT_ATTEMPTS = 4
/** The first event is taken at once. A burst of results raises many; those that follow it are taken together. */
const DRAIN_DELAY_MS = 50
/** Finds delayed events, retries that became due, and events raised again, which are not announced. */
const POLL_MS = 15_000

const TAKE = `
with taken as (
  delete from event_queue where id = any(array(
    select id from event_queue
    where name <> all($1) and coalesce(attempts, 0) < ${MAX_EVENT_ATTEMPTS}
      and created_at + make_interval(secs => coalesce(delay, 0) / 1e9) <= now()
      and (last_attempt is null or last_attempt + make_interval(secs => 60 * power(coalesce(attempts, 0), 5)) <= now())
    order by priority desc, created_at limit ${BATCH}
    for update skip locked))
  returning id, name, coalesce(properties, '{}') as properties, attempts, priority, created_at)
select id, name, properties, attempts, priority from taken order by priority desc, created_at`

const GIVE_BACK = `
insert into event_queue (id, name, properties, error, attempts, priority, last_attempt)
values ($1, $2, $3, $4, $5, $6, now())
on conflict (name, properties) do update set error = excluded.error`

/** `last_attempt` is the loan's number: an event that is raised again meanwhile has another one, and is not given back by it. */
const LEND = `
update event_queue set attempts = coalesce(attempts, 0) + 1, last_attempt = clock_timestamp()
where id = any(array(
  select id from event_queue
  where name = $1 and coalesce(attempts, 0) <= cardinality($2::integer[])
    and created_at + make_interval(secs => coalesce(delay, 0) / 1e9) <= now()
    and (last_attempt is null or last_attempt + make_interval(secs => coalesce(($2::integer[])[attempts], 0)) <= now())
  order by priority desc, created_at limit $3
  for update skip locked))
returning id, name, coalesce(properties, '{}') as properties, last_attempt::text as loan`

const mostOf = ({ together }: Courier): number => together?.most ?? ERRANDS

interface LentRow extends QueuedEvent {
  loan: string
}

export function createEventConsumer({
  pool,
  channels,
  clock,
  logger,
  handlers,
  couriers,
}: EventConsumerDeps): EventConsumer {
  let isClosed = false
  let listener: ChannelListener | null = null
  const withCouriers = [...couriers.keys()]

  /** Passes over the queue, one after the other. @param take says how many it took of how many it would have */
  function createLane(take: () => Promise<number>, batch: number): Lane {
    let cancelTimer: (() => void) | null = null
    let wakesAt = Infinity
    let drainedAt = -Infinity
    let draining: Promise<void> = Promise.resolve()

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
        let taken = batch
        while (taken === batch) taken = isClosed ? 0 : await take()
      } catch (error) {
        if (!isClosed) logger.warn({ err: error }, 'events cannot be read, trying again')
      }
      drainedAt = clock.monotonic()
      plan(POLL_MS)
    }

    return {
      wake: () => plan(Math.max(0, drainedAt + DRAIN_DELAY_MS - clock.monotonic())),
      close: () => {
        cancelTimer?.()
        return draining
      },
    }
  }

  /** In one transaction: when this process dies, the events are there again. */
  async function takeBatch(): Promise<number> {
    return inTransaction(pool, async (client) => {
      const { rows } = await client.query<EventRow>(TAKE, [withCouriers])
      for (const event of rows) await handle(client, event)
      return rows.length
    })
  }

  async function lendBatch(name: string, courier: Courier): Promise<number> {
    const { rows } = await pool.query<LentRow>(LEND, [name, courier.retryAfterS, mostOf(courier)])
    if (rows.length > 1 && (await sendTogether(courier, rows))) return rows.length
    for (let from = 0; from < rows.length; from += ERRANDS) {
      await Promise.all(rows.slice(from, from + ERRANDS).map((event) => send(courier, event)))
    }
    return rows.length
  }

  async function sendTogether({ together }: Courier, events: readonly LentRow[]): Promise<boolean> {
    if (together === undefined) return false
    try {
      await together.handle(events)
    } catch (error) {
      if (!isClosed) logger.warn({ err: error, events: events.length }, 'events failed together, trying each')
      return isClosed
    }
    await pool.query(
      `delete from event_queue using unnest($1::uuid[], $2::timestamptz[]) as done (id, loan)
       where event_queue.id = done.id and last_attempt = done.loan`,
      [events.map(({ id }) => id), events.map(({ loan }) => loan)],
    )
    return true
  }

  async function send(courier: Courier, event: LentRow): Promise<void> {
    try {
      await courier.handle(event)
      await pool.query('delete from event_queue where id = $1 and last_attempt = $2', [event.id, event.loan])
    } catch (error) {
      if (isClosed) return
      const reason = messageOf(error)
      logger.warn({ err: error, event: event.name }, 'event handler failed')
      await pool.query('update event_queue set error = $3 where id = $1 and last_attempt = $2', [
        event.id,
        event.loan,
        reason,
      ])
    }
  }

  async function handle(client: PoolClient, event: EventRow): Promise<void> {
    const handler = handlers.get(event.name)
    if (!handler) return
    try {
      await handler(event)
    } catch (error) {
      const reason = messageOf(error)
      logger.warn({ err: error, event: event.name }, 'event handler failed')
      const { id, name, priority } = event
      const attempts = (event.attempts ?? 0) + 1
      await client.query(GIVE_BACK, [id, name, JSON.stringify(event.properties), reason, attempts, priority])
    }
  }

  const ownLane = createLane(takeBatch, BATCH)
  const errandLanes = new Map(
    [...couriers].map(([name, courier]) => [name, createLane(() => lendBatch(name, courier), mostOf(courier))]),
  )
  /** Only the lane of the event that is announced: one that looked for nothing a moment ago would let the next one wait. */
  const wakeFor = (name: string): void => (errandLanes.get(name) ?? ownLane).wake()
  const wakeAll = (): void => {
    for (const lane of [ownLane, ...errandLanes.values()]) lane.wake()
  }

  return {
    start: () => {
      listener = channels.listen({ channel: CHANNEL, onNotification: wakeFor, onConnected: wakeAll })
    },
    close: async () => {
      isClosed = true
      listener?.close()
      const errands = Promise.all([...errandLanes.values()].map((lane) => lane.close()))
      await ownLane.close()
      await waitAtMost(clock, errands, ERRAND_CLOSE_MS)
    },
  }
}

interface Lane {
  /** Looks at the queue soon. */
  wake(): void
  /** Starts nothing more. Resolves when what is under way has ended. */
  close(): Promise<void>
}
