// Steps that agents fetch: each once, by the agent that it was given to.
import { isEnded, PlaybookSpecSchema } from '@watchroom/shared/playbooks'
import type { Pool } from 'pg'

import { readTarget, targetsOf, toScope, toSeen } from './readScope.ts'
import type { RunStore } from './runStore.ts'
import { actionsBefore, ENDED_RUNS, runsBefore } from './statusMoves.ts'

export interface AgentTask {
  readonly run: Record<string, unknown>
  readonly action_spec: Record<string, unknown>
  readonly action: Record<string, unknown>
  readonly template_env: Record<string, unknown>
}

const TAKE = `
with taken as (
  update playbook_run_actions as taken set status = 'running', start_time = now()
  where id = (
    select playbook_run_actions.id from playbook_run_actions
    join playbook_runs on playbook_runs.id = playbook_run_id
    where playbook_run_actions.agent_id = $1 and playbook_run_actions.status in (${actionsBefore('running', ['waiting'])})
      and playbook_runs.status not in (${ENDED_RUNS}, 'pending')
    order by playbook_run_actions.id limit 1
    for no key update of playbook_run_actions skip locked)
  returning *),
going as (
  update playbook_runs set status = 'running' from taken
  where playbook_runs.id = playbook_run_id and playbook_runs.status in (${runsBefore('running', ['waiting'])}))
select playbook_run_id as "runId", name, to_jsonb(taken) as action from taken`

/** Stored secrets stay here, and every value of an `env` is one. Null: there is nothing to do. */
export async function takeForAgent(
  pool: Pick<Pool, 'query'>,
  store: RunStore,
  agentId: string,
): Promise<AgentTask | null> {
  const { rows } = await pool.query<{ runId: string; name: string; action: Record<string, unknown> }>(TAKE, [agentId])
  const [taken] = rows
  const run = taken && (await store.find(taken.runId))
  if (!run) return null
  const spec = PlaybookSpecSchema.safeParse(run.spec).data
  const action = spec?.actions.find(({ name }) => name === taken.name)
  const [target = null] = targetsOf(run)
  const row = (await readTarget(pool, target)) ?? {}
  const { playbook, requester: user, request, parameters, ...rest } = run
  const { sealed: _, has_same_spec: __, ...shown } = rest
  const scope = toScope({ target, row, params: parameters ?? {}, playbook, user, run, request })
  scope['actions'] = Object.fromEntries(
    (await store.actions(run.id))
      .filter(({ status }) => isEnded(status))
      .map(({ name, status, result, error }) => [name, { status, result: toSeen(result), error: error ?? '' }]),
  )
  return {
    run: { ...shown, parameters },
    action_spec: { ...action },
    action: taken.action,
    template_env: scope,
  }
}
