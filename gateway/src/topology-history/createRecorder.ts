// Writes down how every component is, as often as it becomes different. One gateway does it for all that share a database: the one
// whose connection holds the lock, and everything is written by that connection.
import { type Clock, createTimer } from '@watchroom/shared/kernel'
import type { Component } from '@watchroom/shared/topology'
import { type RecordedEstate, toEstateChanges, toRecordedEstate } from '@watchroom/shared/topology/history'
import type { Pool, PoolClient } from 'pg'

import { ADVISORY_LOCKS } from '../platform/database/advisoryLocks.ts'
import type { Logger } from '../platform/logger.ts'
import type { Feed, SourceRead } from '../polling/contract.ts'
import { createHistoryStore, MAX_SILENCE_MS } from './createHistoryStore.ts'
import { dropOldHistory, type Retention, writeStep } from './writeHistory.ts'

/** Of the recorder among all that share the database. */
const LOCK = ADVISORY_LOCKS.topologyRecorder
const RETRY_MS = 2_000
/** That nothing happened is written down this often. */
const SEEN_MS = 5_000
const CHECKPOINT_ROWS = 2_000
const CHECKPOINT_MS = 3_600_000
const RETENTION_MS = 600_000

export interface RecorderDeps {
  /** Every component, read anew for whoever opens it. */
  readonly openTopology: () => Feed<Component>
  /** @throws CodedError DATABASE_UNAVAILABLE while there is none */
  readonly pool: () => Pool
  readonly clock: Clock
  readonly logger: Logger
  readonly retention: Retention
}

export interface Recorder {
  /** The topology probably changed. */
  readonly wake: () => void
  readonly close: () => Promise<void>
}

export function createRecorder(deps: RecorderDeps): Recorder {
  const { clock, logger } = deps
  const timer = createTimer(clock)
  let watch: Watch | null = null
  let isClosed = false

  const lead = async (): Promise<void> => {
    try {
      watch = await takeLead(deps, () => {
        watch = null
        planLead()
      })
    } catch (error) {
      logger.debug({ err: error }, 'the past of the topology is not recorded yet')
    }
    if (watch === null) planLead()
    else if (isClosed) await watch.close()
  }
  const planLead = (): void => {
    if (!isClosed) timer.set(() => void (leading = lead()), RETRY_MS)
  }
  let leading = lead()

  return {
    wake: () => watch?.wake(),
    close: async () => {
      isClosed = true
      timer.clear()
      await leading
      await watch?.close()
    },
  }
}

interface SeenEstate {
  readonly asOf: number
  readonly estate: RecordedEstate
}

/** What is as it was stays the identical object. */
function withRead(seen: RecordedEstate | null, read: SourceRead<Component>): RecordedEstate {
  const estate = toRecordedEstate(read.rows)
  if (read.kind === 'all' || seen === null) return estate
  if (read.rows.length === 0 && read.removed.length === 0) return seen
  const after = new Map([...seen, ...estate])
  for (const id of read.removed) after.delete(id)
  return after
}

interface Watch {
  readonly wake: () => void
  readonly close: () => Promise<void>
}

/** @returns null where another gateway records */
async function takeLead(deps: RecorderDeps, onLost: () => void): Promise<Watch | null> {
  const client = await deps.pool().connect()
  try {
    const { rows } = await client.query<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [LOCK])
    if (rows[0]?.is_ours !== true) {
      client.release()
      return null
    }
    return await record(deps, client, onLost)
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function record(deps: RecorderDeps, client: PoolClient, onLost: () => void): Promise<Watch> {
  const { clock, logger } = deps
  const { rows } = await client.query<{ at: Date | null }>(
    'select max(seen_until) as at from watchroom.topology_recording',
  )
  let lastAt = rows[0]?.at?.getTime() ?? 0
  let last: RecordedEstate | null = await createHistoryStore(() => client).estateAt(lastAt)
  let startedAt: number | null = null
  let writtenUntil = 0
  let checkpointAt = 0
  let rowsSince = 0
  let droppedAt = -Infinity
  /** A read failed since the last good one: what happened meanwhile is not known. */
  let isBroken = false
  /** The estate of the newest read. */
  let seen: RecordedEstate | null = null
  let waiting: SeenEstate | null = null
  let writing: Promise<void> | null = null
  let isEnded = false

  const end = (): void => {
    if (isEnded) return
    isEnded = true
    stop()
    feed.close()
    // The lock goes with the connection.
    client.release(true)
  }

  const write = async ({ asOf, estate: after }: SeenEstate): Promise<void> => {
    // Times only go forward, whatever the clock does.
    const at = Math.max(asOf, lastAt + 1)
    const isStart = startedAt === null || isBroken || at - lastAt > MAX_SILENCE_MS
    const changes = toEstateChanges(last ?? new Map(), after)
    const changed = changes.states.size + changes.structures.size
    if (isStart) startedAt = at
    isBroken = false
    if (isStart || changed > 0 || at - writtenUntil >= SEEN_MS) {
      rowsSince += changed
      const withCheckpoint = isStart || rowsSince >= CHECKPOINT_ROWS || at - checkpointAt >= CHECKPOINT_MS
      await writeStep(client, {
        at: new Date(at),
        startedAt: new Date(startedAt ?? at),
        before: last,
        after,
        changes,
        withCheckpoint,
      })
      writtenUntil = at
      if (withCheckpoint) [checkpointAt, rowsSince] = [at, 0]
    }
    lastAt = at
    last = after
    if (clock.monotonic() - droppedAt >= RETENTION_MS) {
      droppedAt = clock.monotonic()
      await dropOldHistory(client, clock.now(), deps.retention)
    }
  }

  /** The newest read. Earlier ones that it overtook while the database was slow are dropped. */
  const take = (): SeenEstate | null => {
    const read = isEnded ? null : waiting
    waiting = null
    return read
  }

  const work = async (): Promise<void> => {
    try {
      for (let read = take(); read !== null; read = take()) await write(read)
    } catch (error) {
      logger.warn({ err: error }, 'the past of the topology could not be recorded')
      end()
      onLost()
    } finally {
      writing = null
    }
  }

  const feed = deps.openTopology()
  feed.listen({
    onRead: (read) => {
      // What only changes something has nothing to change yet.
      if (seen === null && read.kind === 'changes') return
      seen = withRead(seen, read)
      waiting = { asOf: read.asOf, estate: seen }
      writing ??= work()
    },
    onProblem: (problem) => {
      if (problem !== null) isBroken = true
    },
  })
  const stop = feed.watch()
  client.on('error', (error) => {
    logger.info({ err: error }, 'connection that records the topology lost')
    if (isEnded) return
    end()
    onLost()
  })
  return {
    wake: feed.wake,
    close: async () => {
      await writing
      // Another one may go on at once, and not only when the server has noticed that this one went.
      if (!isEnded) await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined)
      end()
    },
  }
}
