// Puts the same frame around every runner: deadline, threshold, masking, and no exception ever.
import type { RunnableType } from '@watchroom/shared/health/check-types'
import { formatDuration } from '@watchroom/shared/time'

import type { CheckOutcome, CheckRunner, CheckRunnerTable, RunDeps, RunnableCheck, RunnerOutcome } from './contract.ts'
import { applyExpressions } from './expressions.ts'
import { findObstacles } from './findObstacles.ts'
import { lookApart } from './lookApart.ts'
import { collectSecrets, maskOutcome } from './maskOutcome.ts'
import { invalid, notPassed } from './outcome.ts'
import { CheckRunners } from './types/index.ts'

/** A runner that does not stop this long after its signal is left behind; its late answer is dropped. */
export const ABANDON_GRACE_MS = 1_000

/** `runCheck` ends a run at its own deadline and gives up on the runner a grace later; a scheduler's deadline is the net below. */
export const RUN_DEADLINE_MARGIN_MS = ABANDON_GRACE_MS + 1_000

/**
 * Executes one check once.
 *
 * Never rejects. When `deps.signal` is aborted (shutdown, check removed), the outcome says nothing about the target: the
 * caller asks its own signal and drops it.
 */
export async function runCheck(
  check: RunnableCheck,
  deps: RunDeps,
  runners: CheckRunnerTable = CheckRunners,
): Promise<CheckOutcome> {
  const { clock } = deps
  const startedAt = clock.monotonic()
  if (deps.signal.aborted) return invalid(0, 'cancelled before it started')
  const obstacles = findObstacles(check)
  if (obstacles.length > 0) return invalid(0, obstacles.join('; '))

  const stop = new AbortController()
  const end = watchEnd(check, deps, stop)
  // The table maps a type to the runner of that type's spec, and `check` pairs the two. A type without a runner and a spec
  // with references were obstacles.
  const runner = runners[check.type as RunnableType] as CheckRunner<RunnableCheck['spec']>
  const finished = settle(runner, check, { ...deps, signal: stop.signal })
  const { variables, ...outcome } = await Promise.race([finished, end.abandoned])
  end.close()

  const elapsedMs = clock.monotonic() - startedAt
  if (deps.signal.aborted) return invalid(elapsedMs, 'cancelled')
  const judged = end.isOverdue()
    ? { ...outcome, ...notPassed(elapsedMs, describeTimeout(check)) }
    : applyThreshold(
        await applyExpressions(outcome, check.spec, variables, deps.lookUp ?? lookApart),
        check.spec.thresholdMillis,
      )
  return maskOutcome(judged, collectSecrets(check.spec, deps.secrets))
}

/** Explains to authors who asked for a minute why they got five seconds. */
function describeTimeout({ spec, timeoutMs, shortened }: RunnableCheck): string {
  const within = `did not finish within ${formatDuration(timeoutMs)}`
  if (spec.timeout === undefined || spec.timeout <= timeoutMs) return within
  const reason = shortened ?? 'a run ends before the next one is due'
  return `${within}; its time-out of ${formatDuration(spec.timeout)} was shortened: ${reason}`
}

/** Aborts the run at its deadline or with the caller, and gives up on it a grace later. */
function watchEnd(check: RunnableCheck, { clock, logger, signal }: RunDeps, stop: AbortController) {
  let overdue = false
  let cancelGrace: (() => void) | null = null
  let abandon: (() => void) | null = null
  const abandoned = new Promise<RunnerOutcome>((resolve) => {
    abandon = () => resolve({ passed: false, durationMs: 0 })
  })

  const abort = (reason: unknown): void => {
    cancelDeadline()
    signal.removeEventListener('abort', handleCancel)
    cancelGrace = clock.schedule(() => {
      logger.error({ checkId: check.id, type: check.type, check: check.name }, 'check runner ignored its signal')
      abandon?.()
    }, ABANDON_GRACE_MS)
    stop.abort(reason)
  }
  const handleCancel = (): void => abort(signal.reason)
  const cancelDeadline = clock.schedule(() => {
    overdue = true
    abort(new Error('deadline passed'))
  }, check.timeoutMs)
  signal.addEventListener('abort', handleCancel, { once: true })

  return {
    abandoned,
    isOverdue: () => overdue,
    close: () => {
      cancelDeadline()
      cancelGrace?.()
      signal.removeEventListener('abort', handleCancel)
    },
  }
}

/** Runners describe expected failures themselves, so what they throw is a bug of ours and says nothing about the target. */
async function settle(
  runner: CheckRunner<RunnableCheck['spec']>,
  check: RunnableCheck,
  deps: RunDeps,
): Promise<RunnerOutcome> {
  const startedAt = deps.clock.monotonic()
  try {
    return await runner.run(check.spec, deps)
  } catch (error) {
    const durationMs = deps.clock.monotonic() - startedAt
    if (deps.signal.aborted) return notPassed(durationMs, 'stopped')
    const masked = maskOutcome(invalid(durationMs, String(error)), collectSecrets(check.spec, deps.secrets))
    deps.logger.error(
      { checkId: check.id, type: check.type, check: check.name, reason: masked.error },
      'check runner threw an error',
    )
    return invalid(durationMs, 'internal error of the check runner; see the log')
  }
}

function applyThreshold(outcome: CheckOutcome, thresholdMs: number | undefined): CheckOutcome {
  if (!outcome.passed || thresholdMs === undefined || outcome.durationMs <= thresholdMs) return outcome
  const took = `took ${formatDuration(outcome.durationMs)}, more than the threshold of ${formatDuration(thresholdMs)}`
  return { ...outcome, ...notPassed(outcome.durationMs, took) }
}
