import type { Clock } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

import type { CheckSummaryStore, SummaryCheck, SummaryRun, SummaryState } from './createCheckSummary.ts'
import { loadRuns } from './loadRuns.ts'

export interface ShownCheck {
  readonly summary: SummaryCheck
  readonly state: SummaryState
}

/** Puts checks on the board, each together with its past. */
export async function showChecks(
  { pool, clock, summary }: { pool: Pool; clock: Clock; summary: CheckSummaryStore },
  shown: readonly ShownCheck[],
): Promise<void> {
  const byId = new Map(shown.map((check) => [check.summary.id, check]))
  const put = (id: string, runs: readonly SummaryRun[]): void => {
    const check = byId.get(id)
    if (!check) return
    summary.put(check.summary)
    summary.setState(id, check.state)
    summary.addRuns(id, runs)
  }
  const ran: string[] = []
  for (const [id, { state }] of byId) {
    if (state.lastRuntimeAt === null) put(id, [])
    else ran.push(id)
  }
  await loadRuns({ pool, now: clock.now() }, ran, put)
}
