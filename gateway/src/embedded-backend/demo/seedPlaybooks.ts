// Playbooks of the demo, and runs of the last week in every status. Those that have not ended are taken up by the runner.
import type { Clock } from '@watchroom/shared/kernel'
import type { PlaybookAction } from '@watchroom/shared/playbooks'
import type { Pool, PoolClient } from 'pg'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import { onlyRow } from '../../platform/database/onlyRow.ts'
import { demoEmail } from '../identity/bootstrap.ts'
import { type DemoPlaybook, demoPlaybooks } from './demoPlaybooks.ts'
import type { SystemCapabilities } from './systemCapabilities.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** How a run of the past went: how many steps it has, and how the last of them ended. */
interface PastRun {
  readonly playbook: string
  readonly hoursAgo: number
  readonly status: 'completed' | 'failed' | 'cancelled'
  /** Of a run that did not come to its end; 0: it failed before its first step. */
  readonly steps?: number
}

const PAST: readonly PastRun[] = [
  ...[2, 9, 26, 50, 74, 98, 122, 146].map(
    (hoursAgo) => ({ playbook: 'collect-diagnostics', hoursAgo, status: 'completed' }) as const,
  ),
  ...[20, 44, 68, 92, 116, 140].map(
    (hoursAgo) => ({ playbook: 'nightly-report', hoursAgo, status: 'completed' }) as const,
  ),
  ...[31, 103].map((hoursAgo) => ({ playbook: 'restart-worker', hoursAgo, status: 'completed' }) as const),
  ...[57, 129].map((hoursAgo) => ({ playbook: 'cache-warm-up', hoursAgo, status: 'completed' }) as const),
  { playbook: 'always-fails', hoursAgo: 5, status: 'failed', steps: 3 },
  { playbook: 'always-fails', hoursAgo: 80, status: 'failed', steps: 3 },
  { playbook: 'restart-worker', hoursAgo: 28, status: 'failed', steps: 2 },
  { playbook: 'rotate-certificate', hoursAgo: 34, status: 'failed', steps: 0 },
  { playbook: 'fail-over-edge', hoursAgo: 62, status: 'cancelled', steps: 1 },
  { playbook: 'cache-warm-up', hoursAgo: 87, status: 'cancelled', steps: 1 },
  { playbook: 'rotate-certificate', hoursAgo: 110, status: 'completed' },
]

interface Deps {
  readonly clock: Clock
  /** Of the first administrator, who is among those whose approval is wanted. */
  readonly adminEmail: string
  readonly can: Pick<SystemCapabilities, 'execute'>
}

/** Nothing when there are any playbooks: what people made or changed stays so. */
export async function seedPlaybooks(pool: Pool, { clock, adminEmail, can }: Deps): Promise<void> {
  const { rows: people } = await pool.query<{ id: string; email: string }>(
    'select id, email from people where email = any($1)',
    [[adminEmail, demoEmail('admin'), demoEmail('editor')]],
  )
  const { rows } = await pool.query<{ exists: boolean }>('select exists (select from playbooks)')
  const editor = people.find(({ email }) => email === demoEmail('editor'))
  if (!editor || rows[0]?.exists) return
  await inTransaction(pool, async (client) => {
    const { rows: checks } = await client.query<{ id: string; type: string }>(
      'select id, type from checks where deleted_at is null order by name, id',
    )
    const seed = { client, now: clock.now(), editorId: editor.id, ids: new Map<string, string>(), checks }
    const playbooks = demoPlaybooks({ approvers: people.map(({ email }) => email), can })
    for (const playbook of playbooks) seed.ids.set(playbook.name, await insertPlaybook(seed, playbook))
    const find = (name: string): DemoPlaybook => onlyRow(playbooks.filter((playbook) => playbook.name === name))
    for (const past of PAST) await insertPastRun(seed, past, find(past.playbook))
    await insertOpenRuns(seed, find)
    // Nothing that runs by itself where it could only fail.
    if (can.execute) await insertRunsToCome(seed, find)
  })
}

interface Seed {
  readonly client: PoolClient
  readonly now: number
  readonly editorId: string
  readonly ids: Map<string, string>
  /** What playbooks for checks have run on. */
  readonly checks: readonly { readonly id: string; readonly type: string }[]
}

async function insertPlaybook({ client, editorId }: Seed, { name, spec }: DemoPlaybook): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into playbooks (name, title, icon, description, category, spec, source, created_by)
     values ($1, $2, $3, $4, $5, $6, 'UI', $7) returning id`,
    [name, spec.title, spec.icon, spec.description, spec.category ?? '', JSON.stringify(spec), editorId],
  )
  return onlyRow(rows).id
}

interface RunTimes {
  readonly status: string
  readonly created: number
  readonly started?: number
  readonly scheduled?: number
  readonly ended?: number
  readonly error?: string
}

async function insertRun(seed: Seed, { name, spec }: DemoPlaybook, times: RunTimes): Promise<string> {
  const { status, created, started, scheduled = created, ended, error } = times
  const params = Object.fromEntries(
    (spec.parameters ?? []).map((parameter) => [
      parameter.name,
      typeof parameter.default === 'string' ? parameter.default : '',
    ]),
  )
  const types = spec.checks?.flatMap((selector) => selector.types ?? []) ?? []
  const checks = seed.checks.filter(({ type }) => types.includes(type))
  const check = checks[Math.round((seed.now - created) / HOUR_MS) % checks.length]
  const { rows } = await seed.client.query<{ id: string }>(
    `insert into playbook_runs
       (check_id, playbook_id, status, spec, parameters, created_by, created_at, start_time, scheduled_time, end_time, error)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`,
    [
      check?.id ?? null,
      seed.ids.get(name),
      status,
      JSON.stringify(spec),
      JSON.stringify(params),
      spec.on ? null : seed.editorId,
      ...[created, started, scheduled, ended].map((at) => (at === undefined ? null : new Date(at))),
      error ?? null,
    ],
  )
  return onlyRow(rows).id
}

async function insertAction(
  { client }: Seed,
  runId: string,
  name: string,
  change: { status: string; started?: number; scheduled?: number; ended?: number; stdout?: string; exitCode?: number },
): Promise<void> {
  const { status, started, scheduled, ended, stdout, exitCode = 0 } = change
  const result = stdout ? JSON.stringify({ stdout, stderr: '', exitCode }) : null
  const { rows } = await client.query<{ id: string }>(
    `insert into playbook_run_actions (playbook_run_id, name, status, start_time, scheduled_time, end_time, result, error)
     values ($1, $2, $3, $4, coalesce($5, $4, now()), $6, $7, $8) returning id`,
    [
      runId,
      name,
      status,
      ...[started, scheduled, ended].map((at) => (at === undefined ? null : new Date(at))),
      result,
      status === 'failed' ? `the script ended with code ${exitCode}` : null,
    ],
  )
  // What is no script prints nothing, and nothing is no output.
  if (stdout === undefined || stdout === '' || started === undefined) return
  await client.query(
    `insert into playbook_run_outputs (action_id, seq, at, stream, text, place) values ($1, 1, $2, 'stdout', $3, 0)`,
    [onlyRow(rows).id, new Date(started), stdout],
  )
}

/** What a script of ours would have printed, without its loops. */
const printedBy = ({ name, exec }: PlaybookAction): string =>
  exec
    ? [...exec.script.matchAll(/echo "([^"{$]*)"/g)].map(([, text]) => `${text}\n`).join('') || `${name}: done\n`
    : ''

async function insertPastRun(seed: Seed, past: PastRun, playbook: DemoPlaybook): Promise<void> {
  const { actions } = playbook.spec
  const created = seed.now - past.hoursAgo * HOUR_MS
  const steps = past.steps ?? actions.length
  const ended = created + (steps + 1) * 7_000
  const error = steps === 0 ? 'spec is invalid: actions.1.approval.approvers: expected an object' : undefined
  const runId = await insertRun(seed, playbook, {
    status: past.status,
    created,
    ended,
    ...(steps > 0 && { started: created + 400 }),
    ...(error !== undefined && { error }),
  })
  for (const [index, action] of actions.slice(0, steps).entries()) {
    const isLast = index === steps - 1
    const started = created + 400 + index * 7_000
    const status = isLast ? past.status : 'completed'
    await insertAction(seed, runId, action.name, {
      status,
      started,
      ended: started + 6_500,
      stdout: printedBy(action),
      exitCode: status === 'failed' ? 3 : 0,
    })
  }
  if (past.status !== 'failed' || steps === 0) return
  for (const { name } of actions.slice(steps)) await insertAction(seed, runId, name, { status: 'skipped', ended })
}

const insertDone = (
  seed: Seed,
  runId: string,
  action: PlaybookAction,
  times: { started: number; ended: number },
): Promise<void> => insertAction(seed, runId, action.name, { status: 'completed', ...times, stdout: printedBy(action) })

/** One that begins with the demo, and two that go on by themselves later. */
async function insertRunsToCome(seed: Seed, find: (name: string) => DemoPlaybook): Promise<void> {
  const { now } = seed
  const ago = (minutes: number): number => now - minutes * MINUTE_MS
  await insertRun(seed, find('collect-diagnostics'), {
    status: 'scheduled',
    created: ago(40),
    scheduled: now + 6 * HOUR_MS,
  })
  await insertRun(seed, find('cache-warm-up'), { status: 'scheduled', created: now })

  const report = await insertRun(seed, find('nightly-report'), {
    status: 'sleeping',
    created: ago(30),
    started: ago(30),
  })
  const [count, rest] = find('nightly-report').spec.actions
  if (count && rest) {
    await insertDone(seed, report, count, { started: ago(30), ended: ago(29) })
    await insertAction(seed, report, rest.name, { status: 'sleeping', started: ago(29), scheduled: now + 3 * HOUR_MS })
  }
}

/** Those that wait for people. */
async function insertOpenRuns(seed: Seed, find: (name: string) => DemoPlaybook): Promise<void> {
  const ago = (minutes: number): number => seed.now - minutes * MINUTE_MS
  await insertRun(seed, find('restart-worker'), { status: 'pending', created: ago(12) })
  const edge = await insertRun(seed, find('fail-over-edge'), { status: 'waiting', created: ago(8), started: ago(8) })
  const [check, move] = find('fail-over-edge').spec.actions
  if (check && move) {
    await insertDone(seed, edge, check, { started: ago(8), ended: ago(7) })
    await insertAction(seed, edge, move.name, { status: 'waiting', scheduled: ago(7) })
  }
}
