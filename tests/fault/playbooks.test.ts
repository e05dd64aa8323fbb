// Kills the backend's process, and PostgreSQL, the hard way while runs stand in every state, again and again. Nothing that is not
// declared repeatable runs twice, no run stays where it is for ever, and what was printed stays, in order.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { isEnded } from '@watchroom/shared/playbooks'
import { Pool } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { eventually } from '#support/eventually.ts'

import { PRESENT_HEADER } from '../../gateway/src/platform/backendCaller.ts'
import {
  FAST_POSTGRES_SETTINGS,
  startEmbeddedBackend,
  type TestBackend,
  type TestPerson,
} from '../support/embeddedBackend.ts'
import { howMany } from '../support/howMany.ts'
import { callTable } from '../support/incidentGateway.ts'
import { killPart, type Part } from '../support/killPart.ts'
import { printedBy, savePlaybook, stepsOf } from '../support/playbookRuns.ts'
import { createRandom } from '../support/random.ts'
import { generateRealAgent, type RealAgent } from '../support/realAgent.ts'
import { type DatabaseRelay, relayDatabase } from '../support/tcpRelay.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_801)
const KILLS = howMany('WATCHROOM_FAULT_ROUNDS', { short: 2, long: 40 })
const VICTIMS = ['backend', 'PostgreSQL'] as const satisfies readonly Part[]
/** What was acknowledged survives the server's own death. */
const DURABLE = { ...FAST_POSTGRES_SETTINGS, synchronous_commit: 'on' }
const LATEST = { timeout: 40_000, interval: 100 }
const INTERRUPTED = 'The backend ended while this step ran'

let backend: TestBackend
let database: Pool
let relay: DatabaseRelay
let agent: RealAgent
let server: Server
/** Requests by path. */
const asked = new Map<string, number>()
let headers: Record<string, string>
let first: TestPerson
let second: TestPerson
let other: Record<string, string>

beforeEach(async () => {
  backend = await startEmbeddedBackend({ postgresSettings: DURABLE })
  first = await backend.createPerson('admin')
  headers = await backend.signIn(first.email, first.password)
  second = await backend.createPerson('editor')
  other = await backend.signIn(second.email, second.password)
  database = new Pool({ connectionString: backend.databaseUrl })
  // Of a client whose server is killed; its next question makes another.
  database.on('error', () => undefined)
  await database.query('create table public.fault_marks (mark text)')
  relay = await relayDatabase(backend)
  const connection = { name: 'own', type: 'postgres', url: relay.url, source: 'UI' }
  await callTable(backend, 'connections', { method: 'POST', body: connection })
  agent = await generateRealAgent(backend, 'depot')
  server = createServer(({ url = '' }, response) => {
    asked.set(url, (asked.get(url) ?? 0) + 1)
    setTimeout(() => response.end('seen'), 700)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  server?.closeAllConnections()
  server?.close()
  await relay?.close()
  await database?.end()
  await backend?.stop()
})

async function start(name: string, spec: object): Promise<string> {
  const body = { id: await savePlaybook(backend, headers, name, spec) }
  const answer = await backend.call('/playbook/run', { method: 'POST', headers, body })
  return (answer.json() as { run_id: string }).run_id
}

/** Each line names the attempt that printed it: a step that ran twice is seen. */
const step = (name: string, more: object = {}) => ({
  name,
  exec: { script: `n=$(date +%s%N); for i in 1 2 3 4 5 6 7 8; do echo "${name} $n $i"; sleep 0.1; done` },
  ...more,
})
const repeatable = step('a', { isRepeatable: true })
const byAgent = { name: 'far', exec: { script: 'true' }, runsOn: ['depot'] }

/** One run for each state that a kill can find, as far as it can be brought there. */
function specsOf(round: string, port: number) {
  const query = `with slept as (select pg_sleep(0.7)) insert into fault_marks select '${round}' from slept`
  return {
    once: { actions: [step('a'), step('b')] },
    repeated: { actions: [repeatable, step('b', { isRepeatable: true })] },
    asleep: { actions: [{ name: 'rest', delay: '2s' }, repeatable] },
    waiting: { actions: [{ name: 'agree', approval: { approvers: { people: [first.email] } } }, repeatable] },
    pending: { approval: { approvers: { people: [second.email] } }, actions: [repeatable] },
    http: { actions: [{ name: 'ask', http: { url: `http://127.0.0.1:${port}/${round}` } }] },
    sql: { actions: [{ name: 'ask', sql: { connection: 'connection://own', query } }] },
    retried: { actions: [{ name: 'fails', exec: { script: 'exit 3' }, retry: { limit: 2, duration: '1500ms' } }] },
    taken: { actions: [{ ...byAgent, isDangerous: true }] },
    unconfirmed: { actions: [{ ...repeatable, isDangerous: true }] },
    told: {
      actions: [{ name: 'tell', notification: { title: round, message: 'All well', connection: hookOf(round) } }],
    },
    untaken: { actions: [byAgent] },
    cancelled: { actions: [{ name: 'long', exec: { script: 'echo begun; sleep 300' } }] },
    asked: { actions: [repeatable] },
  }
}
type RunName = keyof ReturnType<typeof specsOf>

const hookOf = (round: string): string => `connection://${round}`

async function linesOf(runId: string, name: string): Promise<string[]> {
  const attempts = (await stepsOf(database, runId)).filter((attempt) => attempt.name === name)
  return Promise.all(attempts.map(({ id }) => printedBy(database, id)))
}

const say = (path: string, as = headers) => backend.call(`/playbook/run/${path}`, { method: 'POST', headers: as })

/** As the gateway says it of two people who are on the page of the run. */
const areThere = (runId: string): Record<string, string> => ({
  [PRESENT_HEADER]: JSON.stringify({ [runId]: [first.id, second.id] }),
})

/** The agent's next step. Nothing to do is answered after a while, so it is asked only when there is something. */
async function takeStep(): Promise<{ run: string; row: Record<string, unknown> }> {
  const { action, run } = JSON.parse((await agent.call('GET', 'playbook-action')).text) as {
    action: Record<string, unknown>
    run: { id: string }
  }
  return { run: run.id, row: action }
}

const finish = (row: Record<string, unknown>) =>
  agent.push({ playbook_actions: [{ ...row, status: 'completed', end_time: new Date().toISOString(), result: {} }] })

/** One of the two words that a dangerous step waits for, as soon as it does. */
const confirm = (runId: string, as: Record<string, string>): Promise<void> =>
  eventually(async () => {
    const [dangerous] = await stepsOf(database, runId)
    expect(dangerous?.status).toBe('waiting')
    expect((await say(`confirm/${dangerous?.id}`, { ...as, ...areThere(runId) })).status).toBe(200)
  }, LATEST)

/** @returns the dangerous step that the agent has begun, after two people confirmed it */
async function beginFar(runId: string): Promise<Record<string, unknown>> {
  for (const as of [headers, other]) await confirm(runId, as)
  const { run, row } = await takeStep()
  expect(run).toBe(runId)
  return row
}

/** People go on with what waits for them, and the agent with what it has and with what it is given. */
async function goOn(runs: Record<RunName, string>, begun: Record<string, unknown>): Promise<void> {
  await eventually(async () => expect((await say(`approve/${runs.waiting}`)).status).toBe(200), LATEST)
  await eventually(async () => expect((await say(`approve/${runs.pending}`, other)).status).toBe(200), LATEST)
  await confirm(runs.unconfirmed, other)
  const { run, row } = await takeStep()
  expect(run).toBe(runs.untaken)
  for (const done of [row, begun]) expect((await finish(done)).status).toBe(200)
}

function untilEnded(runs: Record<RunName, string>) {
  return eventually(async () => {
    const rows = await callTable(backend, `playbook_runs?id=in.(${Object.values(runs).join(',')})&select=id,status`)
    const statuses = new Map(rows.map(({ id, status }) => [id, String(status)]))
    const states = Object.fromEntries(Object.entries(runs).map(([name, id]) => [name, statuses.get(id) ?? 'gone']))
    for (const status of Object.values(states)) expect(isEnded(status), JSON.stringify(states)).toBe(true)
    return states as Record<RunName, string>
  }, LATEST)
}

it.each(VICTIMS)('leaves no run behind when %s is killed', { timeout: 1_200_000 }, async (victim) => {
  const random = createRandom(SEED)
  for (let round = 0; round < KILLS; round++) {
    const tag = `${victim}-${round}`
    const { port } = server.address() as AddressInfo
    const hook = {
      name: tag,
      type: 'generic_webhook',
      url: `generic+http://127.0.0.1:${port}/told-${tag}`,
      source: 'UI',
    }
    await callTable(backend, 'connections', { method: 'POST', body: hook })
    const { asked: askedSpec, untaken, told, ...specs } = specsOf(tag, port)
    const begunRuns: Record<string, string> = {}
    for (const [name, spec] of Object.entries(specs)) begunRuns[name] = await start(`${name} ${tag}`, spec)
    const begun = await beginFar(begunRuns['taken'] ?? '')
    await confirm(begunRuns['unconfirmed'] ?? '', headers)
    await new Promise((resolve) => setTimeout(resolve, Math.floor(random() * 1_200)))
    const before = await linesOf(begunRuns['once'] ?? '', 'a')
    const last = {
      untaken: await start(`untaken ${tag}`, untaken),
      told: await start(`told ${tag}`, told),
      asked: await start(`asked ${tag}`, askedSpec),
    }
    const runs = { ...begunRuns, ...last } as Record<RunName, string>
    expect((await say(`cancel/${runs.cancelled}`)).status).toBe(200)
    killPart(backend, victim)
    await goOn(runs, begun)
    const ended = await untilEnded(runs)
    await expectSound({ victim, runs, ended, tag, before: before.join('') })
  }
})

interface Aftermath {
  readonly victim: Part
  readonly runs: Record<RunName, string>
  readonly ended: Record<RunName, string>
  readonly tag: string
  /** What a step had printed when the kill came. */
  readonly before: string
}

async function expectSound({ victim, runs, ended, tag, before }: Aftermath): Promise<void> {
  for (const name of ['repeated', 'asleep', 'waiting', 'unconfirmed', 'asked', 'taken', 'untaken'] as const)
    expect([name, ended[name]]).toEqual([name, 'completed'])
  expect(ended.cancelled).toBe('cancelled')
  // One attempt, whether it came to its end or not; what it had printed is still there.
  for (const name of ['a', 'b']) {
    const lines = (await linesOf(runs.once, name)).join('').split('\n').filter(Boolean)
    expect(new Set(lines.map((line) => line.split(' ')[1])).size).toBeLessThanOrEqual(1)
  }
  expect((await linesOf(runs.once, 'a')).join('')).toContain(before)
  for (const name of ['once', 'http', 'sql', 'told', 'retried'] as const) {
    const interrupted = (await stepsOf(database, runs[name])).filter(({ error }) => error?.startsWith(INTERRUPTED))
    const mayBe = victim === 'backend' && ended[name] === 'failed'
    expect([name, interrupted.length <= (mayBe ? 1 : 0)]).toEqual([name, true])
  }
  for (const path of [`/${tag}`, `/told-${tag}`]) expect(asked.get(path) ?? 0).toBeLessThanOrEqual(1)
  const { rows } = await database.query<{ count: number }>(
    'select count(*)::integer as count from fault_marks where mark = $1',
    [tag],
  )
  expect(rows[0]?.count).toBeLessThanOrEqual(1)
  // The attempts that its playbook asked for, however often someone had to take it up.
  const attempts = await stepsOf(database, runs.retried)
  const wasCut = attempts.some(({ error }) => error?.startsWith(INTERRUPTED))
  expect(wasCut ? 3 : attempts.length).toBe(3)
  // The process that runs them lives on when its database dies.
  const mayFail = victim === 'backend'
  expect([mayFail || ended.once === 'completed', mayFail || ended.http === 'completed']).toEqual([true, true])
  await eventually(async () => {
    for (const [name, id] of Object.entries(runs))
      for (const { status } of await stepsOf(database, id)) expect([name, isEnded(status)]).toEqual([name, true])
  }, LATEST)
}
