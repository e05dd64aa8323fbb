import { tmpdir } from 'node:os'

import { pino } from 'pino'

import type { RunDeps } from '../../gateway/src/check-runner/contract.ts'
import type { Executor } from '../../gateway/src/executor/contract.ts'
import { createExecutor, type ExecutorOptions } from '../../gateway/src/executor/createExecutor.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'

export const silentLogger = pino({ level: 'silent' })

/** What a check runner is given, on the machine's own clock. Folders of the system's temporary directory may be looked into. */
export function buildRunDeps(overrides: Partial<RunDeps> = {}): RunDeps {
  return {
    signal: new AbortController().signal,
    clock: systemClock,
    logger: silentLogger,
    folders: { roots: [tmpdir()], hidden: [], own: [] },
    ...overrides,
  }
}

/** The real one, as this machine allows it. */
export function buildExecutor(options: Partial<ExecutorOptions> = {}): Promise<Executor> {
  const defaults = { takenUids: new Set<number>(), hidden: [] }
  return createExecutor({ ...defaults, ...options }, { clock: systemClock, logger: silentLogger })
}
