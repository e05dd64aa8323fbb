// Runs checks that nobody has saved yet, once, and stores nothing. Everything about it is bounded: how many, how long, how
// many people at once. What a check may do is what the same check may do when it is saved.
import { MAX_TRIED_CHECKS, type TriedCheck, type TryChecksResponse } from '@watchroom/shared/health'
import { type ExpandedCheck, expandCanary, isCheckType, type SpecProblem } from '@watchroom/shared/health/check-types'
import { failed, ok, type Result } from '@watchroom/shared/kernel'

import type { CheckOutcome, RunnableCheck } from '../../check-runner/contract.ts'
import { createTrialGate, type TrialRefusal } from '../jobs/createTrialGate.ts'

/** Longest run of one tried check; someone is waiting. Two rows of checks stay below the 30 s of a route that is not `isLong`. */
const MAX_RUN_MS = 12_000
const MAX_RUNNING_CHECKS = 5
/** Of the whole backend: a trial must not take the scheduled checks' processor time. */
const MAX_TRIALS = 4

export interface Trials {
  /**
   * @param personId one trial at a time each
   * @param signal ends the runs, for example when the person has gone
   */
  run(
    personId: string,
    spec: Record<string, unknown>,
    signal: AbortSignal,
    /** What was filled into the definition. */
    secrets?: readonly string[],
  ): Promise<Result<TryChecksResponse, TrialRefusal>>
}

export interface TrialsDeps {
  execute: (check: RunnableCheck, signal: AbortSignal, secrets: readonly string[]) => Promise<CheckOutcome>
}

export function createTrials({ execute }: TrialsDeps): Trials {
  const gate = createTrialGate({ maxTrials: MAX_TRIALS, doing: 'trying checks' })

  async function runOne(check: ExpandedCheck, signal: AbortSignal, secrets: readonly string[]): Promise<TriedCheck> {
    const outcome = await execute(toTried(check), signal, secrets)
    return {
      name: check.name,
      type: check.type,
      ok: outcome.passed,
      ...(outcome.invalid ? { invalid: true } : {}),
      duration: Math.round(outcome.durationMs),
      message: outcome.message ?? null,
      error: outcome.error ?? null,
      details: outcome.details ?? null,
    }
  }

  async function runAll(
    checks: readonly ExpandedCheck[],
    signal: AbortSignal,
    secrets: readonly string[],
  ): Promise<TriedCheck[]> {
    const tried: TriedCheck[] = []
    for (let start = 0; start < checks.length; start += MAX_RUNNING_CHECKS) {
      const row = checks.slice(start, start + MAX_RUNNING_CHECKS)
      tried.push(...(await Promise.all(row.map((check) => runOne(check, signal, secrets)))))
    }
    return tried
  }

  return {
    run: (personId, spec, signal, secrets = []) =>
      gate.run(personId, signal, async () => {
        // Before anything is read: a spec of ten thousand checks would hold up everyone.
        if (countElements(spec) > MAX_TRIED_CHECKS) {
          return failed({ status: 400, message: `At most ${MAX_TRIED_CHECKS} checks can be tried at once.` })
        }
        const { checks, problems } = expandCanary(spec)
        if (checks.length === 0 && problems.length === 0) {
          return failed({ status: 400, message: 'There is no check to try.' })
        }
        return ok({ checks: await runAll(checks, signal, secrets), problems: problems.map(describeProblem) })
      }),
  }
}

function toTried(check: ExpandedCheck): RunnableCheck {
  return check.timeoutMs <= MAX_RUN_MS
    ? check
    : { ...check, timeoutMs: MAX_RUN_MS, shortened: 'a trial takes no longer' }
}

function countElements(spec: Record<string, unknown>): number {
  return Object.entries(spec).reduce(
    (count, [key, elements]) => count + (isCheckType(key) && Array.isArray(elements) ? elements.length : 0),
    0,
  )
}

function describeProblem({ type, index, name, path, message }: SpecProblem): string {
  const element = index === undefined ? type : `${type} ${name ?? index + 1}`
  return `${[element, path].filter((part) => part !== '').join(', ')}: ${message}`
}
