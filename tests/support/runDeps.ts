import { pino } from 'pino'

import type { RunDeps } from '../../gateway/src/check-runner/contract.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'

export const silentLogger = pino({ level: 'silent' })

/** What a check runner is given, on the machine's own clock. */
export function buildRunDeps(overrides: Partial<RunDeps> = {}): RunDeps {
  return {
    signal: new AbortController().signal,
    clock: systemClock,
    logger: silentLogger,
    allowExec: true,
    ...overrides,
  }
}
