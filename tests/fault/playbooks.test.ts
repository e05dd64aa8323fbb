// Kills the backend's process the hard way while runs stand in every state, again and again. Nothing that is not declared repeatable
// runs twice, no run stays where it is for ever, and what was printed stays.
import { Client } from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { startEmbeddedBackend, TEST_ADMIN, type TestBackend } from '../support/embeddedBackend.ts'
import { callTable } from '../support/incidentGateway.ts'
import { signalProcess } from '../support/processes.ts'
import { createRandom } from '../support/random.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_801)
const KILLS = Number(process.env['FUZZ_KILLS'] ?? 3)
const LATEST = { timeout: 30_000, interval: 100 }

let backend: TestBackend
let headers: Record<string, string>

beforeEach(async () => {
  backend = await startEmbeddedBackend()
  headers = await backend.signIn(TEST_ADMIN.email, TEST_ADMIN.password)
})
afterEach(() => backend.stop())

async function start(name: string, spec: object): Promise<string> {
  const body = { name, title: name, source: 'UI', spec }
  const made = await backend.call('/db/playbooks', {
    method: 'POST',
    headers: { ...headers, prefer: 'return=representation' },
    body,
  })
  const [playbook] = made.json() as { id: string }[]
  const asked = await backend.call('/playbook/run', { method: 'POST', headers, body: { id: playbook?.id } })
  return (asked.json() as { run_id: string }).run_id
}

/** Each line names the attempt that printed it: a step that ran twice is seen. */
const step = (name: string, more: object = {}) => ({
  name,
  exec: { script: `n=$$; for i in 1 2 3 4 5 6 7 8; do echo "${name} $n $i"; sleep 0.1; done` },
  ...more,
})

async function linesOf(runId: string, name: string): Promise<string[]> {
  const database = new Client({ connectionString: backend.databaseUrl })
  await database.connect()
  const { rows } = await database.query<{ text: string; seqs: number[]; count: number }>(
    `select string_agg(text, '' order by seq) as text, array_agg(seq order by seq) as seqs, count(*)::integer as count
     from playbook_run_outputs join playbook_run_actions on playbook_run_actions.id = action_id
     where playbook_run_id = $1 and name = $2 group by action_id order by action_id`,
    [runId, name],
  )
  await database.end()
  for (const { seqs, count } of rows) expect(seqs).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  return rows.map(({ text }) => text)
}

it(`leaves no run behind, seed ${SEED}`, { timeout: 180_000 }, async () => {
  const random = createRandom(SEED)
  for (let kill = 0; kill < KILLS; kill++) {
    const runs = {
      once: await start(`once ${kill}`, { actions: [step('a'), step('b')] }),
      repeated: await start(`repeated ${kill}`, {
        actions: [step('a', { isRepeatable: true }), step('b', { isRepeatable: true })],
      }),
      asleep: await start(`asleep ${kill}`, {
        actions: [{ name: 'rest', delay: '2s' }, step('a', { isRepeatable: true })],
      }),
      waiting: await start(`waiting ${kill}`, {
        actions: [
          { name: 'agree', approval: { approvers: { people: [TEST_ADMIN.email] } } },
          step('a', { isRepeatable: true }),
        ],
      }),
    }
    await new Promise((resolve) => setTimeout(resolve, 100 + Math.floor(random() * 1_500)))
    const before = await linesOf(runs.once, 'a')
    signalProcess(backend.supervisor.pid(), 'SIGKILL')
    await vi.waitFor(async () => {
      const answer = await backend.call(`/playbook/run/approve/${runs.waiting}`, { method: 'POST', headers })
      expect(answer.status).toBe(200)
    }, LATEST)
    const ended = await vi.waitFor(async () => {
      const rows = await callTable(backend, `playbook_runs?id=in.(${Object.values(runs).join(',')})&select=id,status`)
      const statuses = new Map(rows.map(({ id, status }) => [id, String(status)]))
      for (const status of statuses.values()) expect(['completed', 'failed']).toContain(status)
      return statuses
    }, LATEST)
    for (const name of ['repeated', 'asleep', 'waiting'] as const)
      expect([name, ended.get(runs[name])]).toEqual([name, 'completed'])
    // One attempt, whether it came to its end or not; what it had printed is still there.
    for (const name of ['a', 'b']) {
      const attempts = await linesOf(runs.once, name)
      const shells = new Set(
        attempts
          .join('')
          .split('\n')
          .filter(Boolean)
          .map((line) => line.split(' ')[1]),
      )
      expect(shells.size).toBeLessThanOrEqual(1)
    }
    expect((await linesOf(runs.once, 'a')).join('')).toContain(before.join(''))
    const steps = await callTable(
      backend,
      `playbook_run_actions?playbook_run_id=eq.${runs.once}&select=name,status,error&order=id`,
    )
    const interrupted = steps.filter(({ error }) => String(error).startsWith('The backend ended while this step ran'))
    expect(interrupted.length).toBe(ended.get(runs.once) === 'failed' ? 1 : 0)
  }
})
