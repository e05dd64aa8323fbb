// Holds the embedded backend to what the real server was seen to answer, beside `serverSamples.test.ts`: calls that do something, and
// files. Status, type of content, keys and types; bodies are ours. Where we differ on purpose, the expectation says why.
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

import { NIL_UUID } from '@watchroom/shared/kernel'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type RawAnswer, startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { insertRow } from '#support/insertRow.ts'
import { listen } from '#support/listen.ts'
import { readZip } from '#support/readZip.ts'
import { expectShape, rowOf, type Shape, TIME, typeOf } from '#support/wireShape.ts'

let backend: TestBackend
let database: Client
const headers = { admin: {}, editor: {}, responder: {}, viewer: {} } as Record<Who, Record<string, string>>
type Who = 'admin' | 'editor' | 'responder' | 'viewer'
let adminId: string
let editorEmail: string

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  database = new Client({ connectionString: backend.databaseUrl })
  await database.connect()
  for (const who of Object.keys(headers) as Who[]) {
    const { id, email, password } = await backend.createPerson(who)
    headers[who] = { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` }
    if (who === 'admin') adminId = id
    if (who === 'editor') editorEmail = email
  }
})
afterAll(async () => {
  await database?.end()
  await backend?.stop()
})

const call = (method: string, path: string, body?: unknown, who: Who = 'admin'): Promise<RawAnswer> =>
  backend.call(path, {
    method,
    headers: { ...headers[who], prefer: 'return=representation', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  })
const get = (path: string, who?: Who) => call('GET', path, undefined, who)
const post = (path: string, body?: unknown, who?: Who) => call('POST', path, body, who)
const insert = (table: string, row: Readonly<Record<string, unknown>>) => insertRow(database, table, row)

/** The body of a JSON answer with this status. */
function bodyOf(answer: RawAnswer, status: number): Record<string, unknown> {
  expect({ status: answer.status, type: typeOf(answer) }, answer.text).toEqual({ status, type: 'application/json' })
  return answer.json() as Record<string, unknown>
}

/** Of an answer that is a list. */
function listOf(answer: RawAnswer, status: number): Record<string, unknown>[] {
  const body: unknown = bodyOf(answer, status)
  expect(Array.isArray(body), answer.text).toBe(true)
  return body as Record<string, unknown>[]
}

/**
 * The status of a refusal: why is in `error`, and in `message` where the sentence is for people; nothing of how the server works comes
 * along. Of anything else its text.
 */
function refusalOf(answer: RawAnswer): number | string {
  if (typeOf(answer) !== 'application/json') return answer.text
  const { error, message = '', ...rest } = answer.json() as Record<string, unknown>
  const isPlain = typeof error === 'string' && typeof message === 'string' && Object.keys(rest).length === 0
  return isPlain ? answer.status : answer.text
}

/** What a role may not, in plain text: the object of the policy. Of anything else its text. */
function forbiddenOf(answer: RawAnswer): unknown {
  const isPlain = answer.status === 403 && typeOf(answer) === 'text/plain'
  return isPlain && answer.text === 'unauthorized. Access Denied' ? answer.headers['x-rbac-object'] : answer.text
}

describe('schemas', () => {
  const FAMILIES = 'kubernetes azure kubernetesfile sql trivy aws file githubactions azuredevops'
  const NAMES = [
    ...'playbook canary canary.spec topology topology.spec scrape_config scrape_config.spec'.split(' '),
    ...'incident-rules logging_config'.split(' '),
    ...FAMILIES.split(' ').map((family) => `config_${family}`),
    ...'http tcp dns icmp exec folder postgres redis'.split(' ').map((type) => `health_${type}`),
  ]

  it.each(NAMES)('of %s are there, to whoever is signed in', async (name) => {
    const schema = bodyOf(await get(`/schemas/${name}.schema.json`, 'viewer'), 200)
    expect(schema).toMatchObject({ $schema: expect.any(String) as string, type: 'object' })
  })

  it.each([
    // Of the real one; here no spec of theirs is written.
    'connection',
    'component',
    'component.spec',
    'notification',
    // Which its console asks for, and which is not there either.
    'config_scraper.spec',
  ])('of %s are not', async (name) => {
    // Plain text there.
    expect(refusalOf(await get(`/schemas/${name}.schema.json`))).toBe(404)
  })
})

describe('playbooks', () => {
  const OFFERED = { id: 'uuid', name: 'text', parameters: 'list' } as const satisfies Shape
  const STARTED = { run_id: 'uuid', starts_at: 'time' } as const satisfies Shape
  const RESULT = { args: 'list', path: 'text', stderr: 'text', stdout: 'text', exitCode: 'number' } as const
  const SPEC = {
    title: 'Echo',
    parameters: [
      { name: 'who', label: 'Who', required: true },
      { name: 'path', label: 'Path', default: '{{.config.name}}' },
      { name: 'size', type: 'list', properties: { options: [{ label: 'Small', value: 's' }] } },
    ],
    configs: [{ types: ['File'] }],
    checks: [{ types: ['http'] }],
    actions: [
      {
        name: 'hello',
        exec: { script: 'echo hello $who; echo warn >&2', env: [{ name: 'who', value: '{{.params.who}}' }] },
      },
    ],
  }
  let configId: string
  let checkId: string
  let id: string
  let runId: string

  async function createPlaybook(spec: object): Promise<string> {
    const name = `playbook-${randomUUID()}`
    const made = rowOf(await post('/db/playbooks', { name, title: name, source: 'UI', spec }), 201)
    return String(made['id'])
  }

  const COLUMNS =
    'status,error,scheduled_time,start_time,end_time,playbook_run_actions(name,status,error,start_time,end_time,scheduled_time,result)'
  interface Run {
    readonly status: string
    readonly error: string | null
    readonly playbook_run_actions: readonly Record<string, unknown>[]
  }
  /** The run with its actions, as soon as it is in this state. */
  const runIn = async (of: string, status: string): Promise<Run> => {
    let run: Run | undefined
    await eventually(async () => {
      run = rowOf(await get(`/db/playbook_runs?id=eq.${of}&select=${COLUMNS}`), 200) as Run & Record<string, unknown>
      expect(run.status).toBe(status)
    })
    if (!run) throw new Error('no run')
    expectShape(run, {
      status: 'text',
      error: 'text?',
      scheduled_time: 'time',
      start_time: 'time?',
      end_time: 'time?',
      playbook_run_actions: 'list',
    })
    for (const action of run.playbook_run_actions) {
      expectShape(action, {
        name: 'text',
        error: 'text?',
        result: 'object?',
        status: 'text',
        end_time: 'time?',
        start_time: 'time?',
        scheduled_time: 'time',
      })
    }
    return run
  }
  const start = async (spec: object): Promise<string> =>
    String(bodyOf(await post('/playbook/run', { id: await createPlaybook(spec) }), 201)['run_id'])

  beforeAll(async () => {
    configId = await insert('config_items', { name: 'checkout', type: 'File', config_class: 'Config', config: {} })
    const agent = await insert('agents', { name: 'playbooks' })
    const canary = await insert('canaries', { name: 'c', namespace: 'east', spec: {}, agent_id: agent })
    checkId = await insert('checks', {
      canary_id: canary,
      agent_id: agent,
      type: 'http',
      name: 'front',
      status: 'healthy',
    })
    id = await createPlaybook(SPEC)
  })

  it('are offered for a check and for an item, to a viewer, too', async () => {
    for (const [query, who] of [
      [`check_id=${checkId}`, 'admin'],
      [`config_id=${configId}`, 'admin'],
      [`check_id=${checkId}`, 'viewer'],
    ] as const) {
      const [offered, ...others] = listOf(await get(`/playbook/list?${query}`, who), 200)
      expect(others).toEqual([])
      expectShape(offered, OFFERED)
    }
  })

  it('are offered for exactly one thing that is there', async () => {
    expect(refusalOf(await get('/playbook/list'))).toBe(400)
    expect(refusalOf(await get(`/playbook/list?check_id=${randomUUID()}`))).toBe(404)
    // The real one answers with an internal error.
    expect(refusalOf(await get('/playbook/list?check_id=nope'))).toBe(400)
  })

  it('fill in what they know of their parameters', async () => {
    const filled = bodyOf(await post(`/playbook/${id}/params`, { id, config_id: configId }), 200)
    expectShape(filled, { params: 'list' })
    expect(filled).toMatchObject({ params: [{ name: 'who' }, { name: 'path', default: 'checkout' }, { name: 'size' }] })
    const unknown = randomUUID()
    expect(refusalOf(await post(`/playbook/${unknown}/params`, { id: unknown, config_id: configId }))).toBe(404)
  })

  it('start: 201 with a run that ends, and what it printed', async () => {
    const started = bodyOf(await post('/playbook/run', { id, config_id: configId, params: { who: 'world' } }), 201)
    expectShape(started, STARTED)
    runId = String(started['run_id'])
    const { error, playbook_run_actions: actions } = await runIn(runId, 'completed')
    expect(error).toBeNull()
    expect(actions).toMatchObject([{ name: 'hello', status: 'completed', error: null }])
    expectShape(actions[0]?.['result'], RESULT)
    expect(actions[0]?.['result']).toMatchObject({ stdout: 'hello world', stderr: 'warn', exitCode: 0 })
  })

  it.each([
    // The real one answers the first two with internal errors.
    ['a required parameter that is missing', () => ({ id, config_id: configId, params: {} }), 400],
    ['an unknown parameter', () => ({ id, config_id: configId, params: { who: 'a', nope: 'b' } }), 400],
    ['a parameter that is no text', () => ({ id, config_id: configId, params: { who: 3 } }), 400],
    ['two resources', () => ({ id, config_id: configId, check_id: checkId, params: { who: 'a' } }), 400],
    ['no playbook that there is', () => ({ id: randomUUID() }), 404],
    ['no id', () => ({}), 400],
    ['no JSON', () => '{nope', 400],
  ])('do not start with %s', async (_what, body, status) => {
    expect(refusalOf(await post('/playbook/run', body()))).toBe(status)
  })

  it('are started by neither a viewer nor a responder', async () => {
    for (const who of ['viewer', 'responder'] as const)
      expect(forbiddenOf(await post('/playbook/run', { id, config_id: configId, params: { who: 'a' } }, who))).toBe(
        'playbooks',
      )
  })

  it('are followed by the id of their run', async () => {
    expectShape(bodyOf(await get(`/playbook/run/${runId}`), 200), {
      id: 'uuid',
      playbook_id: 'uuid',
      status: 'text',
      spec: 'object',
      created_at: 'time',
      start_time: 'time',
      scheduled_time: 'time',
      created_by: 'uuid',
      config_id: 'uuid',
      parameters: 'object',
      end_time: 'time',
      agent_id: 'uuid?',
    })
    expect(refusalOf(await get(`/playbook/run/${randomUUID()}`))).toBe(404)
    const row = rowOf(
      await get(
        `/db/playbook_runs?id=eq.${runId}&select=id,status,error,parameters,start_time,end_time,scheduled_time,created_at,config_id,agent_id`,
      ),
      200,
    )
    expect(row).toMatchObject({ id: runId, parameters: { who: 'world', path: 'checkout' } })
    const action = rowOf(await get(`/db/playbook_run_actions?playbook_run_id=eq.${runId}&order=start_time`), 200)
    expectShape(action, {
      id: 'uuid',
      name: 'text',
      status: 'text',
      playbook_run_id: 'uuid',
      start_time: 'time?',
      scheduled_time: 'time',
      end_time: 'time?',
      result: 'object?',
      is_pushed: 'flag',
      agent_id: 'uuid?',
      error: 'text?',
      // Ours.
      retry_count: 'number',
    })
  })

  it('fail by the exit code of a step, and are not started by a broken spec', async () => {
    const failed = await runIn(
      await start({ actions: [{ name: 'bad', exec: { script: 'echo before; exit 3' } }] }),
      'failed',
    )
    expect(failed.playbook_run_actions).toMatchObject([
      { name: 'bad', status: 'failed', result: { stdout: 'before', stderr: '', exitCode: 3 } },
    ])
    const late = await runIn(
      await start({ actions: [{ name: 'sleeps', timeout: '200ms', exec: { script: 'sleep 30' } }] }),
      'failed',
    )
    expect(late.playbook_run_actions).toMatchObject([{ name: 'sleeps', status: 'failed', result: { exitCode: -1 } }])
    const broken = randomUUID()
    await insert('playbooks', {
      id: broken,
      name: broken,
      title: broken,
      source: 'UI',
      spec: { actions: [{ name: 'a', nonsense: {} }] },
      created_by: adminId,
    })
    const run = await runIn(String(bodyOf(await post('/playbook/run', { id: broken }), 201)['run_id']), 'failed')
    expect(run).toMatchObject({
      error: expect.stringContaining('spec is invalid') as string,
      start_time: null,
      playbook_run_actions: [],
    })
  })

  it('sleep until a delayed step is due, and can be cancelled', async () => {
    const sleeping = await start({ actions: [{ name: 'later', delay: '1h' }] })
    await runIn(sleeping, 'sleeping')
    // The real one takes whatever is written to the row; ours has a call for it, which also ends what runs.
    const cancelled = await call('PATCH', `/db/playbook_runs?id=eq.${sleeping}&select=status`, { status: 'cancelled' })
    expect({ status: cancelled.status, type: typeOf(cancelled) }).toEqual({ status: 403, type: 'text/plain' })
    expect((await post(`/playbook/run/cancel/${sleeping}`)).status).toBe(200)
    await runIn(sleeping, 'cancelled')
  })

  it('wait for approval, by those who may', async () => {
    // It still goes on when the second approval comes.
    const spec = { actions: [{ name: 'go', exec: { script: 'sleep 3' } }] }
    const waiting = await start({ ...spec, approval: { type: 'any', approvers: { people: [editorEmail] } } })
    await runIn(waiting, 'pending')
    expect(refusalOf(await post(`/playbook/run/approve/${waiting}`))).toBe(403)
    const approve = () => post(`/playbook/run/approve/${waiting}`, undefined, 'editor')
    for (const approved of [await approve(), await approve()])
      expect(bodyOf(approved, 200)).toEqual({ message: 'playbook run approved' })
    // The real one writes a row each time.
    expectShape(rowOf(await get(`/db/playbook_approvals?run_id=eq.${waiting}`), 200), {
      id: 'uuid',
      run_id: 'uuid',
      person_id: 'uuid?',
      team_id: 'uuid?',
      created_at: 'time',
      // Ours: of a step that two people confirm.
      action_id: 'uuid?',
    })
    await runIn(waiting, 'completed')
    expect(refusalOf(await post(`/playbook/run/approve/${runId}`, undefined, 'editor'))).toBe(400)
  })

  it('have events and a schema', async () => {
    expect(bodyOf(await get('/playbook/events'), 200)).toEqual({})
    const schema = bodyOf(await get('/schemas/playbook-spec.schema.json'), 200)
    // The real one says the same with references to parts of itself.
    expect(schema).toMatchObject({ $schema: expect.any(String) as string, type: 'object' })
  })

  it('hear no webhook that nobody has', async () => {
    const answer = await backend.call('/playbook/webhook/nope', { method: 'POST', body: {} })
    // Anyone is "Not logged in" at the real one; here the playbook of an address says who may call it, and there is none.
    expect(answer.status).toBe(404)
  })

  it('start by a webhook, with what its caller sent', async () => {
    const path = `deploy-${randomUUID()}`
    const playbook = await createPlaybook({
      on: { webhook: { path, authentication: { basic: { username: 'ci', password: 'of-the-hook' } } } },
      actions: [{ name: 'wait', delay: '1ms' }],
    })
    const send = (authorization?: string) =>
      backend.call(`/playbook/webhook/${path}`, {
        method: 'POST',
        headers: authorization === undefined ? {} : { authorization },
        body: { ref: 'main' },
      })
    const basic = (password: string) => `Basic ${Buffer.from(`ci:${password}`).toString('base64')}`
    expect([refusalOf(await send()), refusalOf(await send(basic('wrong')))]).toEqual([403, 401])
    expect(bodyOf(await send(basic('of-the-hook')), 200)).toEqual({ message: 'ok' })
    const run = rowOf(await get(`/db/playbook_runs?playbook_id=eq.${playbook}&select=id,created_by,request`), 200)
    expectShape(run, { id: 'uuid', created_by: 'null', request: 'object' })
    expect(run['request']).toMatchObject({ content: { ref: 'main' } })
  })
})

describe('scrapers and integrations', () => {
  const LAST_JOB = {
    job_name: 'text?',
    job_success_count: 'number?',
    job_error_count: 'number?',
    job_details: 'object?',
    job_hostname: 'text?',
    job_duration_millis: 'number?',
    job_resource_type: 'text?',
    job_status: 'text?',
    job_time_start: 'time?',
    job_time_end: 'time?',
    job_created_at: 'time?',
    job_last_failed: 'time?',
  } as const satisfies Shape
  let id: string

  beforeAll(async () => {
    id = await insert('config_scrapers', {
      name: 'files',
      spec: { schedule: '@every 1h' },
      source: 'ConfigFile',
      agent_id: await insert('agents', { name: 'scrapers' }),
    })
  })

  it('scrapers with their last job', async () => {
    const row = rowOf(await get(`/db/config_scrapers_with_status?select=*&id=eq.${id}`), 200)
    expect(row['id']).toBe(id)
    expectShape(row, {
      id: 'uuid',
      description: 'text?',
      name: 'text',
      spec: 'object',
      source: 'text',
      created_by: 'uuid?',
      agent_id: 'uuid',
      created_at: 'time',
      updated_at: 'time?',
      deleted_at: 'time?',
      is_pushed: 'flag',
      ...LAST_JOB,
      agent: 'object',
    })
  })

  it('integrations of every kind, with who made them', async () => {
    const row = rowOf(await get(`/db/integrations_with_status?id=eq.${id}`), 200)
    expect(row['integration_type']).toBe('scrapers')
    expectShape(row, {
      id: 'uuid',
      name: 'text',
      description: 'text?',
      integration_type: 'text',
      source: 'text',
      agent_id: 'uuid',
      created_at: 'time',
      updated_at: 'time?',
      deleted_at: 'time?',
      created_by: 'uuid?',
      ...LAST_JOB,
      agent: 'object',
      creator_name: 'text?',
      creator_avatar: 'text?',
      creator_title: 'text?',
      creator_email: 'text?',
      // Ours: log backends have one.
      namespace: 'text?',
    })
  })

  it('a scrape says what it found, and is a row of the job history', async () => {
    const folder = join(backend.dataDirectory, 'sources', 'contract')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'one.yaml'), 'id: one\nname: One\n')
    const scraper = await insert('config_scrapers', {
      name: 'contract',
      spec: {
        schedule: '0 0 29 2 *',
        file: [{ format: 'yaml', icon: 'file', paths: ['contract'], id: '$.id', name: '$.name', type: 'Contract' }],
      },
    })
    // It was begun when it was saved, too, and nothing runs twice at once.
    const ran = await eventually(async () => bodyOf(await post(`/config/run/${scraper}`), 200))
    expect(ran).toMatchObject({ status: 'SUCCESS', errors: [] })
    expect(Object.keys(ran)).toEqual(['status', 'errors', 'scrape_summary'])
    const [newest] = listOf(await get(`/db/job_history?resource_id=eq.${scraper}&order=time_start.desc&limit=1`), 200)
    expect(newest).toMatchObject({
      resource_type: 'config_scraper',
      status: 'SUCCESS',
      details: { scrape_summary: {} },
    })
    const item = rowOf(await get('/db/configs?type=eq.Contract&select=name,type,config_class'), 200)
    expect(item).toMatchObject({ name: 'One', type: 'Contract' })
  })

  it('a scrape of nothing is not found', async () => {
    expect(bodyOf(await post(`/config/run/${randomUUID()}`), 404)).toMatchObject({
      message: expect.any(String) as string,
    })
  })
})

describe('connections', () => {
  const testOf = async (type: string, url: string): Promise<RawAnswer> => {
    const id = await insert('connections', {
      name: `c-${randomUUID()}`,
      namespace: 'default',
      type,
      url,
      username: 'u',
      password: 'p',
    })
    return post(`/connection/test/${id}`)
  }

  it('say whether they work', async () => {
    const port = await listen(createServer((_request, response) => void response.end('OK')))
    expect(bodyOf(await testOf('http', `http://127.0.0.1:${port}`), 200)).toMatchObject({ message: 'ok' })
    // The real one says "Internal error." and nothing of the reason.
    expect(refusalOf(await testOf('http', 'http://127.0.0.1:1'))).toBe(400)
    expect(refusalOf(await testOf('nothing-known', ''))).toBe(501)
    expect(refusalOf(await post(`/connection/test/${randomUUID()}`))).toBe(404)
  })

  it('take no second name, and are listed without what is secret', async () => {
    const body = { name: `c-${randomUUID()}`, type: 'http', namespace: 'default', source: 'UI', created_by: adminId }
    expect((await post('/db/connections', body)).status).toBe(201)
    const again = bodyOf(await post('/db/connections', body), 409)
    expectShape(again, { code: 'text', details: 'text', hint: 'text?', message: 'text' })
    expect(again).toMatchObject({ code: '23505' })
    expectShape(rowOf(await get(`/db/connections_list?name=eq.${body.name}`), 200), {
      id: 'uuid',
      name: 'text',
      namespace: 'text',
      type: 'text',
      category: 'text',
      created_by: 'uuid',
      created_at: 'time',
      updated_at: 'time',
    })
  })
})

describe('notifications', () => {
  it('a silence is made without a word, and is a row', async () => {
    const agent = await insert('agents', { name: 'silences' })
    const canary = await insert('canaries', { name: 's', namespace: 'east', spec: {}, agent_id: agent })
    const made = await post('/notification/silence', {
      resource_type: 'canary',
      canary_id: canary,
      from: 'now',
      until: 'now+1h',
      description: 'maintenance',
      recursive: false,
    })
    expect({ status: made.status, text: made.text }).toEqual({ status: 200, text: '' })
    expectShape(rowOf(await get(`/db/notification_silences?select=*&canary_id=eq.${canary}`), 200), {
      id: 'uuid',
      namespace: 'text?',
      description: 'text?',
      from: 'time',
      until: 'time',
      recursive: 'flag',
      config_id: 'uuid?',
      check_id: 'uuid?',
      canary_id: 'uuid?',
      component_id: 'uuid?',
      source: 'text',
      created_by: 'uuid',
      created_at: 'time',
      updated_at: 'time',
      deleted_at: 'time?',
    })
  })

  it.each([
    ['no resource', { from: 'now', until: 'now+1h' }],
    ['an end before its beginning', { check_id: NIL_UUID, from: 'now+2h', until: 'now+1h' }],
    // The real one closes the connection, and answers what is no JSON with an internal error.
    ['a date that is none', { check_id: NIL_UUID, from: 'nope', until: 'now+1h' }],
    ['no JSON', '{nope'],
  ])('a silence with %s is refused', async (_what, body) => {
    expect(refusalOf(await post('/notification/silence', body))).toBe(400)
  })

  it('a silence of no length is taken', async () => {
    const canary = await insert('canaries', { name: 'instant', namespace: 'east', spec: {} })
    const made = await post('/notification/silence', { canary_id: canary, from: 'now', until: 'now' })
    expect({ status: made.status, text: made.text }).toEqual({ status: 200, text: '' })
    const { from, until } = rowOf(await get(`/db/notification_silences?canary_id=eq.${canary}`), 200)
    expect(from).toBe(until)
  })

  it('have no events of their own', async () => {
    expect(bodyOf(await get('/notification/events'), 200)).toEqual({})
  })
})

describe('people', () => {
  it('are invited, listed, changed and removed', async () => {
    const email = `inv-${randomUUID()}@example.org`
    const invited = await post('/auth/invite_user', { firstName: 'In', lastName: 'Vited', email, role: 'viewer' })
    // The real one was recorded without a mail server: an internal error, and yet the account was there.
    expect(invited.status).toBe(200)
    const again = await post('/auth/invite_user', { firstName: 'In', lastName: 'Vited', email, role: 'viewer' })
    expect(refusalOf(again)).toBe(409)
    expect(refusalOf(await post('/auth/invite_user', '{nope'))).toBe(400)
    expect(
      forbiddenOf(
        await post(
          '/auth/invite_user',
          { firstName: 'a', lastName: 'b', email: 'c@example.org', role: 'admin' },
          'viewer',
        ),
      ),
    ).toBe('auth')
    const { id } = rowOf(await get(`/db/people_roles?email=eq.${email}`), 200) as { id: string }

    const role = await post(`/rbac/${id}/update_role`, { roles: ['editor'] })
    expect(bodyOf(role, 200)).toEqual({ message: 'Role updated successfully' })
    // Accepted there.
    expect(refusalOf(await post(`/rbac/${id}/update_role`, { roles: ['emperor'] }))).toBe(400)

    const updated = bodyOf(
      await post('/people/update', { id, firstName: 'New', lastName: 'Name', email, roles: ['viewer'] }),
      200,
    )
    expect(updated).toEqual({ email, name: { first: 'New', last: 'Name' } })
    expect((await post('/people/update', { id: 'nope' })).status).toBe(400)

    // Without two columns of the identity service’s own, which no console reads.
    expectShape(rowOf(await get(`/db/identities?limit=1&select=*&id=eq.${id}`), 200), {
      id: 'uuid',
      schema_id: 'text',
      traits: 'object',
      created_at: 'time',
      updated_at: 'time',
      nid: 'uuid?',
      state: 'text',
      state_changed_at: 'time',
      metadata_public: 'object?',
      metadata_admin: 'object?',
    })
    const removed = await call('DELETE', `/people/${id}`)
    expect({ status: removed.status, text: removed.text }).toEqual({ status: 204, text: '' })
    expect(rowOf(await get(`/db/people?id=eq.${id}`), 200)).toMatchObject({
      deleted_at: expect.stringMatching(TIME) as string,
    })
  })

  it('have a policy that can be read', async () => {
    const rules = listOf(await get('/rbac/dump'), 200)
    expect(rules.length).toBeGreaterThan(10)
    for (const rule of rules) {
      const { deny, ...rest } = rule
      expectShape(rest, { subject: 'text', object: 'text', action: 'text' })
      expect([undefined, true]).toContain(deny)
    }
  })

  it('take a kubeconfig with a token of their own along', async () => {
    const file = await get('/kubeconfig')
    expect({ status: file.status, type: typeOf(file) }).toEqual({ status: 200, type: 'text/yaml' })
    for (const key of ['apiVersion: v1', 'clusters:', 'contexts:', 'current-context: default', 'users:'])
      expect(file.text).toContain(key)
  })
})

describe('topology', () => {
  /** What is false or empty is left out beyond these. */
  const NODE = {
    id: 'uuid',
    topology_id: 'uuid',
    agent_id: 'uuid',
    external_id: 'text',
    name: 'text',
    namespace: 'text',
    status: 'text',
    health: 'text',
    description: 'text?',
    status_reason: 'text?',
    type: 'text',
    summary: 'object',
    created_at: 'time',
    updated_at: 'time',
  } as const satisfies Shape
  const ANSWER = { components: 'list?', healthStatuses: 'list', teams: 'list', tags: 'object?', types: 'list' } as const
  const MORE = { cursor: 'where the next question may start' } as const
  const WEB_PROPERTIES = [
    { name: 'memory', value: 80, max: 100, unit: 'bytes' },
    { name: 'docs', links: [{ url: 'http://127.0.0.1/', label: 'docs' }] },
  ]
  let id: string

  beforeAll(async () => {
    const name = `shop-${randomUUID()}`
    const spec = {
      type: 'Shop',
      icon: 'server',
      schedule: '@every 5m',
      components: [
        {
          name: 'Web',
          type: 'Service',
          labels: { tier: '1' },
          properties: WEB_PROPERTIES,
        },
        { name: 'Jobs', type: 'Service' },
      ],
    }
    id = String(rowOf(await post('/db/topologies', { name, namespace: 'default', source: 'UI', spec }), 201)['id'])
  })

  it('nothing is known of what is not there', async () => {
    for (const query of [`?id=${randomUUID()}`, '?id=nope']) {
      const answer = bodyOf(await get(`/canary/api/topology${query}`), 200)
      const nothing = { components: null, healthStatuses: [], teams: [], tags: null, types: [] }
      expect(answer).toEqual({ ...nothing, cursor: expect.any(String) as string })
    }
    expect(refusalOf(await post(`/canary/run/topology/${randomUUID()}`))).toBe(404)
  })

  it('runs now, and is then a tree', async () => {
    // It was begun when it was saved, too, and nothing runs twice at once.
    const ran = await eventually(async () => bodyOf(await post(`/canary/run/topology/${id}`), 200))
    expect(ran).toEqual({ count: expect.stringMatching(/^\d+$/) as string, status: 'ok', errors: [] })
    const tree = bodyOf(await get('/canary/api/topology'), 200)
    expectShape(tree, ANSWER, MORE)
    const root = (tree['components'] as Record<string, unknown>[]).find(({ topology_id: of }) => of === id)
    expectShape(
      root,
      { ...NODE, icon: 'text', components: 'list' },
      { children: 'everything below, for the graph', topology_type: 'the kind of page that it is' },
    )
  })

  it('is a list of rows', async () => {
    const columns =
      'id,name,type,status,health,status_reason,summary,parent_id,path,properties,is_leaf,hidden,owner,labels,cost_total_30d'
    const read = async () => rowOf(await get(`/db/components?topology_id=eq.${id}&name=eq.Web&select=${columns}`), 200)
    await eventually(async () => expect((await read())['summary']).not.toBeNull())
    expect((await read())['properties']).toEqual(WEB_PROPERTIES)
    expectShape(await read(), {
      id: 'uuid',
      name: 'text',
      type: 'text',
      status: 'text',
      health: 'text?',
      status_reason: 'text?',
      summary: 'object',
      parent_id: 'uuid?',
      path: 'text',
      properties: 'list?',
      is_leaf: 'flag',
      hidden: 'flag',
      owner: 'text?',
      labels: 'object?',
      cost_total_30d: 'number?',
    })
    const hidden = await call('PATCH', `/db/components?topology_id=eq.${id}&name=eq.Jobs&select=hidden`, {
      hidden: true,
    })
    expect(rowOf(hidden, 200)).toEqual({ hidden: true })
    expect(hidden.headers['content-range']).toBe('0-0/*')
  })

  it.each([
    ['flattened by type', 'flatten=true&type=Service'],
    ['by health', 'status=unhealthy'],
    ['by labels', 'labels=tier=1'],
  ])('%s has the same keys', async (_what, query) => {
    const answer = bodyOf(await get(`/canary/api/topology?${query}`), 200)
    expect(Array.isArray(answer['types'])).toBe(true)
    expectShape(answer, ANSWER, MORE)
  })
})

describe('logs and snapshots', () => {
  it('logs are of a component that there is', async () => {
    expect(refusalOf(await post('/logs', {}))).toBe(400)
    // The real one answers with an internal error.
    expect(refusalOf(await post('/logs', { id: randomUUID() }))).toBe(404)
  })

  it('logs of a component are lines, newest first', async () => {
    const folder = join(backend.dataDirectory, 'logs', 'contract')
    mkdirSync(folder, { recursive: true })
    const [first, second] = [120_000, 60_000].map((agoMs) => new Date(Date.now() - agoMs).toISOString())
    writeFileSync(join(folder, 'a.log'), `${first} began\n${second} ended\n`)
    const place = { file: { path: ['contract/*.log'], labels: { site: 'harbour' }, routes: [{ type: 'Contract' }] } }
    const saved = await post('/db/logging_backends', { name: 'contract', source: 'UI', spec: { backends: [place] } })
    expect(saved.status, saved.text).toBe(201)
    const id = await insert('components', {
      name: 'Logged',
      external_id: 'logged',
      type: 'Contract',
      status: 'healthy',
      log_selectors: [{ name: 'all' }],
    })
    const lines = await eventually(async () => {
      const { results, ...rest } = bodyOf(await post('/logs', { id, name: 'all' }), 200)
      expect(Object.keys(rest).filter((key) => !['total', 'nextPage'].includes(key))).toEqual([])
      expect(results).toHaveLength(2)
      return results as Record<string, unknown>[]
    })
    for (const line of lines) expectShape(line, { id: 'text', timestamp: 'time', message: 'text', labels: 'object' })
    expect(lines.map(({ message }) => String(message).split(' ').at(-1))).toEqual(['ended', 'began'])
    expect(lines[0]?.['labels']).toMatchObject({ site: 'harbour' })
  })

  it('a snapshot is an archive of CSV files', async () => {
    const incident = rowOf(
      await post('/db/incidents', {
        title: 'Down',
        description: '',
        type: 'availability',
        severity: 'High',
        status: 'open',
        created_by: adminId,
      }),
      201,
    )
    const snapshot = await get(`/snapshot/incident/${String(incident['id'])}`)
    expect({ status: snapshot.status, type: typeOf(snapshot) }).toEqual({ status: 200, type: 'application/zip' })
    expect(readZip(snapshot.bytes).some(({ name }) => name.endsWith('.csv'))).toBe(true)
  })
})
