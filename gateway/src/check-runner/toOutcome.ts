import type { CheckOutcome } from './contract.ts'
import type { CheckRun } from './createScheduler.ts'

/** How a scheduled run ended, in the words of a check. */
export function toOutcome({ ending, durationMs }: CheckRun<CheckOutcome>): CheckOutcome {
  switch (ending.kind) {
    case 'finished':
      return ending.outcome
    case 'failed':
      return { passed: false, invalid: true, durationMs, error: 'internal error of the check runner; see the log' }
    case 'timed-out':
      return { passed: false, durationMs, error: 'the run did not come back after its deadline' }
    case 'still-running':
      return { passed: false, durationMs, error: 'an earlier run has not come back yet' }
  }
}
