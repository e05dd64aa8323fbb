// What the product measures about the process it runs in. One closure per probe; the registry is the list.
import { randomUUID } from 'node:crypto'
import { open, readFile, rm, statfs } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

import { formatPercent } from '@watchroom/shared/health'
import { type Clock, formatByteSize } from '@watchroom/shared/kernel'
import { formatDuration } from '@watchroom/shared/time'
import type { Pool } from 'pg'

import type { CheckOutcome, SelfProbe, SelfProbes } from '../../check-runner/contract.ts'
import { describeFailure } from '../../check-runner/describeFailure.ts'
import { judged, notPassed, passed } from '../../check-runner/outcome.ts'
import type { Confinement } from '../../executor/contract.ts'
import { MAX_EVENT_ATTEMPTS } from '../jobs/createEventConsumer.ts'
import { MAIL_EVENT } from '../mail/createMailer.ts'

const MAX_EVENT_LOOP_DELAY_MS = 100
const EVENT_LOOP_RESOLUTION_MS = 10
const MAX_HEAP_SHARE = 0.85
/** Resident memory is judged over this many runs; a quarter at each end is compared. */
const RSS_SAMPLES = 40
const MAX_RSS_GROWTH = 1.5
/** Growth below this is warm-up: compiled code, caches, pools. */
const MIN_RSS_GROWTH_BYTES = 256 * 2 ** 20
const MIN_FREE_SHARE = 0.1
const MIN_FREE_BYTES = 2 ** 30
/** Two periods of the most frequent checks that the product has of its own (5 s). */
const MAX_SCHEDULER_WAIT_MS = 10_000
const MAX_APPEND_MS = 100
const MAX_PENDING_EVENTS = 1_000
const MAX_EVENT_AGE_MS = 60_000
/** What failed longer ago is left to the lists of mails and notifications. */
const OUTBOX_MINUTES = 15
const MAX_CLOCK_STEP_MS = 2_000

export interface SelfProbeDeps {
  clock: Clock
  /** Where the product stores its data. */
  dataDirectory: string
  pool: Pick<Pool, 'query'>
  /** How late the check scheduler is at this moment. */
  scheduler: () => { late: number; oldestWaitMs: number }
  /** Unix socket of PostgREST; asked at each run, because a restart may move it. */
  postgrestSocketPath: () => string
  /** How what people wrote is run here; absent where nothing can run it. */
  confinement?: Confinement | undefined
  version: string
}

export interface SelfProbeRegistry {
  probes: SelfProbes
  /** Stops measuring the event loop. */
  close(): void
}

export function createSelfProbes(deps: SelfProbeDeps): SelfProbeRegistry {
  const eventLoop = measureEventLoop(deps.clock)
  const probes: SelfProbes = {
    'event-loop-delay': eventLoop.probe,
    'heap-and-rss': createMemoryProbe(deps.clock),
    'store-writable': createStoreProbe(deps),
    'disk-free': createDiskProbe(deps),
    'scheduler-tick': createSchedulerProbe(deps),
    'database-append': createAppendProbe(deps),
    'event-queue-depth': createEventQueueProbe(deps),
    'notification-outbox': createOutboxProbe(deps),
    'clock-step': createClockProbe(deps.clock),
    postgrest: createPostgrestProbe(deps),
    programs: createProgramsProbe(deps),
    'build-info': createBuildProbe(deps),
  }
  return { probes, close: eventLoop.close }
}

/** Runs `work`; what the environment refuses (disk, database, socket) is an outcome, not an error. */
function probe(
  clock: Clock,
  work: (signal: AbortSignal, elapsedMs: () => number) => Promise<CheckOutcome> | CheckOutcome,
): SelfProbe {
  return async (signal) => {
    const startedAt = clock.monotonic()
    const elapsedMs = (): number => clock.monotonic() - startedAt
    try {
      return await work(signal, elapsedMs)
    } catch (error) {
      return notPassed(elapsedMs(), describeFailure(error))
    }
  }
}

function measureEventLoop(clock: Clock): { probe: SelfProbe; close: () => void } {
  const histogram = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS })
  histogram.enable()
  return {
    probe: probe(clock, () => {
      const p99Ms = histogram.count === 0 ? 0 : toDelay(histogram.percentile(99))
      const maxMs = histogram.count === 0 ? 0 : toDelay(histogram.max)
      histogram.reset()
      const faults = p99Ms > MAX_EVENT_LOOP_DELAY_MS ? [`the event loop was ${formatDuration(p99Ms)} late (p99)`] : []
      return judged(p99Ms, faults, `p99 ${formatDuration(p99Ms)}, worst ${formatDuration(maxMs)}`, { p99Ms, maxMs })
    }),
    close: () => {
      histogram.disable()
    },
  }
}

/** The histogram holds whole turns of its own timer, so an idle loop reads as one resolution. */
const toDelay = (ns: number): number => Math.max(0, ns / 1e6 - EVENT_LOOP_RESOLUTION_MS)

function createMemoryProbe(clock: Clock): SelfProbe {
  const samples: number[] = []
  return probe(clock, (_signal, elapsedMs) => {
    const { rss } = process.memoryUsage()
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    samples.push(rss)
    if (samples.length > RSS_SAMPLES) samples.shift()
    const faults: string[] = []
    if (used > MAX_HEAP_SHARE * limit) {
      faults.push(`the heap holds ${formatByteSize(used)} of at most ${formatByteSize(limit)}`)
    }
    const growth = findGrowth(samples)
    if (growth !== null) faults.push(`resident memory keeps growing, from ${growth}`)
    const message = `heap ${formatByteSize(used)} of ${formatByteSize(limit)}, resident ${formatByteSize(rss)}`
    return judged(elapsedMs(), faults, message, { heapUsedBytes: used, heapLimitBytes: limit, rssBytes: rss })
  })
}

/** Grown when even the smallest of the newest samples is far above the largest of the oldest. */
export function findGrowth(samples: readonly number[]): string | null {
  if (samples.length < RSS_SAMPLES) return null
  const quarter = RSS_SAMPLES / 4
  const before = Math.max(...samples.slice(0, quarter))
  const now = Math.min(...samples.slice(-quarter))
  const isGrown = now > MAX_RSS_GROWTH * before && now - before > MIN_RSS_GROWTH_BYTES
  return isGrown ? `${formatByteSize(before)} to ${formatByteSize(now)}` : null
}

function createStoreProbe({ clock, dataDirectory }: SelfProbeDeps): SelfProbe {
  return probe(clock, async (_signal, elapsedMs) => {
    const path = join(dataDirectory, `.probe-${randomUUID()}`)
    const written = randomUUID()
    try {
      const file = await open(path, 'wx', 0o600)
      try {
        await file.writeFile(written)
        await file.sync()
      } finally {
        await file.close()
      }
      const isSame = (await readFile(path, 'utf8')) === written
      return judged(elapsedMs(), isSame ? [] : ['what was read differs from what was written'], 'written and read', {})
    } finally {
      await rm(path, { force: true })
    }
  })
}

function createDiskProbe({ clock, dataDirectory }: SelfProbeDeps): SelfProbe {
  return probe(clock, async (_signal, elapsedMs) => {
    const { bavail, blocks, bsize } = await statfs(dataDirectory)
    const freeBytes = bavail * bsize
    const freeShare = blocks === 0 ? 0 : bavail / blocks
    const free = `${formatByteSize(freeBytes)} free (${formatPercent(freeShare * 100)})`
    return judged(elapsedMs(), findDiskFault(freeBytes, freeShare), free, { freeBytes, freeShare })
  })
}

/** @param freeShare of the whole file system, 0 to 1 */
export function findDiskFault(freeBytes: number, freeShare: number): string[] {
  if (freeShare < MIN_FREE_SHARE) return [`only ${formatPercent(freeShare * 100)} of the disk is free`]
  if (freeBytes < MIN_FREE_BYTES) return [`only ${formatByteSize(freeBytes)} of the disk is free`]
  return []
}

function createSchedulerProbe({ clock, scheduler }: SelfProbeDeps): SelfProbe {
  return probe(clock, () => {
    const { late, oldestWaitMs } = scheduler()
    const isLate = oldestWaitMs > MAX_SCHEDULER_WAIT_MS
    const faults = isLate ? [`${late} checks are late, the oldest by ${formatDuration(oldestWaitMs)}`] : []
    return judged(oldestWaitMs, faults, late === 0 ? 'no check is late' : `${late} late`, { late, oldestWaitMs })
  })
}

function createAppendProbe({ clock, pool }: SelfProbeDeps): SelfProbe {
  return probe(clock, async (_signal, elapsedMs) => {
    // Appends to the write-ahead log and waits for its fsync, as each of our writes does, without leaving a row behind.
    const appended = await pool.query<{ position: string }>(
      `select pg_logical_emit_message(true, 'watchroom', 'probe')::text as position`,
    )
    const durationMs = elapsedMs()
    const position = appended.rows[0]?.position
    const read = await pool.query<{ flushed: boolean }>('select pg_current_wal_flush_lsn() >= $1::pg_lsn as flushed', [
      position,
    ])
    const faults: string[] = []
    if (read.rows[0]?.flushed !== true) faults.push('what was appended is not on disk after the commit')
    if (durationMs > MAX_APPEND_MS) {
      faults.push(`an append took ${formatDuration(durationMs)}, more than ${formatDuration(MAX_APPEND_MS)}`)
    }
    return judged(durationMs, faults, `appended in ${formatDuration(durationMs)}`, { position })
  })
}

function createEventQueueProbe({ clock, pool }: SelfProbeDeps): SelfProbe {
  return probe(clock, async (_signal, elapsedMs) => {
    const { rows } = await pool.query<{ pending: number; oldestMs: number }>(
      `select count(*)::int as pending,
              coalesce(extract(epoch from clock_timestamp() - min(due_at)) * 1000, 0)::float8 as "oldestMs"
         from (select created_at + make_interval(secs => coalesce(delay, 0) / 1e9) as due_at
                 from event_queue where coalesce(attempts, 0) < $1) waiting
        where due_at <= clock_timestamp()`,
      [MAX_EVENT_ATTEMPTS],
    )
    const { pending = 0, oldestMs = 0 } = rows[0] ?? {}
    const faults: string[] = []
    if (pending > MAX_PENDING_EVENTS) faults.push(`${pending} events wait, more than ${MAX_PENDING_EVENTS}`)
    if (oldestMs > MAX_EVENT_AGE_MS) faults.push(`the oldest event has waited ${formatDuration(oldestMs)}`)
    return judged(elapsedMs(), faults, `${pending} events wait`, { pending, oldestMs })
  })
}

/** Also of messages that are tried again; not of those that someone else took instead. What their error says may name people: it stays in the lists of those who may read it. */
function createOutboxProbe({ clock, pool }: SelfProbeDeps): SelfProbe {
  return probe(clock, async (_signal, elapsedMs) => {
    const { rows } = await pool.query<{ mails: number; notifications: number }>(
      `select
         (select count(*)::int from event_queue
          where name = $1 and error is not null and last_attempt > now() - make_interval(mins => $2)) as mails,
         (select count(*)::int from notification_send_history as refused
          where status = 'error' and changed_at > now() - make_interval(mins => $2)
            and created_at > now() - interval '1 day'
            and not exists (
              select from notification_send_history as told
              left join notification_send_history as leader on told.status = 'grouped' and leader.id = told.grouped_into
              where told.notification_id = refused.notification_id and told.transition = refused.transition
                and coalesce(leader.status, told.status) in ('sent', 'fallback'))) as notifications`,
      [MAIL_EVENT, OUTBOX_MINUTES],
    )
    const { mails = 0, notifications = 0 } = rows[0] ?? {}
    const last = `in the last ${OUTBOX_MINUTES} minutes`
    const faults: string[] = []
    if (mails > 0) faults.push(`${mails} ${mails === 1 ? 'mail' : 'mails'} failed ${last}`)
    if (notifications > 0) {
      faults.push(`${notifications} ${notifications === 1 ? 'notification' : 'notifications'} failed ${last}`)
    }
    return judged(elapsedMs(), faults, `nothing failed ${last}`, { mails, notifications })
  })
}

function createClockProbe(clock: Clock): SelfProbe {
  const readOffset = (): number => clock.now() - clock.monotonic()
  let offsetMs = readOffset()
  return probe(clock, (_signal, elapsedMs) => {
    const stepMs = readOffset() - offsetMs
    // A step is reported once; from then on the new time is the right one.
    offsetMs += stepMs
    const isStep = Math.abs(stepMs) > MAX_CLOCK_STEP_MS
    const size = formatDuration(Math.abs(stepMs))
    const faults = isStep ? [`the wall clock jumped ${size} ${stepMs > 0 ? 'ahead' : 'back'}`] : []
    return judged(elapsedMs(), faults, `off by ${size}`, { stepMs })
  })
}

function createPostgrestProbe({ clock, postgrestSocketPath }: SelfProbeDeps): SelfProbe {
  return probe(clock, async (signal, elapsedMs) => {
    const statusCode = await head(postgrestSocketPath(), signal)
    // Without a token it may answer 401: it is there, and it has read the schema (else 503).
    const faults = statusCode >= 500 ? [`PostgREST answered ${statusCode}`] : []
    return judged(elapsedMs(), faults, `answered in ${formatDuration(elapsedMs())}`, { statusCode })
  })
}

function head(socketPath: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path: '/', method: 'HEAD', signal }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.once('error', reject)
    sent.end()
  })
}

/** Says where programs are not run and why. That is a decision, or how a machine is made: no failure. */
function createProgramsProbe({ clock, confinement }: SelfProbeDeps): SelfProbe {
  return probe(clock, (_signal, elapsedMs) => {
    const kind = confinement?.kind ?? 'off'
    const reason = confinement?.kind === 'off' ? confinement.reason : 'nothing here can run them'
    const message = kind === 'off' ? `programs run on agents only, not here: ${reason}` : 'programs run here'
    return passed(elapsedMs(), message, { confinement: kind })
  })
}

function createBuildProbe({ clock, version }: SelfProbeDeps): SelfProbe {
  return probe(clock, (_signal, elapsedMs) => {
    const uptimeMs = process.uptime() * 1_000
    const message = `watchroom ${version}, node ${process.version}, up ${formatDuration(uptimeMs)}`
    return passed(elapsedMs(), message, { version, node: process.version, uptimeMs, platform: process.platform })
  })
}
