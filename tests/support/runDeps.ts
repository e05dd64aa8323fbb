import { tmpdir } from 'node:os'

import { pino } from 'pino'

import type { CheckOutcome, RunDeps, RunnableCheck } from '../../gateway/src/check-runner/contract.ts'
import { runCheck } from '../../gateway/src/check-runner/runCheck.ts'
import type { Executor } from '../../gateway/src/executor/contract.ts'
import { createExecutor, type ExecutorOptions } from '../../gateway/src/executor/createExecutor.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'
import { openSocket } from '../../gateway/src/platform/openSocket.ts'

export const silentLogger = pino({ level: 'silent' })

/** What a check runner is given, on the machine's own clock. Folders of the system's temporary directory may be looked into. */
export function buildRunDeps(overrides: Partial<RunDeps> = {}): RunDeps {
  return {
    signal: new AbortController().signal,
    clock: systemClock,
    logger: silentLogger,
    wayOut: { open: openSocket },
    folders: { roots: [tmpdir()], hidden: [], own: [] },
    ...overrides,
  }
}

/**
 * Runs a check whose target never answers.
 *
 * @throws Error when the runner did not stop by itself and was left behind
 */
export async function runToDeadline(check: RunnableCheck): Promise<CheckOutcome> {
  const errors: string[] = []
  const logger = pino({ level: 'error' }, { write: (line) => errors.push(line) })
  const outcome = await runCheck(check, buildRunDeps({ logger }))
  if (errors.length > 0) throw new Error(`the runner went on: ${errors.join('')}`)
  return outcome
}

/** The real one, as this machine allows it. */
export function buildExecutor(options: Partial<ExecutorOptions> = {}): Promise<Executor> {
  const defaults = { takenUids: new Set<number>(), hidden: [] }
  return createExecutor({ ...defaults, ...options }, { clock: systemClock, logger: silentLogger })
}
