// What is stored must not lack what a busy machine could not be asked at that moment.
import { type Clock, sleep } from '@watchroom/shared/kernel'

import type { LookUp } from '../../../check-runner/lookApart.ts'

const PAUSE_MS = 1_000
/** Five minutes of pauses: a machine that lets nothing run for longer is reported. */
const MAX_TRIES = 300

/** Asks again what could not be asked now; what is wrong or takes too long by itself is not asked again. */
export function createPatientLookUp(lookUp: LookUp, clock: Clock, signal: AbortSignal): LookUp {
  return async (look) => {
    for (let tries = 1; ; tries += 1) {
      const answer = await lookUp(look)
      if ('value' in answer || answer.problem.isPassing !== true || tries === MAX_TRIES) return answer
      try {
        await sleep(clock, PAUSE_MS, signal)
      } catch {
        // Whoever ended it looks at the signal: this never rejects.
        return answer
      }
    }
  }
}
