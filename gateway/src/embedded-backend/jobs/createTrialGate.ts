// Who may try what is about to be saved: one trial at a time each, few at once, and none for longer than someone waits.
import { type Clock, failed, type Result } from '@watchroom/shared/kernel'

/** Someone is waiting, though the gateway would wait longer: the routes of trials are `isLong`. */
const MAX_MS = 25_000

export interface TrialRefusal {
  readonly status: 400 | 429
  readonly message: string
}

export interface TrialGate {
  /**
   * @param personId one trial at a time each
   * @param gone aborted when the person has gone
   */
  run<Answer>(
    personId: string,
    gone: AbortSignal,
    trial: (signal: AbortSignal) => Promise<Result<Answer, TrialRefusal>>,
  ): Promise<Result<Answer, TrialRefusal>>
}

/** @param options.what in the words of the refusal: `scrapers` */
export function createTrialGate(clock: Clock, { maxTrials, what }: { maxTrials: number; what: string }): TrialGate {
  const busy = new Set<string>()
  return {
    run: async (personId, gone, trial) => {
      gone.throwIfAborted()
      if (busy.has(personId)) return failed({ status: 429, message: 'Your other trial is still running.' })
      if (busy.size >= maxTrials)
        return failed({ status: 429, message: `Others are trying ${what} right now. Try again in a few seconds.` })
      busy.add(personId)
      const overdue = new AbortController()
      const cancel = clock.schedule(() => overdue.abort(new Error('overdue')), MAX_MS)
      try {
        return await trial(AbortSignal.any([gone, overdue.signal]))
      } catch (error) {
        if (!overdue.signal.aborted) throw error
        return failed({
          status: 400,
          message: `Reading it takes longer than ${MAX_MS / 1_000} s: run it in the background.`,
        })
      } finally {
        cancel()
        busy.delete(personId)
      }
    },
  }
}
