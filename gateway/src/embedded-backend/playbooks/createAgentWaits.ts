// Agents that wait for a step. However many wait, the database is asked once for all of them.
import { type Clock, createTimer } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'
import type { Logger } from 'pino'

import { ENDED_RUNS } from './statusMoves.ts'

/** Between two looks while anyone waits. */
const LOOK_MS = 500

const WITH_STEPS = `
select distinct playbook_run_actions.agent_id as id from playbook_run_actions
join playbook_runs on playbook_runs.id = playbook_run_id
where playbook_run_actions.agent_id = any($1) and playbook_run_actions.status = 'waiting'
  and playbook_runs.status not in (${ENDED_RUNS}, 'pending')`

export interface AgentWaits {
  /** Resolves when there may be a step for the agent, or when the signal says that it waits no more. */
  untilStep(agentId: string, signal: AbortSignal): Promise<void>
}

export function createAgentWaits({ pool, clock, logger }: { pool: Pool; clock: Clock; logger: Logger }): AgentWaits {
  const waiting = new Map<string, Set<() => void>>()
  const timer = createTimer(clock)
  let isLooking = false

  const plan = (): void => {
    if (waiting.size > 0 && !isLooking && !timer.isSet()) timer.set(() => void look(), LOOK_MS)
  }

  const findReady = async (): Promise<string[]> => {
    const ids = [...waiting.keys()]
    try {
      const { rows } = await pool.query<{ id: string }>(WITH_STEPS, [ids])
      return rows.map(({ id }) => id)
    } catch (error) {
      logger.debug({ err: error }, 'steps for agents cannot be looked for')
      // Each asks for itself, and hears why not.
      return ids
    }
  }

  const look = async (): Promise<void> => {
    isLooking = true
    const ready = await findReady()
    isLooking = false
    for (const id of ready) for (const wake of waiting.get(id) ?? []) wake()
    plan()
  }

  return {
    untilStep: (agentId, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const own = waiting.get(agentId) ?? new Set()
        waiting.set(agentId, own)
        const wake = (): void => {
          signal.removeEventListener('abort', wake)
          own.delete(wake)
          if (own.size === 0) waiting.delete(agentId)
          if (waiting.size === 0) timer.clear()
          resolve()
        }
        own.add(wake)
        signal.addEventListener('abort', wake, { once: true })
        plan()
        return undefined
      }),
  }
}
