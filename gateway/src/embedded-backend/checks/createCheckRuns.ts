// When the checks of this process run, and what becomes of a run: a result for the store.
import { type Clock, waitAtMost } from '@watchroom/shared/kernel'

import type { CheckOutcome } from '../../check-runner/contract.ts'
import { type CheckRun, createScheduler, type Scheduler } from '../../check-runner/createScheduler.ts'
import { toOutcome } from '../../check-runner/toOutcome.ts'
import type { Logger } from '../../platform/logger.ts'
import type { LocalChecks } from './createLocalChecks.ts'
import type { CheckResult, ResultStore } from './createResultStore.ts'
import type { createSealedRunner } from './createSealedRunner.ts'

/** Whoever asked for a run waits this long for its row. */
const STORE_WAIT_MS = 5_000

export interface CheckRuns {
  readonly scheduler: Scheduler<CheckOutcome>
  /** Runs a check now and stores the result; null when it is not run here. */
  readonly runNow: (checkId: string) => Promise<CheckResult | null>
}

export interface CheckRunsDeps {
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly store: Pick<ResultStore, 'add' | 'flushed'>
  readonly findCheck: LocalChecks['get']
  readonly runSealed: ReturnType<typeof createSealedRunner>
  readonly maxConcurrent?: number
}

export function createCheckRuns({ logger, store, findCheck, runSealed, ...deps }: CheckRunsDeps): CheckRuns {
  const execute = (id: string, signal: AbortSignal): Promise<CheckOutcome> => {
    const work = findCheck(id)?.work
    if (!work) return Promise.reject(new Error('check was removed'))
    if (work.kind === 'broken') {
      return Promise.resolve({ passed: false, invalid: true, durationMs: 0, error: work.reason })
    }
    return runSealed({ check: { ...work.check, id }, sealed: work.sealed, signal })
  }

  const toResult = (run: CheckRun<CheckOutcome>): CheckResult | null => {
    const check = findCheck(run.id)
    if (!check) return null
    const outcome = toOutcome(run)
    return {
      checkId: run.id,
      startedAt: run.startedAt,
      durationMs: outcome.durationMs,
      passed: outcome.passed,
      isInvalid: outcome.invalid ?? false,
      message: outcome.message ?? null,
      error: outcome.error ?? null,
      details: outcome.details ?? null,
      severity: check.severity,
      nextRuntimeAt: run.nextDueAt,
    }
  }

  const scheduler = createScheduler<CheckOutcome>({
    ...deps,
    execute,
    record: (run) => {
      if (run.ending.kind === 'failed') {
        logger.error({ err: run.ending.error, checkId: run.id }, 'check run failed for a reason of our own')
      }
      const result = toResult(run)
      if (result) store.add(result)
    },
  })

  return {
    scheduler,
    runNow: async (checkId) => {
      const run = await scheduler.runNow(checkId)
      if (!run) return null
      // Who asked reads the row next; with the database away the answer alone has to do.
      await waitAtMost(deps.clock, store.flushed(), STORE_WAIT_MS)
      return toResult(run)
    },
  }
}
