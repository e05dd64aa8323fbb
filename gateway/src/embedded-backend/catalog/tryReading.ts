// What trials of scrapers and of topologies have in common: the spec is judged as a save would judge it, and then its sources are read.
import { type Clock, failed, ok, type Result } from '@watchroom/shared/kernel'

import { withDeadline } from '../../platform/withDeadline.ts'
import type { TrialRefusal } from '../jobs/createTrialGate.ts'
import type { JudgeRow } from '../server/judgeWrite.ts'
import { SourceFault } from './family.ts'

/** Someone is waiting, though the gateway would wait longer: the routes of trials are `isLong`. */
const MAX_MS = 25_000

interface TriedSpec {
  /** With its secrets in place. */
  readonly spec: Record<string, unknown>
  readonly judge: JudgeRow
  readonly clock: Clock
  /** Aborted when the person has gone. */
  readonly gone: AbortSignal
}

/** @returns why it was refused, by the judge or by a source, or that it took longer than someone waits */
export const tryReading = <Answer>(
  { spec, judge, clock, gone }: TriedSpec,
  read: (signal: AbortSignal) => Promise<Answer>,
): Promise<Result<Answer, TrialRefusal>> =>
  withDeadline({ clock, limitMs: MAX_MS, signal: gone }, async ({ signal, isOver }) => {
    const refuse = (message: string) => failed({ status: 400, message } as const)
    try {
      const fault = await judge({ spec })
      return fault === null ? ok(await read(signal)) : refuse(fault)
    } catch (error) {
      if (error instanceof SourceFault) return refuse(error.message)
      if (isOver()) return refuse(`Reading it takes longer than ${MAX_MS / 1_000} s: run it in the background.`)
      throw error
    }
  })
