// Writes check results in small batches. A result stays in memory until its transaction is committed, so a restart of the
// database loses nothing; a repeated batch is harmless because a run is identified by its check and its start.
import { MAX_DETAILS_LENGTH, toBoundedText, toStoredDuration } from '@watchroom/shared/health'
import { backoffMs, type Clock, toStorablePart } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'
import type { Logger } from 'pino'

import { isDataFault } from '../../platform/database/sqlState.ts'
import type { SummaryState } from './createCheckSummary.ts'

/** A result of whoever ran the check. */
export interface StorableResult {
  readonly checkId: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly durationMs: number
  readonly passed: boolean
  readonly isInvalid: boolean
  readonly message: string | null
  readonly error: string | null
  /** Any JSON; null for none. */
  readonly details: unknown
  readonly severity: string | null
  readonly nextRuntimeAt: number | null
  /** Of a result of an agent: what its clock said, which identifies it. */
  readonly agentTime?: string
}

/** A result of a run of our own. */
export interface CheckResult extends StorableResult {
  readonly details: Readonly<Record<string, unknown>> | null
}

export interface StoredResults {
  readonly results: readonly StorableResult[]
  /** State of the checks after the commit; none for checks that no longer exist. */
  readonly states: ReadonlyMap<string, SummaryState>
}

export interface ResultStoreMetrics {
  /** Results that wait to be written. */
  buffered: number
  written: number
  /** Lost because the buffer was full while the database was away. */
  dropped: number
  /** Refused by the database for what they contain. */
  rejected: number
}

export interface ResultStore {
  add(result: CheckResult): void
  /** Resolves when everything added so far is written, or lost and counted. */
  flushed(): Promise<void>
  metrics(): ResultStoreMetrics
  /** Writes what is left, for at most `CLOSE_TIMEOUT_MS`. */
  close(): Promise<void>
}

export interface ResultStoreDeps {
  pool: Pick<Pool, 'query'>
  clock: Clock
  logger: Logger
  random: () => number
  /** Called after each commit. */
  onStored: (stored: StoredResults) => void
  maxBuffered?: number
  maxBufferedBytes?: number
}

const MAX_BATCH = 200
const FLUSH_AFTER_MS = 50
/** Bounds of the buffer while the database is away: 2,000 checks at 30 s fill it in 12 minutes. */
const MAX_BUFFERED = 50_000
const MAX_BUFFERED_BYTES = 64 * 2 ** 20
const BACKOFF = { firstMs: 100, maxMs: 2_000 }
const CLOSE_TIMEOUT_MS = 5_000

const INSERT = `
with incoming as (
  select * from jsonb_to_recordset($1::jsonb) as result(
    check_id uuid, time timestamptz, duration integer, status boolean, invalid boolean,
    message text, error text, details jsonb, severity text, next_runtime timestamptz)
), known as (
  select incoming.* from incoming join checks on checks.id = incoming.check_id
), stored as (
  insert into check_statuses (check_id, time, duration, status, invalid, message, error, details, severity)
  select check_id, time, duration, status, invalid, message, error, details, severity from known
  on conflict (check_id, time) do nothing
), latest as (
  select distinct on (check_id) * from known order by check_id, time desc
), turns as (
  -- The first of the runs that say what the last one says, and whether one before them in this batch said something else.
  select latest.check_id, min(known.time) filter (where known.time > other.time or other.time is null) as at,
    other.time is not null as is_sure
  from latest
  left join lateral (
    select max(time) as time from known where known.check_id = latest.check_id and known.status <> latest.status
  ) as other on true
  join known on known.check_id = latest.check_id
  group by latest.check_id, other.time
)
update checks
set status = case when latest.status then 'healthy' else 'unhealthy' end,
    last_runtime = latest.time,
    next_runtime = latest.next_runtime,
    last_transition_time = case
      when turns.is_sure or checks.status is distinct from case when latest.status then 'healthy' else 'unhealthy' end
        then turns.at
      else checks.last_transition_time end
from latest join turns on turns.check_id = latest.check_id
where checks.id = latest.check_id and (checks.last_runtime is null or checks.last_runtime <= latest.time)
returning checks.id, checks.status, checks.last_runtime, checks.next_runtime, checks.last_transition_time,
  checks.updated_at`

export interface StateRow {
  id: string
  status: string | null
  last_runtime: Date | null
  next_runtime: Date | null
  last_transition_time: Date | null
  updated_at: Date | null
}

export function toState(row: Omit<StateRow, 'id'>): SummaryState {
  return {
    status: row.status,
    lastRuntimeAt: row.last_runtime?.getTime() ?? null,
    nextRuntimeAt: row.next_runtime?.getTime() ?? null,
    lastTransitionAt: row.last_transition_time?.getTime() ?? null,
    updatedAt: row.updated_at?.getTime() ?? null,
  }
}

interface Pending {
  result: CheckResult
  /** The row as JSON: made once, whatever happens to the batch. */
  json: string
}

/** What is kept of a run of our own. What an agent pushes was acknowledged, and is kept as it came: its body is bounded. */
function toBounded(result: CheckResult): CheckResult {
  const { message, error, details } = result
  const length = details === null ? 0 : JSON.stringify(details, toStorablePart).length
  return {
    ...result,
    message: message === null ? null : toBoundedText(message),
    error: error === null ? null : toBoundedText(error),
    details: length > MAX_DETAILS_LENGTH ? { omitted: `${length} characters` } : details,
  }
}

/** A row of `check_statuses`, with `next_runtime` of its check, as `jsonb_to_recordset` takes it. */
export function toRowJson(result: StorableResult): string {
  return JSON.stringify(
    {
      check_id: result.checkId,
      time: new Date(result.startedAt).toISOString(),
      agent_time: result.agentTime,
      duration: toStoredDuration(result.durationMs),
      status: result.passed,
      invalid: result.isInvalid,
      message: result.message,
      error: result.error,
      details: result.details,
      severity: result.severity,
      next_runtime: result.nextRuntimeAt === null ? null : new Date(result.nextRuntimeAt).toISOString(),
    },
    toStorablePart,
  )
}

export function createResultStore(deps: ResultStoreDeps): ResultStore {
  const { pool, clock, logger, random, onStored } = deps
  const maxBuffered = deps.maxBuffered ?? MAX_BUFFERED
  const maxBufferedBytes = deps.maxBufferedBytes ?? MAX_BUFFERED_BYTES
  const buffer: Pending[] = []
  let bufferedBytes = 0
  /** Results added, and results that are dealt with, since the start. */
  let added = 0
  let done = 0
  let written = 0
  let dropped = 0
  let rejected = 0
  let failures = 0
  let isWriting = false
  /** At the head of the buffer: in a transaction right now, so they must not be dropped. */
  let inWriting = 0
  let isClosed = false
  let cancelTimer: (() => void) | null = null
  let waiters: { until: number; resolve: () => void }[] = []

  function settle(count: number): void {
    done += count
    if (waiters.length === 0) return
    const ready = waiters.filter(({ until }) => until <= done)
    waiters = waiters.filter(({ until }) => until > done)
    for (const { resolve } of ready) resolve()
  }

  function takeOff(start: number, count: number): void {
    for (const { json } of buffer.splice(start, count)) bufferedBytes -= json.length
    settle(count)
  }

  function schedule(delayMs: number): void {
    cancelTimer ??= clock.schedule(() => {
      cancelTimer = null
      void write()
    }, delayMs)
  }

  async function write(): Promise<void> {
    if (isWriting) return
    isWriting = true
    try {
      while (buffer.length > 0) {
        inWriting = Math.min(MAX_BATCH, buffer.length)
        await writeBatch(buffer.slice(0, inWriting))
        takeOff(0, inWriting)
        inWriting = 0
        if (failures > 0) logger.info({ buffered: buffer.length }, 'check results are being stored again')
        failures = 0
      }
    } catch (error) {
      inWriting = 0
      if (failures++ === 0)
        logger.warn({ err: error, buffered: buffer.length }, 'check results cannot be stored, retrying')
      if (!isClosed) schedule(backoffMs(failures, BACKOFF, random))
    } finally {
      isWriting = false
    }
  }

  /** A batch with a result that the database refuses is halved until the culprit stands alone. */
  async function writeBatch(batch: readonly Pending[]): Promise<void> {
    let rows: StateRow[]
    try {
      rows = (await pool.query<StateRow>(INSERT, [`[${batch.map(({ json }) => json).join(',')}]`])).rows
    } catch (error) {
      if (!isDataFault(error)) throw error
      const [only, second] = batch
      if (only && !second) {
        rejected++
        logger.error({ err: error, checkId: only.result.checkId }, 'check result refused by the database')
        return
      }
      const middle = Math.ceil(batch.length / 2)
      await writeBatch(batch.slice(0, middle))
      await writeBatch(batch.slice(middle))
      return
    }
    written += batch.length
    onStored({
      results: batch.map(({ result }) => result),
      states: new Map(rows.map((row) => [row.id, toState(row)])),
    })
  }

  const isOverfull = (): boolean =>
    buffer.length - inWriting > 1 && (buffer.length > maxBuffered || bufferedBytes > maxBufferedBytes)

  /** The newest results are worth most: the oldest one goes first. */
  function dropOldest(): void {
    if (dropped++ % 1_000 === 0) logger.error({ dropped }, 'check results lost: the database has been away too long')
    takeOff(inWriting, 1)
  }

  function add(result: CheckResult): void {
    const json = toRowJson(toBounded(result))
    buffer.push({ result, json })
    bufferedBytes += json.length
    added++
    while (isOverfull()) dropOldest()
    if (isWriting || failures > 0) return
    if (buffer.length >= MAX_BATCH) void write()
    else schedule(FLUSH_AFTER_MS)
  }

  const flushed = (): Promise<void> =>
    done >= added ? Promise.resolve() : new Promise((resolve) => waiters.push({ until: added, resolve }))

  return {
    add,
    flushed,
    metrics: () => ({ buffered: buffer.length, written, dropped, rejected }),
    close: async () => {
      isClosed = true
      const giveUpAt = clock.monotonic() + CLOSE_TIMEOUT_MS
      while (buffer.length > 0 && clock.monotonic() < giveUpAt) {
        cancelTimer?.()
        cancelTimer = null
        await write()
        if (buffer.length > 0) await new Promise<void>((resolve) => clock.schedule(resolve, BACKOFF.firstMs))
      }
      cancelTimer?.()
      if (buffer.length > 0) logger.error({ lost: buffer.length }, 'check results lost: the database is away')
      takeOff(0, buffer.length)
    },
  }
}
