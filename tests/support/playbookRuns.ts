// Runs of playbooks as rows, for those who only look at them.
import { randomUUID } from 'node:crypto'

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
