// What a run waits for: moments, and people who approve or confirm.
import { sleep } from '@watchroom/shared/kernel'
import { isEnded, type PlaybookAction } from '@watchroom/shared/playbooks'

import type { StepDeps, StepOutcome } from '../../step-runner/contract.ts'
import { isApproved } from './approvals.ts'
import type { NotificationDeps } from './runNotification.ts'
import type { RunStore, StoredRun } from './runStore.ts'

/** How whoever holds the run speaks to it. */
export interface RunHandle {
  /** Aborted with `CANCELLED` when the run was cancelled, with anything else when this process stops. */
  readonly signal: AbortSignal
  /** Resolves when something came that the run may have waited for. */
  readonly untilChanged: () => Promise<void>
}

/** People who must be there for a dangerous step. */
const CONFIRMATIONS = 2
/** Finds what a lost notification left behind. */
const LOOK_AGAIN_MS = 15_000

/** Timers are bounded, so that they follow a step of the wall clock. */
const MAX_SLEEP_MS = 60_000

/** Each rejects when the run is to stop. */
export function createWaits(
  run: StoredRun,
  { store, clock, pool }: Pick<StepDeps, 'clock'> & Pick<NotificationDeps, 'pool'> & { readonly store: RunStore },
  { signal, untilChanged }: RunHandle,
) {
  const waitFor = async (isThere: () => Promise<boolean>): Promise<void> => {
    await store.setRun(run.id, 'waiting')
    await until(isThere)
  }

  /** @throws when the run is to stop */
  const until = async (isThere: () => Promise<boolean>): Promise<void> => {
    for (;;) {
      // Asked for first: what comes during the look is not missed.
      const changed = untilChanged()
      if (await isThere()) return
      const enough = new AbortController()
      const stop = AbortSignal.any([signal, enough.signal])
      await Promise.race([changed, sleep(clock, LOOK_AGAIN_MS, stop).catch(() => undefined)])
      enough.abort()
      signal.throwIfAborted()
    }
  }

  const untilConfirmed = async (id: string): Promise<void> => {
    await store.setAction(id, { status: 'waiting' })
    await waitFor(async () => (await store.approvers(run.id, id)).length >= CONFIRMATIONS)
  }

  const untilApproved = async (id: string, approval: NonNullable<PlaybookAction['approval']>): Promise<StepOutcome> => {
    await store.setAction(id, { status: 'waiting', startedAt: clock.now() })
    const question = { approval, requesterId: run.created_by }
    await waitFor(async () => {
      const approvers = await store.approvers(run.id, id)
      return store.whileAway(() => isApproved(pool, question, approvers))
    })
    return { error: null, result: { approvers: await store.approvers(run.id, id) } }
  }

  const untilTime = async (dueAt: number): Promise<void> => {
    while (clock.now() < dueAt) await sleep(clock, Math.min(dueAt - clock.now(), MAX_SLEEP_MS), signal)
  }

  const untilDue = async (id: string, dueAt: number): Promise<StepOutcome> => {
    await store.setAction(id, { status: 'sleeping', scheduledAt: dueAt, startedAt: clock.now() })
    await store.setRun(run.id, 'sleeping', { scheduledAt: dueAt })
    await untilTime(dueAt)
    return { error: null, result: null }
  }

  /** An agent takes it when it asks, and with it the run goes on; it has so long for it from then on. */
  const untilDone = async (id: string, timeoutMs: number): Promise<StepOutcome> => {
    let done: StepOutcome = { error: null, result: null }
    await until(async () => {
      const action = await store.action(id)
      if (action === null || isEnded(action.status)) {
        const error = action?.status === 'completed' ? null : action?.error || 'the agent says that it failed'
        done = { error, result: action?.result ?? null }
        return true
      }
      const isLate = action.status === 'running' && clock.now() - (action.start_time?.getTime() ?? 0) > timeoutMs
      if (isLate) done = { error: `the agent did not answer within ${timeoutMs / 1_000} s`, result: null }
      return isLate
    })
    return done
  }

  return { untilConfirmed, untilApproved, untilDone, untilDue, untilTime }
}
