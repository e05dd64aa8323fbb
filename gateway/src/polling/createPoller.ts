import { type Clock, createTimer } from '@watchroom/shared/kernel'
import type { SourceProblem } from '@watchroom/shared/protocol'

import { CodedError } from '../platform/errors.ts'
import type { Logger } from '../platform/logger.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Feed, FeedListener, Source, SourceRead } from './contract.ts'
import { pollingErrors } from './errors.ts'
import { nextDelay, type PollPolicy } from './nextDelay.ts'

// Reads one source for everyone. Knows nothing of topics or sockets. A failing source is data: the last good rows stay
// with whoever holds them, and the failure is told beside them.

export interface PollerSettings {
  /** A read that takes longer has failed. */
  readonly deadlineMs: number
  /** Between two reads that someone woke: a burst of changes is one read. */
  readonly minGapMs: number
  /** The same while the source fails: an eager user must not undo the back-off. */
  readonly failingGapMs: number
  /** Between reads while nobody watches: the first to come sees rows at once. */
  readonly sweepMs: number
  /** A read of everything, cursor or not: what a cursor missed is made good. */
  readonly fullReadMs: number
  readonly retryMs: number
  readonly maxDelayMs: number
  /** Of what the backend does not have: the first wait, and the least between two reads, whoever wakes. */
  readonly missingRetryMs: number
  readonly missingMaxDelayMs: number
}

const POLLER_SETTINGS: PollerSettings = {
  deadlineMs: 15_000,
  minGapMs: 120,
  failingGapMs: 1_000,
  sweepMs: 60_000,
  fullReadMs: 300_000,
  retryMs: 1_000,
  maxDelayMs: 60_000,
  missingRetryMs: 60_000,
  missingMaxDelayMs: 600_000,
}

/** Time a read and its way to the screen may take on top of the interval before data counts as late. */
const SLACK_MS = 2_000

export interface PollerMetrics {
  readonly seconds: ReturnType<Metrics['histogram']>
  readonly droppedRows: ReturnType<Metrics['counter']>
}

export interface PollerDeps {
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly metrics: PollerMetrics
  readonly settings?: Partial<PollerSettings>
}

export function createPollerMetrics(metrics: Metrics): PollerMetrics {
  return {
    seconds: metrics.histogram({
      name: 'watchroom_poll_seconds',
      help: 'Duration of one read of a source, by result.',
      labelNames: ['source', 'result'],
    }),
    droppedRows: metrics.counter({
      name: 'watchroom_poll_dropped_rows_total',
      help: 'Rows of a source that the schema refused.',
      labelNames: ['source'],
    }),
  }
}

export function createPoller<Row>(source: Source<Row>, deps: PollerDeps): Feed<Row> {
  const { clock, logger } = deps
  const settings: PollerSettings = { ...POLLER_SETTINGS, ...deps.settings }
  const listeners = new Set<FeedListener<Row>>()
  const timer = createTimer(clock)
  const deadlineTimer = createTimer(clock)

  let watchers = 0
  let failures = 0
  let problem: SourceProblem | null = null
  let cursor: string | undefined
  let fullReadAt = -Infinity
  let startedAt = -Infinity
  let isReading = false
  /** Woken while reading, or while nobody watched: what was read may be older than the change. */
  let isStale = false
  let isClosed = false
  let abort: AbortController | null = null
  /** Monotonic moment of the planned read. */
  let plannedAt = Infinity

  const plan = (delayMs: number): void => {
    if (isClosed || isReading) return
    plannedAt = clock.monotonic() + delayMs
    timer.set(() => void read(), delayMs)
  }

  const gapMs = (): number => Math.max(0, startedAt + minGapMs(problem, settings) - clock.monotonic())

  const read = async (): Promise<void> => {
    isReading = true
    isStale = false
    startedAt = clock.monotonic()
    const isFull = startedAt - fullReadAt >= settings.fullReadMs
    const outcome = await attempt(isFull ? undefined : cursor)
    isReading = false
    if (isClosed) return
    const latencyMs = clock.monotonic() - startedAt
    deps.metrics.seconds.observe(
      { source: source.name, result: outcome.ok ? 'ok' : outcome.error.code },
      latencyMs / 1_000,
    )
    if (outcome.ok) succeed(outcome.read)
    const isFollowed = outcome.ok && outcome.read.mayReadOn === true
    const policy = { intervalMs: source.intervalMs, ...waitsAfter(outcome.ok ? null : outcome.error, settings) }
    const delayMs = isFollowed ? gapMs() : nextDelay(outcome.ok ? 0 : failures + 1, latencyMs, policy, deps.random)
    const waitMs = watchers > 0 ? delayMs : Math.max(delayMs, settings.sweepMs)
    if (!outcome.ok) fail(outcome.error, waitMs)
    plan(isStale && watchers > 0 ? gapMs() : waitMs)
  }

  type Outcome = { ok: true; read: SourceRead<Row> } | { ok: false; error: CodedError }

  /** One read with a deadline; never rejects. */
  const attempt = (from: string | undefined): Promise<Outcome> => {
    const controller = new AbortController()
    abort = controller
    return new Promise((resolve) => {
      deadlineTimer.set(() => {
        controller.abort()
        const values = { seconds: settings.deadlineMs / 1_000 }
        resolve({ ok: false, error: new CodedError(pollingErrors.POLLING_UPSTREAM_TIMEOUT, { values }) })
      }, settings.deadlineMs)
      const settle = (outcome: Outcome): void => {
        // An answer after the deadline comes to nothing; the timer then belongs to the next read.
        if (!controller.signal.aborted) deadlineTimer.clear()
        resolve(outcome)
      }
      source.read(controller.signal, from).then(
        (result) => settle({ ok: true, read: result }),
        (error: unknown) => settle({ ok: false, error: toCodedError(error) }),
      )
    })
  }

  const succeed = (result: SourceRead<Row>): void => {
    if (result.kind === 'all') fullReadAt = startedAt
    cursor = result.cursor
    if (result.droppedRows > 0) {
      deps.metrics.droppedRows.inc({ source: source.name }, result.droppedRows)
      logger.warn({ source: source.name, droppedRows: result.droppedRows }, 'rows of a source cannot be read')
    }
    if (failures > 0) logger.info({ source: source.name, failures }, 'source is well again')
    failures = 0
    for (const listener of listeners) listener.onRead(result)
    if (problem !== null) {
      problem = null
      for (const listener of listeners) listener.onProblem(null)
    }
  }

  const fail = (error: CodedError, delayMs: number): void => {
    failures += 1
    problem = {
      code: error.code,
      message: error.message,
      consecutiveFailures: failures,
      nextAttemptAt: clock.now() + delayMs,
    }
    const facts = { err: error, source: source.name, failures, delayMs: Math.round(delayMs) }
    if (failures === 1 && error.reportable) logger.error(facts, 'source cannot be read')
    else logger.info(facts, 'source cannot be read')
    for (const listener of listeners) listener.onProblem(problem)
  }

  const wake = (): void => {
    isStale = true
    // Nobody watches: the sweep is soon enough, unless the source was in trouble and may be well again.
    if (isReading || (watchers === 0 && failures === 0)) return
    const delayMs = gapMs()
    if (clock.monotonic() + delayMs < plannedAt) plan(delayMs)
  }

  plan(0)
  return {
    freshForMs: source.intervalMs * 1.5 + SLACK_MS,
    problem: () => problem,
    listen: (listener) => {
      listeners.add(listener)
      // A new listener has no base for changes: the next read brings everything.
      fullReadAt = -Infinity
      isStale = true
      if (watchers > 0) wake()
      return () => listeners.delete(listener)
    },
    watch: () => {
      watchers += 1
      if (watchers === 1) {
        const isOld = clock.monotonic() - startedAt > source.intervalMs
        if (isStale || isOld) wake()
        else if (!isReading) plan(Math.min(plannedAt - clock.monotonic(), source.intervalMs))
      }
      let isWatching = true
      return () => {
        if (isWatching) watchers -= 1
        isWatching = false
      }
    },
    wake,
    close: () => {
      isClosed = true
      timer.clear()
      deadlineTimer.clear()
      abort?.abort()
    },
  }
}

/** Asked again all the same: a backend is updated, or has not read its own tables yet. */
const isMissing = (error: { readonly code: string } | null): boolean =>
  error?.code === pollingErrors.POLLING_UPSTREAM_NOT_OFFERED.code

const waitsAfter = (error: CodedError | null, settings: PollerSettings): Omit<PollPolicy, 'intervalMs'> =>
  isMissing(error)
    ? { retryMs: settings.missingRetryMs, maxDelayMs: settings.missingMaxDelayMs }
    : { retryMs: settings.retryMs, maxDelayMs: settings.maxDelayMs }

/** @param problem of the last read */
function minGapMs(problem: SourceProblem | null, settings: PollerSettings): number {
  if (problem === null) return settings.minGapMs
  return isMissing(problem) ? settings.missingRetryMs : settings.failingGapMs
}

function toCodedError(error: unknown): CodedError {
  if (error instanceof CodedError) return error
  return new CodedError(pollingErrors.POLLING_UPSTREAM_UNREADABLE, { cause: error })
}
