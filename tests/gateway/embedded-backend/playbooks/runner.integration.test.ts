// Runs of playbooks in the real backend: real processes, a real database.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { text as readText } from 'node:stream/consumers'

import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { startEmbeddedBackend, type TestBackend, type TestPerson } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { callTable } from '#support/incidentGateway.ts'
import { listen } from '#support/listen.ts'
import { startMailServer } from '#support/mailServer.ts'
import { createRealAgent } from '#support/realAgent.ts'
import { relayDatabase } from '#support/tcpRelay.ts'

import { createRunStore } from '../../../../gateway/src/embedded-backend/playbooks/runStore.ts'
import { PRESENT_HEADER } from '../../../../gateway/src/platform/backendCaller.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'
import { type BackendClient, createBackendClient } from '../../../../gateway/src/platform/httpClient.ts'
import { createWaitingRunsSource } from '../../../../gateway/src/polling/sources/waitingRuns.ts'

let backend: TestBackend
let client: BackendClient
let database: Client
let admin: TestPerson
let headers: Record<string, string>

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  client = createBackendClient({ backendUrl: backend.url, token: backend.serviceToken })
  database = new Client({ connectionString: backend.databaseUrl })
  await database.connect()
  admin = await backend.createPerson('admin')
  headers = await backend.signIn(admin.email, admin.password)
})
afterAll(async () => {
  await client?.close()
  await database?.end()
  await backend?.stop()
})

let count = 0
const LATER = { timeout: 20_000, interval: 30 }

const call = async (method: string, path: string, body?: unknown, as = headers) => {
  const answer = await backend.call(path, { method, headers: as, ...(body === undefined ? {} : { body }) })
  return { status: answer.status, text: answer.text, json: () => answer.json() as Record<string, unknown> }
}

/** Saved by an administrator through the table, as a form does. */
async function createPlaybook(spec: object): Promise<string> {
  const name = `playbook-${(count += 1)}`
  const answer = await backend.call('/db/playbooks', {
    method: 'POST',
    headers: { ...headers, prefer: 'return=representation' },
    body: { name, title: name, source: 'UI', spec },
  })
  expect(answer.status, answer.text).toBe(201)
  return (answer.json() as { id: string }[])[0]?.id ?? ''
}

async function start(spec: object, more: object = {}): Promise<string> {
  const answer = await call('POST', '/playbook/run', { id: await createPlaybook(spec), ...more })
  expect(answer.status, answer.text).toBe(201)
  return String(answer.json()['run_id'])
}

interface Step {
  id: string
  name: string
  status: string
  error: string | null
  result: Record<string, unknown> | null
}

async function read(runId: string) {
  const [run] = await callTable(backend, `playbook_runs?id=eq.${runId}`)
  const steps = (await callTable(
    backend,
    `playbook_run_actions?playbook_run_id=eq.${runId}&order=id`,
  )) as unknown as Step[]
  return { status: String(run?.['status']), error: run?.['error'] ?? null, parameters: run?.['parameters'], steps }
}

const until = (runId: string, status: string) =>
  eventually(async () => {
    const run = await read(runId)
    expect(run.status, JSON.stringify(run)).toBe(status)
    return run
  }, LATER)

const run = async (spec: object, status: string, more: object = {}) => until(await start(spec, more), status)
const exec = (script: string, more: object = {}) => ({ name: 'only', exec: { script }, ...more })

async function outputOf(actionId: string) {
  const { rows } = await database.query<{ seq: number; stream: string; text: string; place: string }>(
    'select seq, stream, text, place from playbook_run_outputs where action_id = $1 order by seq',
    [actionId],
  )
  return rows
}

describe('a script', () => {
  it('prints what it prints, piece by piece, and leaves what it ended with', async () => {
    const { steps } = await run({ actions: [exec('echo one; sleep 2; echo two >&2; echo three')] }, 'completed')
    expect(steps).toMatchObject([
      { name: 'only', status: 'completed', result: { stdout: 'one\nthree', stderr: 'two', exitCode: 0 } },
    ])
    const pieces = await outputOf(steps[0]?.id ?? '')
    expect(pieces.map(({ seq }) => seq)).toEqual(pieces.map((_, index) => index + 1))
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces[0]).toMatchObject({ stream: 'stdout', text: 'one\n', place: '0' })
  })

  it('of 10 MB is kept byte for byte, in order', async () => {
    const script =
      'i=0; line=$(printf %0100d 7); while [ $i -lt 1000 ]; do i=$((i+1)); block="$block$i $line\n"; done; n=0; while [ $n -lt 97 ]; do n=$((n+1)); printf "$block"; done'
    const { steps } = await run({ actions: [exec(script)] }, 'completed')
    const block = Array.from({ length: 1_000 }, (_, index) => `${index + 1} ${'7'.padStart(100, '0')}\n`).join('')
    const text = (await outputOf(steps[0]?.id ?? '')).map((piece) => piece.text).join('')
    expect(text.length).toBe(block.length * 97)
    expect(text === block.repeat(97)).toBe(true)
    expect(String(steps[0]?.result?.['stdout']).length).toBe(1_000_000)
  })

  it('of which the result keeps a part ends as it ended', async () => {
    // The last character that the result has room for is half of one; the end of the line before it is not kept.
    const { steps } = await run(
      { actions: [exec('yes 🚀 | head -n 400000'), { name: 'next', delay: '1ms' }] },
      'completed',
    )
    expect(steps.map(({ name, status }) => [name, status])).toEqual([
      ['only', 'completed'],
      ['next', 'completed'],
    ])
    expect(String(steps[0]?.result?.['stdout']).length).toBe(999_998)
  })

  it('may print what is no text', async () => {
    const { steps } = await run(
      { actions: [exec(String.raw`printf 'a\000b\377c\303'; sleep 0.2; printf '\244 \033[31mred'`)] },
      'completed',
    )
    const text = (await outputOf(steps[0]?.id ?? '')).map((piece) => piece.text).join('')
    expect(text).toBe('a\u{FFFD}b\u{FFFD}cä \u001B[31mred')
  })

  it('is given values as variables, never as words', async () => {
    const spec = {
      parameters: [{ name: 'who', required: true }],
      actions: [exec('echo {{ params.who }}; echo "in {{params.who}}" {{.params.who}}')],
    }
    const who = `a'b"; echo pwned; $(echo pwned) \`echo pwned\``
    const { steps } = await run(spec, 'completed', { params: { who } })
    expect(steps[0]?.result?.['stdout']).toBe(`${who}\nin ${who} ${who}`)
  })

  it.each([`echo '{{ params.who }}'`, `cat <<'END'\n{{ params.who }}\nEND`])(
    'refuses a value that would be text of it: %s',
    async (script) => {
      const { steps } = await run({ parameters: [{ name: 'who' }], actions: [exec(script)] }, 'failed', {
        params: { who: 'x' },
      })
      expect(steps[0]?.error).toContain('would be text of the script')
    },
  )

  it('that ignores SIGTERM ends with its time', async () => {
    const { steps } = await run(
      { actions: [exec('trap "" TERM; echo begun; while :; do sleep 1; done', { timeout: '1s' })] },
      'failed',
    )
    expect(steps[0]).toMatchObject({
      status: 'failed',
      error: 'the step did not end within 1 s',
      result: { stdout: 'begun', exitCode: -1 },
    })
  })

  it('ends when the run is cancelled; what it printed stays, and nothing follows', async () => {
    const id = await start({ actions: [exec('echo begun; sleep 60'), { name: 'next', exec: { script: 'echo next' } }] })
    await eventually(
      async () =>
        expect(await outputOf((await read(id)).steps[0]?.id ?? '00000000-0000-0000-0000-000000000000')).toHaveLength(1),
      LATER,
    )
    expect(await call('POST', `/playbook/run/cancel/${id}`)).toMatchObject({ status: 200 })
    await eventually(
      async () =>
        expect((await read(id)).steps).toMatchObject([
          { name: 'only', status: 'cancelled', result: { stdout: 'begun' } },
        ]),
      LATER,
    )
    expect(await read(id)).toMatchObject({ status: 'cancelled' })
    expect(await call('POST', `/playbook/run/cancel/${id}`)).toMatchObject({ status: 409 })
  })

  it('sees nothing of the environment of the product', async () => {
    const { steps } = await run({ env: [{ name: 'MODE', value: 'quick' }], actions: [exec('env')] }, 'completed')
    const names = String(steps[0]?.result?.['stdout'])
      .split('\n')
      .map((line) => line.split('=')[0])
    expect(names).toContain('MODE')
    expect(names.filter((name) => name?.startsWith('WATCHROOM') || name?.startsWith('npm_'))).toEqual([])
  })

  it('prints no secret, also not one that comes in two pieces', async () => {
    const spec = {
      parameters: [{ name: 'key', type: 'secret' }],
      actions: [
        exec(
          'k={{ params.key }}; printf "%s" "${k%????}"; sleep 0.3; printf "%s\\n" "${k#????????}"; echo "$k" | base64',
        ),
      ],
    }
    const { steps, parameters } = await run(spec, 'completed', { params: { key: 'hunter2-tops' } })
    const text = (await outputOf(steps[0]?.id ?? '')).map((piece) => piece.text).join('')
    expect(parameters).toEqual({ key: '***' })
    expect(text).toContain('***\n')
    expect(JSON.stringify([text, steps])).not.toMatch(/hunter2|-tops/)
  })

  it('tells no secret by what it was given: its script, its expressions, and values that were refused', async () => {
    const relay = await relayDatabase(backend)
    onTestFinished(() => relay.close())
    const always = { if: 'always()' }
    const spec = {
      parameters: [{ name: 'key', type: 'secret' }],
      actions: [
        exec(`: 'Authorization: Bearer stored-word-1'`),
        { ...always, name: 'expression', exec: { script: `echo {{ 'Bearer stored-word-2' + params.none }}` } },
        { ...always, name: 'refused', sql: { url: relay.url, query: 'select {{ params.key }}::integer' } },
      ],
    }
    const { steps } = await run(spec, 'failed', { params: { key: 'hunter2-tops' } })
    expect(steps).toMatchObject([
      { status: 'completed', result: { args: ['sh', '-c', `: 'Authorization: Bearer ***'`] } },
      { status: 'failed', error: expect.stringContaining(`'Bearer ***' + params.none: `) as string },
      { status: 'failed', error: 'invalid input syntax for type integer: "***" (22P02)' },
    ])
    expect(JSON.stringify(steps)).not.toMatch(/stored-word|hunter2/)
  })

  it('is not led by a value to another server than the one that stands in its address, nor up its path', async () => {
    const action = {
      name: 'only',
      http: { url: 'http://127.0.0.1{{ params.path }}', headers: [{ name: 'X-Api-Key', value: 'k' }] },
    }
    const spec = { parameters: [{ name: 'path' }], actions: [action] }
    const { steps } = await run(spec, 'failed', { params: { path: '@localhost:1/' } })
    expect(steps[0]?.error).toBe('url: a value would lead to another server than the one that is written there')
    const up = await run(spec, 'failed', { params: { path: '/items/../admin' } })
    expect(up.steps[0]?.error).toBe('url: a value would lead out of the path that is written there')
  })
})

describe('files of a script', () => {
  const script = String.raw`mkdir out; printf 'a\000\377' >out/left.bin; echo "key={{ params.key }}" >report.txt
    ln -s /etc/passwd out/link.bin; echo unasked >other; head -c 11000000 /dev/zero >out/large.bin; exit 3`
  const spec = {
    parameters: [{ name: 'key', type: 'secret' }],
    actions: [{ name: 'only', exec: { script, artifacts: [{ path: 'report.txt' }, { path: 'out/*' }] } }],
  }

  it('are kept with the step, also when it failed: those asked for, without secrets, and none beyond their bound', async () => {
    const { steps } = await run(spec, 'failed', { params: { key: 'hunter2-tops' } })
    expect(steps[0]).toMatchObject({ result: { exitCode: 3 } })
    expect(String(steps[0]?.result?.['stderr'])).toContain(
      '[out/large.bin was not kept: a step keeps 20 files of together 10 MiB]',
    )
    const files = await callTable(backend, `artifacts?playbook_run_action_id=eq.${steps[0]?.id}&order=path`)
    expect(files).toMatchObject([
      { path: 'out/left.bin', filename: 'left.bin', size: 3, content_type: 'application/octet-stream' },
      { path: 'report.txt', filename: 'report.txt', size: 8, content_type: 'text/plain; charset=utf-8' },
    ])
    const viewer = await backend.createPerson('viewer')
    const as = await backend.signIn(viewer.email, viewer.password)
    const [bytes, report] = await Promise.all(
      files.map(({ id }) => backend.call(`/artifacts/download/${String(id)}`, { headers: as })),
    )
    expect(report).toMatchObject({ status: 200, text: 'key=***\n' })
    expect(report?.headers).toMatchObject({
      'content-disposition': "attachment; filename*=UTF-8''report.txt",
      'content-type': 'application/octet-stream',
    })
    expect(bytes?.headers['content-length']).toBe('3')
    expect(await backend.call(`/artifacts/download/${String(files[0]?.['id'])}`)).toMatchObject({ status: 401 })
    expect(await call('GET', `/artifacts/download/${randomUUID()}`)).toMatchObject({ status: 404 })
    await callTable(backend, `playbook_run_actions?id=eq.${steps[0]?.id}`, { method: 'DELETE' })
    expect(await callTable(backend, `artifacts?playbook_run_action_id=eq.${steps[0]?.id}`)).toEqual([])
  })
})

describe('steps', () => {
  it('after one that failed are left out unless they ask for it', async () => {
    const { steps } = await run(
      {
        actions: [
          { name: 'bad', exec: { script: 'echo before; exit 3' } },
          { name: 'left out', exec: { script: 'true' } },
          { name: 'cleanup', if: 'failure()', exec: { script: 'echo cleaning' } },
          { name: 'asked', if: 'actions["bad"].result.exitCode == 3', exec: { script: 'true' } },
          { name: 'always', if: 'always()', exec: { script: 'true' } },
        ],
      },
      'failed',
    )
    expect(steps.map(({ name, status }) => [name, status])).toEqual([
      ['bad', 'failed'],
      ['left out', 'skipped'],
      ['cleanup', 'completed'],
      ['asked', 'completed'],
      ['always', 'completed'],
    ])
  })

  it('are tried again as often as they ask', async () => {
    const { steps } = await run({ actions: [exec('exit 1', { retry: { limit: 2, duration: '10ms' } })] }, 'failed')
    expect(steps.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed'])
  })

  it('that failed run again on demand, as new attempts, with what follows', async () => {
    const server = createServer((_request, response) => response.writeHead(isWell ? 200 : 500).end('seen'))
    let isWell = false
    const url = `http://127.0.0.1:${await listen(server)}/`
    const id = await start({
      actions: [
        { name: 'first', exec: { script: 'true' } },
        { name: 'ask', http: { url } },
        { name: 'last', exec: { script: 'true' } },
      ],
    })
    await until(id, 'failed')
    isWell = true
    expect(await call('POST', `/playbook/run/retry/${id}`)).toMatchObject({ status: 200 })
    const { steps } = await until(id, 'completed')
    expect(steps.map(({ name, status }) => `${name} ${status}`).toSorted()).toEqual([
      'ask completed',
      'ask failed',
      'first completed',
      'last completed',
      'last skipped',
    ])
    expect(steps.find(({ name, status }) => name === 'ask' && status === 'completed')?.result).toMatchObject({
      code: 200,
      content: 'seen',
    })
    expect(await call('POST', `/playbook/run/retry/${id}`)).toMatchObject({ status: 409 })
  })

  it('whose condition cannot be answered have failed, and those that always run do', async () => {
    const actions = [
      { name: 'check', http: { url: 'http://127.0.0.1:9/' } },
      { ...exec('echo never'), name: 'then', if: 'actions["check"].result.code == 200' },
      { ...exec('echo cleaned'), name: 'clean', if: 'always()' },
    ]
    const { steps, error } = await run({ actions }, 'failed')
    expect(steps).toMatchObject([
      { name: 'check', status: 'failed' },
      { name: 'then', status: 'failed', error: expect.stringContaining('No such key: code') as string },
      { name: 'clean', status: 'completed', result: { stdout: 'cleaned' } },
    ])
    // What keeps a run from its first step stands there.
    expect(error).toBeNull()
  })

  it('have the time of a run anew when someone runs it again', async () => {
    const flag = createServer()
    const port = await listen(flag)
    const id = await start({
      timeout: '2s',
      actions: [{ name: 'ask', http: { url: `http://127.0.0.1:${port}/` } }],
    })
    const { steps } = await until(id, 'failed')
    expect(steps[0]?.error).toBe('the run did not end within 2 s')
    flag.on('request', (_request, response) => response.end('there'))
    expect(await call('POST', `/playbook/run/retry/${id}`)).toMatchObject({ status: 200 })
    await until(id, 'completed')
  })

  it('sleep, and the run says until when', async () => {
    const id = await start({ actions: [{ name: 'rest', delay: '5s' }, exec('echo awake')] })
    expect((await until(id, 'sleeping')).steps).toMatchObject([{ name: 'rest', status: 'sleeping' }])
    await until(id, 'completed')
  })

  it('ask a database through a connection, with values as parameters', async () => {
    const relay = await relayDatabase(backend)
    onTestFinished(() => relay.close())
    await callTable(backend, 'connections', {
      method: 'POST',
      body: { name: 'own', type: 'postgres', url: relay.url, source: 'UI' },
    })
    const query = 'select {{ params.who }} as who, 7 as seven'
    const spec = {
      parameters: [{ name: 'who' }],
      actions: [{ name: 'ask', sql: { connection: 'connection://own', query } }],
    }
    const who = `x' or 'y' = 'y`
    const { steps } = await run(spec, 'completed', { params: { who } })
    expect(steps[0]?.result).toEqual({ rows: [{ who, seven: 7 }], count: 1 })
    const quoted = { name: 'ask', sql: { connection: 'connection://own', query: `select '{{ params.who }}'` } }
    expect((await run({ ...spec, actions: [quoted] }, 'failed')).steps[0]?.error).toContain('stands without quotes')
  })

  it('of a broken playbook are none: the run says what is wrong', async () => {
    const id = await createPlaybook({ actions: [{ name: 'x', delay: '1ms' }] })
    // As one is that an older version took.
    const spec = { actions: [{ name: 'x', nonsense: {} }] }
    await database.query('update playbooks set spec = $2 where id = $1', [id, JSON.stringify(spec)])
    const asked = (await call('POST', '/playbook/run', { id })).json()
    expect(await until(String(asked['run_id']), 'failed')).toMatchObject({
      error: expect.stringMatching(/^spec is invalid: actions\.0: .*nonsense/) as string,
      steps: [],
    })
  })
})

describe('what is written of a run', () => {
  it('changes no step that has ended, and begins no run that waits for its approval', async () => {
    const store = createRunStore({ pool: database, clock: systemClock, signal: new AbortController().signal })
    const { steps } = await run({ actions: [exec('echo done')] }, 'completed')
    for (const status of ['running', 'waiting', 'sleeping', 'skipped', 'cancelled'] as const) {
      await store.setAction(steps[0]?.id ?? '', { status })
    }
    expect(await store.action(steps[0]?.id ?? '')).toMatchObject({ status: 'completed', result: { stdout: 'done' } })
    const { email } = await backend.createPerson('editor')
    const pending = await start({ approval: { approvers: { people: [email] } }, actions: [exec('echo begun')] })
    expect(await store.setRun(pending, 'running')).toBe(false)
    expect(await read(pending)).toMatchObject({ status: 'pending', steps: [] })
  })
})

describe('a step for an agent', () => {
  async function makeAgent(name: string) {
    const made = await backend.callAsService('/agent/generate', { method: 'POST', body: { name } })
    const { access_token: token } = made.json() as { access_token: string }
    return createRealAgent(backend.url, name, token)
  }

  it('waits until that agent fetches it, and ends when it says so', async () => {
    const [mine, other] = [await makeAgent('depot'), await makeAgent('elsewhere')]
    const script = 'echo {{ params.who }}'
    const spec = {
      parameters: [{ name: 'who' }],
      actions: [exec(script, { runsOn: ['depot'] }), { name: 'here', exec: { script: 'true' } }],
    }
    const id = await start(spec, { params: { who: 'parcel' } })
    const { steps } = await until(id, 'waiting')
    // Ends with the backend.
    const stranger = other.call('GET', 'playbook-action').catch(() => null)
    const task = JSON.parse((await mine.call('GET', 'playbook-action')).text) as Record<string, Record<string, unknown>>
    expect(task).toMatchObject({
      run: { id },
      action: { id: steps[0]?.id, name: 'only', status: 'running' },
      action_spec: { name: 'only', exec: { script } },
      template_env: { params: { who: 'parcel' } },
    })
    expect(JSON.stringify(task)).not.toContain('sealed')
    const done = {
      ...task['action'],
      status: 'completed',
      end_time: new Date().toISOString(),
      result: { stdout: 'parcel', exitCode: 0 },
    }
    await mine.push({ playbook_actions: [done] })
    const ended = await until(id, 'completed')
    expect(ended.steps).toMatchObject([
      { status: 'completed', result: { stdout: 'parcel' } },
      { name: 'here', status: 'completed' },
    ])
    expect(await Promise.race([stranger, Promise.resolve('still waiting')])).toBe('still waiting')
  })

  it('fails where there is no such agent', async () => {
    expect((await run({ actions: [exec('true', { runsOn: ['nowhere'] })] }, 'failed')).steps[0]?.error).toContain(
      'no such agent',
    )
  })
})

describe('people', () => {
  /** What everyone is told of a run that waits. */
  const awaited = async (runId: string) => {
    const read = await createWaitingRunsSource({ backend: client, clock: systemClock }).read(
      AbortSignal.timeout(20_000),
    )
    expect(read.droppedRows).toBe(0)
    return read.kind === 'all' ? read.rows.find(({ id }) => id === runId) : undefined
  }

  it('approve a run before it starts', async () => {
    const rae = await backend.createPerson('editor')
    const asRae = await backend.signIn(rae.email, rae.password)
    const spec = { approval: { approvers: { people: [rae.email] } }, actions: [exec('echo approved')] }
    const id = await start(spec)
    expect(await read(id)).toMatchObject({ status: 'pending', steps: [] })
    expect(await awaited(id)).toMatchObject({ people: [rae.id], without: [], unable: [] })
    await database.query(`update casbin_rule set v1 = 'viewer' where v0 = $1`, [rae.id])
    expect(await awaited(id)).toMatchObject({ people: [rae.id], unable: [rae.email] })
    await database.query(`update casbin_rule set v1 = 'editor' where v0 = $1`, [rae.id])
    const off = await backend.createPerson('editor')
    const waits = await start({ approval: { approvers: { people: [off.email] } }, actions: [exec('true')] })
    await database.query(`update watchroom_identity.identities set state = 'inactive' where id = $1`, [off.id])
    expect(await awaited(waits)).toMatchObject({ people: [off.id], unable: [off.email] })
    expect(await call('POST', `/playbook/run/approve/${id}`)).toMatchObject({
      status: 403,
      text: '{"error":"you are not allowed to approve this playbook run"}',
    })
    expect(await call('POST', `/playbook/run/approve/${id}`, undefined, asRae)).toMatchObject({
      status: 200,
      text: '{"message":"playbook run approved"}',
    })
    await until(id, 'completed')
  })

  it('keep nobody from writing the steps of the run while they approve it', async () => {
    const rae = await backend.createPerson('editor')
    const asRae = await backend.signIn(rae.email, rae.password)
    const id = await start({ approval: { approvers: { people: [rae.email] } }, actions: [exec('true')] })
    const other = new Client({ connectionString: backend.databaseUrl })
    await other.connect()
    // The approval waits here, with the run in its hands.
    await database.query('begin')
    await database.query('lock table playbook_approvals in share mode')
    const approval = call('POST', `/playbook/run/approve/${id}`, undefined, asRae)
    try {
      const isWaiting = async () =>
        (
          await other.query(
            `select from pg_locks where relation = 'playbook_approvals'::regclass and not granted
               and database = (select oid from pg_database where datname = current_database())`,
          )
        ).rowCount
      await expect.poll(isWaiting, LATER).toBeGreaterThan(0)
      await other.query(`set lock_timeout = '10s'`)
      const step = `insert into playbook_run_actions (playbook_run_id, name, status) values ($1, 'beside', 'completed')`
      await other.query(step, [id])
    } finally {
      await database.query('rollback')
      await other.end()
    }
    expect((await approval).status).toBe(200)
    await until(id, 'completed')
  })

  it('may not approve what they asked for where the playbook forbids it', async () => {
    const approval = { approvers: { people: [admin.email] } }
    await run({ approval, actions: [exec('true')] }, 'completed')
    const id = await start({ approval: { ...approval, excludeRequester: true }, actions: [exec('true')] })
    expect(await call('POST', `/playbook/run/approve/${id}`)).toMatchObject({ status: 403 })
    expect(await read(id)).toMatchObject({ status: 'pending' })
    expect(await awaited(id)).toMatchObject({ people: [admin.id], without: [admin.id] })
  })

  it('neither approve nor retry nor confirm what belongs to a playbook that was deleted', async () => {
    const approval = { approvers: { people: [admin.email] }, excludeRequester: true }
    const rae = await backend.createPerson('editor')
    const asRae = await backend.signIn(rae.email, rae.password)
    const failed = await start({ actions: [exec('exit 1')] })
    await until(failed, 'failed')
    const pending = await start({ approval: { approvers: { people: [rae.email] } }, actions: [exec('true')] })
    const waiting = await start({ actions: [{ name: 'ask', approval }, exec('true')] })
    await until(waiting, 'waiting')
    const dangerous = await start({ actions: [exec('true', { isDangerous: true })] })
    const { steps } = await until(dangerous, 'waiting')
    await database.query(
      `update playbooks set deleted_at = now()
       where id in (select playbook_id from playbook_runs where id = any($1::uuid[]))`,
      [[failed, pending, waiting, dangerous]],
    )
    const gone = { status: 409, text: '{"error":"the playbook of this run was deleted"}' }
    expect(await call('POST', `/playbook/run/retry/${failed}`)).toMatchObject(gone)
    expect(await call('POST', `/playbook/run/approve/${pending}`, undefined, asRae)).toMatchObject(gone)
    expect(await call('POST', `/playbook/run/approve/${waiting}`)).toMatchObject(gone)
    expect(await call('POST', `/playbook/run/confirm/${steps[0]?.id}`)).toMatchObject(gone)
    expect((await read(failed)).steps).toHaveLength(1)
    // What nobody lets go on any more can still be ended.
    for (const id of [pending, waiting, dangerous])
      expect(await call('POST', `/playbook/run/cancel/${id}`)).toMatchObject({ status: 200 })
  })

  it('all agree where all must', async () => {
    const [one, two] = [await backend.createPerson('editor'), await backend.createPerson('editor')]
    const team = `sre ${randomUUID()} "a"`
    const teamId = randomUUID()
    await callTable(backend, 'teams', {
      method: 'POST',
      body: { id: teamId, name: team, source: 'UI', created_by: admin.id },
    })
    await callTable(backend, 'team_members', { method: 'POST', body: { team_id: teamId, person_id: two.id } })
    const approvers = { people: [one.email.toUpperCase()], teams: [team] }
    const id = await start({ actions: [{ name: 'agree', approval: { type: 'all', approvers } }, exec('true')] })
    await until(id, 'waiting')
    for (const { email, password } of [one, two]) {
      expect(await read(id)).toMatchObject({ status: 'waiting' })
      const who = await awaited(id)
      expect(who?.people?.toSorted()).toEqual([one.id, two.id].toSorted())
      expect(who?.without).toEqual(email === one.email ? [] : [one.id])
      expect(
        await call('POST', `/playbook/run/approve/${id}`, undefined, await backend.signIn(email, password)),
      ).toMatchObject({ status: 200 })
    }
    expect((await until(id, 'completed')).steps[0]?.result?.['approvers']).toHaveLength(2)
  })

  it('two of them confirm a dangerous step, both on the page of its run', async () => {
    const other = await backend.createPerson('editor')
    const asOther = await backend.signIn(other.email, other.password)
    const id = await start({ actions: [exec('echo boom', { isDangerous: true })] })
    const { steps } = await until(id, 'waiting')
    expect(await awaited(id)).toMatchObject({ people: null, without: [] })
    /** As the gateway forwards it, which knows who is there. */
    const confirm = async (as: Record<string, string>, people: readonly string[], runId = id) => {
      const present = { [PRESENT_HEADER]: JSON.stringify({ [runId]: people }) }
      return (await call('POST', `/playbook/run/confirm/${steps[0]?.id}`, undefined, { ...as, ...present })).status
    }
    expect(await call('POST', `/playbook/run/confirm/${steps[0]?.id}`)).toMatchObject({
      status: 409,
      text: '{"error":"open the page of this run to confirm a step of it"}',
    })
    expect(await confirm(headers, [other.id])).toBe(409)
    expect(await confirm(headers, [admin.id], randomUUID())).toBe(409)
    for (const people of [[admin.id], [admin.id, other.id]]) expect(await confirm(headers, people)).toBe(200)
    // The first has left when the second comes, and has to come back.
    expect(await confirm(asOther, [other.id])).toBe(200)
    expect(await read(id)).toMatchObject({ status: 'waiting' })
    expect(await confirm(headers, [admin.id, other.id])).toBe(200)
    expect((await until(id, 'completed')).steps).toMatchObject([{ status: 'completed', result: { stdout: 'boom' } }])
  })

  it('are told by mail, those who are active', async () => {
    await database.query(
      `insert into watchroom_identity.identities (traits, state) values ('{"email":"off@example.org"}', 'inactive')`,
    )
    const spec = {
      actions: [
        {
          name: 'tell',
          notification: {
            title: 'Done {{ params.who }}',
            message: 'All well',
            people: [admin.email, 'off@example.org'],
          },
        },
      ],
    }
    const { steps } = await run({ ...spec, parameters: [{ name: 'who' }] }, 'completed', { params: { who: 'now' } })
    expect(steps[0]?.result).toMatchObject({ recipients: [admin.email], title: 'Done now' })
    const { rows } = await database.query(`select data from watchroom_internal.mails where recipient = $1`, [
      admin.email,
    ])
    expect(JSON.stringify(rows)).toContain('Done now')
  })

  it('are told through a connection, without secrets, and an email connection carries their mails', async () => {
    const asked: { key: unknown; body: string }[] = []
    const receiver = createServer((request, response) => {
      void readText(request).then((body) => {
        asked.push({ key: request.headers['idempotency-key'], body })
        response.writeHead(asked.length === 1 ? 500 : 200).end('{"error":"not signed with key-of-the-hook"}')
      })
    })
    const hook = `http://127.0.0.1:${await listen(receiver)}/hook`
    const mails = await startMailServer()
    onTestFinished(() => mails.close())
    await database.query(
      `insert into connections (name, namespace, type, source, url, password)
       values ('hook', 'steps', 'generic_webhook', 'UI', $1, 'key-of-the-hook'), ('shop', 'steps', 'http', 'UI', $1, '')`,
      [`generic+${hook}`],
    )
    await database.query(
      `insert into connections (name, namespace, type, source, url, properties)
       values ('mails', 'steps', 'email', 'UI', '', $1)`,
      [
        {
          host: '127.0.0.1',
          port: new URL(mails.url).port,
          from: 'runs@example.org',
          encryptionMethod: 'None',
        },
      ],
    )
    const tell = (name: string, more: object) => ({
      name,
      notification: { title: 'Done {{ params.token }}', message: 'All well', ...more },
    })
    const { steps } = await run(
      {
        parameters: [{ name: 'token', type: 'secret' }],
        actions: [
          { ...tell('hook', { connection: 'connection://steps/hook' }), retry: { limit: 1 } },
          tell('mail', { connection: 'connection://steps/mails', people: [admin.email] }),
          tell('gone', { connection: 'connection://steps/gone' }),
          { ...tell('other', { connection: 'connection://steps/shop' }), if: 'always()' },
        ],
      },
      'failed',
      { params: { token: 'hunter2-and-more' } },
    )
    expect(steps.map(({ name, status, error }) => [name, status, error])).toEqual([
      ['hook', 'failed', expect.stringContaining('500')],
      ['hook', 'completed', null],
      ['mail', 'completed', null],
      ['gone', 'failed', 'there is no connection connection://steps/gone'],
      ['other', 'failed', 'a connection of type http sends no notifications'],
    ])
    // Who may write a playbook names a connection, and learns nothing that is in it.
    expect(JSON.stringify(steps)).not.toContain('key-of-the-hook')
    expect(steps.map(({ result }) => result?.['recipients'])).toEqual([
      undefined,
      ['hook'],
      [admin.email],
      undefined,
      undefined,
    ])
    expect(asked.map(({ body }) => body)).toEqual([
      expect.stringContaining('Done ***'),
      expect.stringContaining('All well'),
    ])
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1)
    expect(
      mails.mails.map(({ recipients, source }) => [recipients, /^Subject: .*$/m.exec(source)?.[0].trim()]),
    ).toEqual([[[admin.email], 'Subject: Done ***']])
  })
})
