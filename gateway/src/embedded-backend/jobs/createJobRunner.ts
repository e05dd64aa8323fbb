// Runs internal work by its schedule and keeps the log of it. A job never overlaps itself, and its failure is a row in
// `job_history`, never an error that someone else must catch.
import { type Clock, createTimer, messageOf, NIL_UUID, waitAtMost } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'
import type { Logger } from 'pino'

import type { LocalProperties } from '../settings/readProperty.ts'
import type { Job } from './job.ts'
import { insertRunning, type JobRun, toStatus, writeOutcome } from './jobHistory.ts'

export interface JobRunner {
  /** Plans all jobs. One that is overdue, or has never run, runs within `CATCH_UP_MS`. */
  start(): Promise<void>
  /** Runs a job now, or joins its current run. */
  runNow(name: string): Promise<void>
  /** Aborts what runs and waits for it, at most `CLOSE_TIMEOUT_MS`. */
  close(): Promise<void>
}

export interface JobRunnerDeps {
  pool: Pool
  clock: Clock
  logger: Logger
  random: () => number
  hostname: string
  jobs: readonly Job[]
  localProperties?: LocalProperties
}

/** Timers are re-armed at least this often, so that they follow a step of the wall clock. */
const MAX_SLEEP_MS = 600_000
const CLOSE_TIMEOUT_MS = 5_000
/** A job that goes on for this long after its deadline does not listen to its signal. */
const STUCK_MS = 60_000
/** What was due while the program was not running is made up for over this long, so that a start stays quick. */
const CATCH_UP_MS = 60_000

export function createJobRunner(deps: JobRunnerDeps): JobRunner {
  const { pool, clock, logger, random, hostname, jobs, localProperties = {} } = deps
  const running = new Map<string, Promise<void>>()
  const cancels = new Map<string, () => void>()
  const shutdown = new AbortController()

  async function execute(job: Job): Promise<void> {
    const run: JobRun = {
      name: job.name,
      resourceType: job.resourceType,
      resourceId: hostname,
      hostname,
      startedAt: clock.now(),
    }
    const startedAt = clock.monotonic()
    const stop = new AbortController()
    const handleShutdown = (): void => stop.abort(shutdown.signal.reason)
    shutdown.signal.addEventListener('abort', handleShutdown, { once: true })
    const timer = createTimer(clock)
    timer.set(() => {
      stop.abort(new Error(`did not end within ${job.deadlineMs / 1_000} s`))
      timer.set(
        () => logger.error({ job: job.name }, 'job goes on after its deadline; until it ends it is not run again'),
        STUCK_MS,
      )
    }, job.deadlineMs)
    let successes = 0
    const errors: string[] = []
    let id: string | null = null
    try {
      if (job.retention.successes > 0) id = await insertRunning(pool, run)
      await job.run({
        pool,
        localProperties,
        signal: stop.signal,
        now: run.startedAt,
        report: {
          success: (count = 1) => {
            successes += count
          },
          failure: (message) => errors.push(message),
        },
      })
      stop.signal.throwIfAborted()
    } catch (error) {
      errors.push(messageOf(error))
    } finally {
      timer.clear()
      shutdown.signal.removeEventListener('abort', handleShutdown)
    }
    const durationMs = clock.monotonic() - startedAt
    const outcome = { successes, errors, durationMs, endedAt: clock.now() }
    const level = errors.length > 0 ? 'warn' : 'debug'
    logger[level]({ job: job.name, status: toStatus(outcome), successes, errors, durationMs }, 'job ran')
    try {
      await writeOutcome(pool, { id, run, outcome, retention: job.retention })
    } catch (error) {
      // The work is done or will be repeated; only its log is missing.
      logger.warn({ err: error, job: job.name }, 'job history not written')
    }
  }

  function runOnce(job: Job): Promise<void> {
    const current = running.get(job.name)
    if (current) return current
    const run = execute(job).finally(() => running.delete(job.name))
    running.set(job.name, run)
    return run
  }

  function plan(job: Job, phase: number): void {
    const dueAt = job.schedule.next(clock.now(), phase)
    if (dueAt !== null) waitFor(job, phase, dueAt)
  }

  function waitFor(job: Job, phase: number, dueAt: number): void {
    if (shutdown.signal.aborted) return
    const delayMs = dueAt - clock.now()
    cancels.set(
      job.name,
      clock.schedule(
        () => {
          if (delayMs > MAX_SLEEP_MS) waitFor(job, phase, dueAt)
          else void runOnce(job).then(() => plan(job, phase))
        },
        Math.min(MAX_SLEEP_MS, Math.max(0, delayMs)),
      ),
    )
  }

  /** When each job ran last; without an answer of the database none is known to be overdue. */
  async function readLastRuns(): Promise<ReadonlyMap<string, number> | null> {
    try {
      const { rows } = await pool.query<{ name: string; last: Date }>(
        `select name, max(time_start) as last from job_history
         where name = any($1) and hostname = $2 and agent_id = '${NIL_UUID}' group by name`,
        [jobs.map(({ name }) => name), hostname],
      )
      return new Map(rows.map(({ name, last }) => [name, last.getTime()]))
    } catch (error) {
      logger.warn({ err: error }, 'job history not read; overdue jobs wait for their next time')
      return null
    }
  }

  return {
    start: async () => {
      const lastRuns = await readLastRuns()
      const now = clock.now()
      for (const job of jobs) {
        const phase = random()
        const isOverdue = lastRuns !== null && (lastRuns.get(job.name) ?? 0) + job.schedule.periodMs <= now
        if (isOverdue) waitFor(job, phase, now + random() * CATCH_UP_MS)
        else plan(job, phase)
      }
    },
    runNow: (name) => {
      const job = jobs.find((job) => job.name === name)
      return job ? runOnce(job) : Promise.reject(new Error(`there is no job ${name}`))
    },
    close: async () => {
      shutdown.abort(new Error('shutting down'))
      for (const cancel of cancels.values()) cancel()
      await waitAtMost(clock, Promise.allSettled(running.values()), CLOSE_TIMEOUT_MS)
    },
  }
}
