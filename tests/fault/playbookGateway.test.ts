// Kills the gateway, the hard way, while runs stand in every status, in each way in which a run comes to it. It runs no step: runs go
// on without it, what people and agents say to the next one counts, and whoever opens a page there has all that was printed.
import { isEnded, PlaybookRunPartSchema, type RunStatus } from '@watchroom/shared/playbooks'
import { Pool } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { eventually } from '#support/eventually.ts'

import { startEmbeddedBackend, type TestBackend, type TestPerson } from '../support/embeddedBackend.ts'
import { freePort } from '../support/freePort.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gatewayProcess.ts'
import { howMany } from '../support/howMany.ts'
import { printedBy, savePlaybook, stepsOf } from '../support/playbookRuns.ts'
import { createRandom } from '../support/random.ts'
import { openRawLives, type RawLive, settled } from '../support/rawLive.ts'
import { generateRealAgent, type RealAgent } from '../support/realAgent.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_129)
const KILLS = howMany('WATCHROOM_FAULT_ROUNDS', { short: 1, long: 20 })
const LATEST = { timeout: 60_000, interval: 100 }
/** What stands in its status for a time only is there while everything else is brought to its own, and the gateway killed. */
const LASTS = '12s'
const LONGEST_WAIT_MS = 1_000

let backend: TestBackend
let database: Pool
let gateway: GatewayProcess
let first: TestPerson
let second: TestPerson
let admin: Record<string, string>
let editor: Record<string, string>
/** One for each run that needs one, by the name of its way. */
const agents = new Map<string, RealAgent>()
/** Steps that agents have begun, by run. */
const taken = new Map<string, Record<string, unknown>>()
const pages: RawLive[] = []

beforeEach(async () => {
  backend = await startEmbeddedBackend()
  first = await backend.createPerson('admin')
  admin = await backend.signIn(first.email, first.password)
  second = await backend.createPerson('editor')
  editor = await backend.signIn(second.email, second.password)
  database = new Pool({ connectionString: backend.databaseUrl })
  gateway = await startGatewayProcess({ backend, port: await freePort() })
})
afterEach(async () => {
  closePages()
  agents.clear()
  taken.clear()
  await gateway?.stop()
  await database?.end()
  await backend?.stop()
})

async function killGateway(): Promise<void> {
  const port = Number(new URL(gateway.url).port)
  await gateway.kill()
  closePages()
  gateway = await startGatewayProcess({ backend, port })
}

const asBrowser = (as: Record<string, string>): Record<string, string> => ({
  cookie: `ory_kratos_session=${as['x-session-token']}`,
  origin: gateway.url,
})

function post(path: string, as: Record<string, string>, body?: object): Promise<Response> {
  const headers = { ...asBrowser(as), ...(body && { 'content-type': 'application/json' }) }
  return fetch(`${gateway.url}/api/playbook/${path}`, {
    method: 'POST',
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** @returns the run */
const ask = async (playbookId: string): Promise<string> =>
  ((await (await post('run', admin, { id: playbookId })).json()) as { run_id: string }).run_id

const say = async (path: string, as = admin): Promise<number> => (await post(`run/${path}`, as)).status

function closePages(): void {
  for (const page of pages.splice(0)) page.close()
}

/** People are on the page of a run from now on. */
async function comeTo(runId: string, ...people: readonly Record<string, string>[]): Promise<void> {
  for (const as of people) {
    const page = openRawLives(gateway.url, asBrowser(as))
    pages.push(page)
    await settled(page.subscribe('presence', { page: 'playbook_runs', id: runId }))
  }
}

async function take({ runId, name }: Brought): Promise<void> {
  const answer = await agents.get(name)?.call('GET', 'playbook-action')
  const { action, run } = JSON.parse(answer?.text ?? '') as { action: Record<string, unknown>; run: { id: string } }
  expect(run.id).toBe(runId)
  taken.set(runId, action)
}

async function finish({ runId, name }: Brought): Promise<void> {
  const done = { ...taken.get(runId), status: 'completed', end_time: new Date().toISOString(), result: {} }
  expect((await agents.get(name)?.push({ playbook_actions: [done] }))?.status).toBe(200)
}

const untilWaiting = (runId: string): Promise<string> =>
  eventually(async () => {
    const waiting = (await stepsOf(database, runId)).find(({ status }) => status === 'waiting')
    expect(waiting).toBeDefined()
    return waiting?.id ?? ''
  }, LATEST)

const untilPrinted = (runId: string): Promise<void> =>
  eventually(async () => {
    const [printing] = await stepsOf(database, runId)
    expect(await printedBy(database, printing?.id ?? '')).not.toBe('')
  }, LATEST)

const WELL = 'all is well\n'
const says = { name: 'say', exec: { script: "echo 'all is well'" } }
const fails = { name: 'fail', exec: { script: 'echo tried; exit 3' } }
const works = { name: 'work', exec: { script: 'echo begun; sleep 300' } }
const prints = { name: 'print', exec: { script: 'for i in $(seq 1 60); do echo "line $i"; sleep 0.2; done' } }
const PRINTED = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`).join('')
const approvedBy = (person: () => TestPerson) => ({ approvers: { people: [person().email] } })

interface Brought {
  readonly runId: string
  /** Of its way, and of its agent. */
  readonly name: string
}

interface Way {
  readonly name: string
  readonly spec: (agent: string) => object
  /** What takes it there, where it does not come there by itself. */
  readonly bring?: (run: Brought) => Promise<unknown>
  /** Said while the gateway dies: nobody knows whether it was heard. */
  readonly sayUnheard?: (run: Brought) => Promise<unknown>
  /** What people and agents do when there is a gateway again. */
  readonly goOn?: (run: Brought) => Promise<unknown>
  readonly ends: RunStatus
  /** How each attempt of its steps ends, and what it has printed. */
  readonly attempts: Shown['attempts']
}

async function expectHeard(path: string, as = admin): Promise<void> {
  expect(await say(path, as)).toBe(200)
}

async function expectDone(path: string): Promise<void> {
  expect([200, 409]).toContain(await say(path))
}

const untilTriedOnce = (runId: string): Promise<void> =>
  eventually(async () => {
    expect(await stepsOf(database, runId)).toMatchObject([{ status: 'failed' }, { status: 'scheduled' }])
  }, LATEST)

/** Of a dangerous step that waits, with both people on the page. */
async function confirmThere(runId: string, as: Record<string, string>): Promise<void> {
  const stepId = await untilWaiting(runId)
  await comeTo(runId, admin, editor)
  await expectHeard(`confirm/${stepId}`, as)
}

/** In each status that the specification knows, the ways in which a run comes to it. */
const WAYS = {
  scheduled: [
    {
      name: 'until its moment',
      spec: () => ({ approval: approvedBy(() => second), actions: [says] }),
      bring: ({ runId }) =>
        database.query(
          `update playbook_runs set status = 'scheduled', scheduled_time = now() + $2::interval where id = $1`,
          [runId, LASTS],
        ),
      ends: 'completed',
      attempts: [['completed', WELL]],
    },
  ],
  pending: [
    {
      name: 'until it is approved',
      spec: () => ({ approval: approvedBy(() => second), actions: [says] }),
      goOn: ({ runId }) => expectHeard(`approve/${runId}`, editor),
      ends: 'completed',
      attempts: [['completed', WELL]],
    },
  ],
  waiting: [
    {
      name: 'until a step is approved',
      spec: () => ({ actions: [{ name: 'agree', approval: approvedBy(() => first) }, says] }),
      goOn: ({ runId }) => expectHeard(`approve/${runId}`),
      ends: 'completed',
      attempts: [
        ['completed', ''],
        ['completed', WELL],
      ],
    },
    {
      name: 'for the second of two people',
      spec: () => ({ actions: [{ ...says, isDangerous: true }] }),
      bring: ({ runId }) => confirmThere(runId, admin),
      goOn: ({ runId }) => confirmThere(runId, editor),
      ends: 'completed',
      attempts: [['completed', WELL]],
    },
    {
      name: 'until an agent takes its step',
      spec: (agent) => ({ actions: [{ ...says, runsOn: [agent] }] }),
      goOn: async (run) => {
        await take(run)
        await finish(run)
      },
      ends: 'completed',
      attempts: [['completed', '']],
    },
  ],
  running: [
    {
      name: 'as it prints',
      spec: () => ({ actions: [prints, says] }),
      bring: ({ runId }) => untilPrinted(runId),
      ends: 'completed',
      attempts: [
        ['completed', PRINTED],
        ['completed', WELL],
      ],
    },
    {
      name: 'on an agent',
      spec: (agent) => ({ actions: [{ ...says, runsOn: [agent] }] }),
      bring: async (run) => {
        await untilWaiting(run.runId)
        await take(run)
      },
      goOn: finish,
      ends: 'completed',
      attempts: [['completed', '']],
    },
    {
      name: 'until it tries again',
      spec: () => ({ actions: [{ ...fails, retry: { limit: 1, duration: LASTS } }] }),
      bring: ({ runId }) => untilTriedOnce(runId),
      ends: 'failed',
      attempts: [
        ['failed', 'tried\n'],
        ['failed', 'tried\n'],
      ],
    },
    {
      name: 'as it is cancelled',
      spec: () => ({ actions: [works] }),
      bring: ({ runId }) => untilPrinted(runId),
      sayUnheard: ({ runId }) => say(`cancel/${runId}`),
      goOn: ({ runId }) => expectDone(`cancel/${runId}`),
      ends: 'cancelled',
      attempts: [['cancelled', 'begun\n']],
    },
  ],
  sleeping: [
    {
      name: 'until its time',
      spec: () => ({ actions: [{ name: 'rest', delay: LASTS }, says] }),
      ends: 'completed',
      attempts: [
        ['completed', ''],
        ['completed', WELL],
      ],
    },
  ],
  completed: [
    { name: 'with its output', spec: () => ({ actions: [says] }), ends: 'completed', attempts: [['completed', WELL]] },
  ],
  failed: [
    {
      name: 'until it is run again',
      spec: () => ({ actions: [fails] }),
      goOn: ({ runId }) => expectHeard(`retry/${runId}`),
      ends: 'failed',
      attempts: [
        ['failed', 'tried\n'],
        ['failed', 'tried\n'],
      ],
    },
  ],
  cancelled: [
    {
      name: 'before its step has ended',
      spec: () => ({ actions: [works] }),
      bring: async ({ runId }) => {
        await untilPrinted(runId)
        await expectHeard(`cancel/${runId}`)
      },
      ends: 'cancelled',
      attempts: [['cancelled', 'begun\n']],
    },
  ],
} satisfies Record<RunStatus, readonly [Way, ...Way[]]>

const ALL = Object.entries(WAYS as Record<RunStatus, readonly Way[]>).flatMap(([status, ways]) =>
  ways.map((way) => ({ status, way })),
)

interface Started extends Brought {
  readonly status: string
  readonly way: Way
}

async function start(status: string, way: Way, round: number): Promise<Started> {
  const name = `${status} ${way.name} ${round}`.replaceAll(' ', '-')
  if (name.includes('agent')) agents.set(name, await generateRealAgent(backend, name, gateway.url))
  const id = await savePlaybook(backend, admin, name, way.spec(name))
  const runId = await ask(id)
  await way.bring?.({ runId, name })
  return { runId, name, status, way }
}

async function standingOf(runs: readonly Brought[]): Promise<string[]> {
  const { rows } = await database.query<{ id: string; status: string }>(
    'select id, status from playbook_runs where id = any($1)',
    [runs.map(({ runId }) => runId)],
  )
  const statuses = new Map(rows.map(({ id, status }) => [id, status]))
  return runs.map(({ runId, name }) => `${name}: ${statuses.get(runId)}`)
}

/** Of what is ended from outside its shell may say so, if it is still there. */
const withoutLastWord = (printed: string): string => printed.replace(/Terminated\n$/, '')

interface Shown {
  readonly status: string
  readonly attempts: readonly (readonly [status: string, printed: string])[]
}

/** As a page has it that is opened now. */
async function readPage(runId: string): Promise<Shown> {
  const page = openRawLives(gateway.url, asBrowser(admin))
  try {
    const run = page.subscribe('playbookRun', { id: runId })
    await settled(run)
    const parts = run.rows().map((row) => PlaybookRunPartSchema.parse(row))
    const steps = parts.filter((part) => part.kind === 'action').toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const attempts = steps.map(async ({ id, status }): Promise<[string, string]> => {
      const output = page.subscribe('playbookOutput', { actionId: id })
      await settled(output)
      const pieces = output.rows().toSorted((a, b) => Number(a['seq']) - Number(b['seq']))
      return [status, withoutLastWord(pieces.map(({ text }) => String(text)).join(''))]
    })
    const status = parts.find((part) => part.kind === 'run')?.status ?? 'gone'
    return { status, attempts: await Promise.all(attempts) }
  } finally {
    page.close()
  }
}

async function expectSound({ runId, name, way }: Started): Promise<void> {
  const steps = await stepsOf(database, runId)
  const kept = await Promise.all(
    steps.map(async ({ id, status }) => [status, withoutLastWord(await printedBy(database, id))]),
  )
  expect([name, kept]).toEqual([name, way.attempts])
  const shown = { status: way.ends, attempts: way.attempts }
  await eventually(async () => expect([name, await readPage(runId)]).toEqual([name, shown]), LATEST)
}

it('leaves no run behind in any status when the gateway is killed', { timeout: KILLS * 120_000 }, async () => {
  const random = createRandom(SEED)
  for (let round = 0; round < KILLS; round++) {
    const runs = await Promise.all(ALL.map(({ status, way }) => start(status, way, round)))
    const standing = runs.map(({ name, status }) => `${name}: ${status}`)
    await eventually(async () => expect(await standingOf(runs)).toEqual(standing), LATEST)
    await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_WAIT_MS))
    for (const { runId, name, status } of runs) expect([name, (await readPage(runId)).status]).toEqual([name, status])
    expect(await standingOf(runs)).toEqual(standing)
    const unheard = runs.map(async ({ way, ...run }) => way.sayUnheard?.(run))
    await Promise.all([killGateway(), Promise.allSettled(unheard)])

    await Promise.all(runs.map(async ({ way, ...run }) => way.goOn?.(run)))
    const ended = runs.map(({ name, way }) => `${name}: ${way.ends}`)
    await eventually(async () => {
      expect(await standingOf(runs)).toEqual(ended)
      for (const { runId, name } of runs)
        for (const { status } of await stepsOf(database, runId)) expect([name, isEnded(status)]).toEqual([name, true])
    }, LATEST)
    for (const run of runs) await expectSound(run)
    closePages()
  }
})

it(
  'takes two words for a step while the gateway is killed between them, once both people are back on its page',
  { timeout: 120_000 },
  async () => {
    const id = await savePlaybook(backend, admin, 'cut', { actions: [{ ...says, isDangerous: true }] })
    const runId = await ask(id)
    const stepId = await untilWaiting(runId)
    await comeTo(runId, admin, editor)
    expect(await say(`confirm/${stepId}`)).toBe(200)
    await killGateway()
    // Nobody is there yet; then the second one alone, and the word of the first counts no more.
    expect(await say(`confirm/${stepId}`, editor)).toBe(409)
    await comeTo(runId, editor)
    expect(await say(`confirm/${stepId}`, editor)).toBe(200)
    expect(await stepsOf(database, runId)).toMatchObject([{ status: 'waiting' }])
    await comeTo(runId, admin)
    expect(await say(`confirm/${stepId}`)).toBe(200)
    await eventually(
      async () => expect(await stepsOf(database, runId)).toMatchObject([{ status: 'completed' }]),
      LATEST,
    )
  },
)
