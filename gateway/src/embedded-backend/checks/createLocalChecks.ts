// The checks that this engine runs: in its scheduler and on the board as the canaries define them and as people mark them.
import type { Clock } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

import type { CheckOutcome } from '../../check-runner/contract.ts'
import type { ScheduledCheck, Scheduler } from '../../check-runner/createScheduler.ts'
import { RUN_DEADLINE_MARGIN_MS } from '../../check-runner/runCheck.ts'
import type { CheckSummaryStore } from './createCheckSummary.ts'
import type { LocalMarks } from './remoteChecks.ts'
import { showChecks } from './showChecks.ts'
import type { EngineCheck, SyncedCanaries } from './syncCanaries.ts'

export interface LocalChecks {
  readonly size: () => number
  get(id: string): EngineCheck | undefined
  /** Takes over what canaries define. @returns whether the board changed */
  apply(synced: SyncedCanaries): Promise<boolean>
  /** @returns how many checks it changed */
  applyMarks(marks: LocalMarks): number
}

export interface LocalChecksDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly summary: CheckSummaryStore
  readonly scheduler: Pick<Scheduler<CheckOutcome>, 'set' | 'remove' | 'runSoon'>
  readonly isClosed: () => boolean
}

export function createLocalChecks(deps: LocalChecksDeps): LocalChecks {
  const { summary, scheduler } = deps
  const checks = new Map<string, EngineCheck>()

  const forget = (id: string): void => {
    checks.delete(id)
    scheduler.remove(id)
    summary.remove(id)
  }

  return {
    size: () => checks.size,
    get: (id) => checks.get(id),
    apply: async (synced) => {
      const found = new Set(synced.checks.map(({ id }) => id))
      let isChanged = false
      for (const [id, check] of checks) {
        if (!synced.canaryIds.has(check.canaryId) || found.has(id)) continue
        forget(id)
        isChanged = true
      }
      const added: EngineCheck[] = []
      const edited: string[] = []
      for (const check of synced.checks) {
        const known = checks.get(check.id)
        checks.set(check.id, check)
        if (!known) {
          added.push(check)
          continue
        }
        if (JSON.stringify(known.work) !== JSON.stringify(check.work)) edited.push(check.id)
        if (JSON.stringify(known.summary) === JSON.stringify(check.summary)) continue
        summary.put(check.summary)
        isChanged = true
      }
      await showChecks(deps, added)
      if (deps.isClosed()) return false
      scheduler.set(synced.checks.map(toScheduled))
      scheduler.runSoon(edited)
      return isChanged || added.length > 0
    },
    applyMarks: ({ silencedAt, deleted }) => {
      let changes = 0
      for (const [id, check] of checks) {
        const silenced = silencedAt.get(id) ?? null
        if (deleted.has(id)) {
          forget(id)
        } else if (check.summary.silencedAt !== silenced) {
          const changed = { ...check, summary: { ...check.summary, silencedAt: silenced } }
          checks.set(id, changed)
          summary.put(changed.summary)
        } else {
          continue
        }
        changes++
      }
      return changes
    },
  }
}

function toScheduled({ id, schedule, work, summary, state }: EngineCheck): ScheduledCheck {
  return {
    id,
    lane: summary.type,
    schedule,
    deadlineMs: (work.kind === 'run' ? work.check.timeoutMs : 0) + RUN_DEADLINE_MARGIN_MS,
    lastRuntime: state.lastRuntimeAt,
    nextRuntime: state.nextRuntimeAt,
  }
}
