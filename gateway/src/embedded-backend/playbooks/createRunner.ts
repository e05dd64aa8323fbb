// Holds all runs that have not ended. One backend of a database does, whoever got its lock; when that one dies the next takes up
// what it left. Knows nothing of what steps do.
import { type Clock, createTimer, waitAtMost } from '@watchroom/shared/kernel'
import { isEnded } from '@watchroom/shared/playbooks'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'

import { createBoundedQueue } from '../../platform/createBoundedQueue.ts'
import { ADVISORY_LOCKS } from '../../platform/database/advisoryLocks.ts'
import type { ChannelListener, Channels } from '../postgres/createChannels.ts'
import { CANCELLED, type DriveDeps, driveRun } from './driveRun.ts'
import type { RunStore } from './runStore.ts'

export interface Runner {
  start(): void
  /** Ends what runs; whoever starts next goes on with it. */
  close(): Promise<void>
}

export interface RunnerDeps extends Omit<DriveDeps, 'takeTurn'> {
  readonly pool: Pool
  readonly channels: Channels
  readonly clock: Clock
  readonly logger: Logger
  readonly store: RunStore
  /** Called when this process becomes the one that runs, and when it is not any more. */
  readonly onLead: (isLeading: boolean) => void
}

interface Held {
  readonly abort: AbortController
  /** Tells the run that something changed. */
  readonly ring: () => void
  ended: Promise<void>
}

const CHANNEL = 'watchroom_playbook_runs'
const LOCK = ADVISORY_LOCKS.playbookRunner
const LOCK_RETRY_MS = 2_000
const LOOK_MS = 15_000
/** Steps of all runs that work at once; those that wait take no place. */
const MAX_WORKING = 32
const MAX_WAITING = 100_000
const CLOSE_MS = 5_000

export function createRunner(deps: RunnerDeps): Runner {
  const { pool, channels, clock, logger, store } = deps
  const held = new Map<string, Held>()
  const queue = createBoundedQueue({ parallel: MAX_WORKING, maxWaiting: MAX_WAITING })
  const timer = createTimer(clock)
  const lockTimer = createTimer(clock)
  const closing = new AbortController()
  let listener: ChannelListener | null = null
  let lock: PoolClient | null = null
  let leading = Promise.resolve()

  const driveDeps: DriveDeps = {
    ...deps,
    takeTurn: (work) => queue.run(work, false) ?? Promise.reject(new Error('too many steps wait for their turn')),
  }

  const hold = (runId: string): void => {
    const abort = new AbortController()
    const { ring, untilRung } = createBell()
    const entry: Held = { abort, ring, ended: Promise.resolve() }
    held.set(runId, entry)
    entry.ended = driveRun(runId, driveDeps, { signal: abort.signal, untilChanged: untilRung })
      .finally(() => held.delete(runId))
      .then(
        // It may have been asked to go on while it ended.
        () => look(runId),
        // The next look at all runs takes it up again.
        (error: unknown) => logger.warn({ err: error, runId }, 'a playbook run was put down'),
      )
  }

  /** One run changed. */
  const look = async (runId: string): Promise<void> => {
    if (!lock) return
    const entry = held.get(runId)
    try {
      const status = await store.status(runId)
      if (entry) {
        if (status === CANCELLED || status === null) entry.abort.abort(CANCELLED)
        else entry.ring()
      } else if (status === CANCELLED) await store.endLeft(runId)
      else if (status !== null && !isEnded(status) && status !== 'pending') await lookAll()
    } catch (error) {
      if (!closing.signal.aborted) logger.warn({ err: error, runId }, 'a playbook run cannot be looked at')
    }
  }

  /** Takes up what is due, and comes back for what is not. */
  const lookAll = async (): Promise<void> => {
    let nextMs = LOOK_MS
    try {
      for (const { id, status, scheduled_time: at } of await store.open()) {
        // A run that was just put down would be taken up again by a backend that is closing.
        if (!lock || closing.signal.aborted || held.has(id)) continue
        const waitMs = status === 'scheduled' ? at.getTime() - clock.now() : 0
        if (waitMs <= 0) hold(id)
        else nextMs = Math.min(nextMs, waitMs)
      }
    } catch (error) {
      if (!closing.signal.aborted) logger.warn({ err: error }, 'playbook runs cannot be read, trying again')
    }
    if (lock && !closing.signal.aborted) timer.set(() => void lookAll(), nextMs)
  }

  const lose = (client: PoolClient, error?: unknown, retryMs = 0): void => {
    if (lock !== client) return
    lock = null
    client.release(true)
    timer.clear()
    deps.onLead(false)
    if (closing.signal.aborted) return
    logger.warn({ err: error }, 'the lock of the playbook runner was lost')
    lockTimer.set(takeLead, retryMs)
  }

  /** From here on `lose` and `close` release the lock. Without all of what leading begins with, it is asked for again. */
  const leadWith = async (own: PoolClient): Promise<void> => {
    lock = own
    own.on('error', (error) => lose(own, error))
    own.once('end', () => lose(own))
    deps.onLead(true)
    // What was told of these meanwhile was not listened to.
    for (const runId of held.keys()) void look(runId)
    try {
      // Of a process that ended between a run's end and that of its step.
      await store.endLeft({ except: [...held.keys()] })
    } catch (error) {
      return lose(own, error, LOCK_RETRY_MS)
    }
    await lookAll()
  }

  /** Runs go on while the lock is away: only when another backend has it are they put down. */
  const lead = async (): Promise<void> => {
    let client: PoolClient | null = null
    try {
      client = await pool.connect()
      const { rows } = await client.query<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [LOCK])
      if (closing.signal.aborted) return client.release(true)
      if (rows[0]?.is_ours === true) {
        const own = client
        client = null
        return await leadWith(own)
      }
      for (const { abort } of held.values()) abort.abort(new Error('another backend runs the playbooks'))
      client.release()
    } catch (error) {
      client?.release(true)
      if (!closing.signal.aborted) logger.debug({ err: error }, 'the lock of the playbook runner cannot be asked for')
    }
    if (!closing.signal.aborted) lockTimer.set(takeLead, LOCK_RETRY_MS)
  }

  const takeLead = (): void => {
    leading = lead()
  }

  return {
    start: () => {
      listener = channels.listen({
        channel: CHANNEL,
        onNotification: (runId) => void look(runId),
        onConnected: () => {
          for (const runId of held.keys()) void look(runId)
          if (lock) void lookAll()
        },
      })
      takeLead()
    },
    close: async () => {
      closing.abort()
      timer.clear()
      lockTimer.clear()
      listener?.close()
      const ends = [...held.values()].map(({ abort, ended }) => {
        abort.abort(new Error('the backend is closing'))
        return ended
      })
      await waitAtMost(clock, Promise.allSettled([...ends, leading]), CLOSE_MS)
      const last = lock
      lock = null
      last?.release(true)
    },
  }
}

/** Wakes whoever waits for it now. Whoever comes later waits for the next time. */
function createBell(): { readonly ring: () => void; readonly untilRung: () => Promise<void> } {
  let wake = (): void => undefined
  const renew = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve
    })
  let rung = renew()
  return {
    ring: () => {
      const last = wake
      rung = renew()
      last()
    },
    untilRung: () => rung,
  }
}
