// Who may try what is about to be saved: one trial at a time each, and few at once.
import { failed, type Result } from '@watchroom/shared/kernel'

export interface TrialRefusal {
  readonly status: 400 | 429
  readonly message: string
}

export interface TrialGate {
  /**
   * @param personId one trial at a time each
   * @param gone aborted when the person has gone: then nothing is begun
   */
  run<Answer>(
    personId: string,
    gone: AbortSignal,
    trial: () => Promise<Result<Answer, TrialRefusal>>,
  ): Promise<Result<Answer, TrialRefusal>>
}

interface TrialGateOptions {
  /** Of the whole backend. */
  readonly maxTrials: number
  /** Words of the refusals: what people do here (`trying scrapers`), and what doing it once is called. */
  readonly doing: string
  readonly noun?: string
}

export function createTrialGate({ maxTrials, doing, noun = 'trial' }: TrialGateOptions): TrialGate {
  const busy = new Set<string>()
  return {
    run: async (personId, gone, trial) => {
      gone.throwIfAborted()
      if (busy.has(personId)) return failed({ status: 429, message: `Your other ${noun} is still running.` })
      if (busy.size >= maxTrials)
        return failed({ status: 429, message: `Others are ${doing} right now. Try again in a few seconds.` })
      busy.add(personId)
      try {
        return await trial()
      } finally {
        busy.delete(personId)
      }
    },
  }
}
