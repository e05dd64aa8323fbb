// Playbooks and their runs: as rows, for those who only look at them, and what a run did.
import { randomUUID } from 'node:crypto'

import type { Pool } from 'pg'

import type { TestBackend } from './embeddedBackend.ts'
import { callTable } from './incidentGateway.ts'

export interface TestRun {
  readonly id: string
  readonly actionId: string
}

const poster = (backend: TestBackend) => (table: string, body: unknown) =>
  callTable(backend, table, { method: 'POST', body })

/** A playbook of one step. @returns its id */
export async function createPlaybook(backend: TestBackend, name: string): Promise<string> {
  const id = randomUUID()
  const spec = { actions: [{ name: 'wait', delay: '1s' }] }
  await poster(backend)('playbooks', { id, name, title: name, source: 'UI', spec })
  return id
}

/** A run that waits for approval. @returns its id */
export async function createPendingRun(backend: TestBackend, personId: string): Promise<string> {
  const post = poster(backend)
  const [id, playbook_id] = [randomUUID(), randomUUID()]
  const spec = { approval: { approvers: {} }, actions: [{ name: 'wait', delay: '1s' }] }
  await post('playbooks', { id: playbook_id, name: `playbook ${playbook_id}`, title: 'Waits', source: 'UI', spec })
  await post('playbook_runs', { id, playbook_id, status: 'pending', created_by: personId, spec })
  return id
}

/** A run that has ended, with a step that printed two pieces and an approval. */
export async function createEndedRun(backend: TestBackend, personId: string): Promise<TestRun> {
  const post = poster(backend)
  const [id, actionId] = [randomUUID(), randomUUID()]
  const playbook_id = await createPlaybook(backend, `playbook ${id}`)
  const spec = { actions: [{ name: 'wait', delay: '1s' }] }
  const ended = { start_time: 'now()', end_time: 'now()' }
  await post('playbook_runs', { id, playbook_id, status: 'completed', created_by: personId, spec, ...ended })
  await post('playbook_run_actions', { id: actionId, playbook_run_id: id, name: 'wait', status: 'completed', ...ended })
  await post('playbook_run_outputs', [
    { action_id: actionId, seq: 1, stream: 'stdout', text: 'one\n', place: 0 },
    { action_id: actionId, seq: 2, stream: 'stderr', text: 'two\n', place: 4 },
  ])
  await post('playbook_approvals', { run_id: id, person_id: personId })
  return { id, actionId }
}

/** As an administrator saves it. @returns its id */
export async function savePlaybook(
  backend: TestBackend,
  admin: Record<string, string>,
  name: string,
  spec: object,
): Promise<string> {
  const answer = await backend.call('/db/playbooks', {
    method: 'POST',
    headers: { ...admin, prefer: 'return=representation' },
    body: { name, title: name, source: 'UI', spec },
  })
  if (answer.status !== 201) throw new Error(`${name}: ${answer.status} ${answer.text}`)
  return (answer.json() as { id: string }[])[0]?.id ?? ''
}

export interface RanStep {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly error: string | null
}

/** Attempts of steps, in the order in which they were made. */
export async function stepsOf(database: Pool, runId: string): Promise<RanStep[]> {
  const { rows } = await database.query<RanStep>(
    'select id, name, status, error from playbook_run_actions where playbook_run_id = $1 order by id',
    [runId],
  )
  return rows
}

/** What an attempt printed. @throws {Error} when pieces are missing */
export async function printedBy(database: Pool, stepId: string): Promise<string> {
  const { rows } = await database.query<{ seq: number; text: string }>(
    'select seq, text from playbook_run_outputs where action_id = $1 order by seq',
    [stepId],
  )
  const gap = rows.findIndex(({ seq }, index) => seq !== index + 1)
  if (gap >= 0) throw new Error(`piece ${gap + 1} of step ${stepId} is not there`)
  return rows.map(({ text }) => text).join('')
}
