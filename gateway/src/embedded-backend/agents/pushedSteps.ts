// What an agent says of steps while it does them: what they print, and which it works on.
import type { PoolClient } from 'pg'

import { ENDED_RUNS } from '../playbooks/statusMoves.ts'
import type { PushFrame } from './readPush.ts'

/** Only of steps that this agent was given and has not ended. Said again, a piece is kept once. */
const INSERT_OUTPUTS = `
insert into playbook_run_outputs (action_id, seq, at, stream, text, place)
select said.* from jsonb_to_recordset($1::jsonb)
  as said(action_id uuid, seq integer, at timestamptz, stream text, text text, place bigint)
join playbook_run_actions as step
  on step.id = said.action_id and step.agent_id = $2 and step.status = 'running'
on conflict do nothing`

const FIND_ENDED = `
select said.id from unnest($1::uuid[]) as said (id)
where not exists (
  select from playbook_run_actions as step join playbook_runs on playbook_runs.id = step.playbook_run_id
  where step.id = said.id and step.agent_id = $2 and step.status = 'running'
    and playbook_runs.status not in (${ENDED_RUNS}))`

export async function writeOutputs(client: PoolClient, agentId: string, { outputs }: PushFrame): Promise<void> {
  if (!outputs?.length) return
  await client.query(INSERT_OUTPUTS, [JSON.stringify(outputs), agentId])
}

export async function findEnded(client: PoolClient, agentId: string, { working }: PushFrame): Promise<string[]> {
  if (!working?.length) return []
  const { rows } = await client.query<{ id: string }>(FIND_ENDED, [working, agentId])
  return rows.map(({ id }) => id)
}
