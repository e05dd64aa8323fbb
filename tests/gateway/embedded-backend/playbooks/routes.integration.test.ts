// `/playbook/*` as the real server was seen to answer it (server samples), and what starts playbooks besides people.
import { createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'

import { ROLES, type Role } from '@watchroom/shared/access'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { ofAnyAgent } from '@watchroom/shared/resources'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { callTable } from '#support/incidentGateway.ts'
import { listen } from '#support/listen.ts'

let backend: TestBackend
let database: Client
const sessions = new Map<Role, Record<string, string>>()
let configId: string
let echo: string

const SPEC = {
  title: 'Echo',
  category: 'Samples',
  parameters: [
    { name: 'who', label: 'Who', required: true },
    { name: 'path', label: 'Path', default: '{{.config.name}}' },
    { name: 'size', type: 'list', properties: { options: [{ label: 'Small', value: 's' }] } },
  ],
  configs: [{ types: ['File'] }],
  actions: [{ name: 'wait', delay: '10ms' }],
}

const as = (role: Role): Record<string, string> => sessions.get(role) ?? {}
const ask = async (method: string, path: string, body?: unknown, headers = as('admin')) => {
  const answer = await backend.call(path, { method, headers, ...(body === undefined ? {} : { body }) })
  return { status: answer.status, headers: answer.headers, text: answer.text, json: () => answer.json() as never }
}

async function createPlaybook(spec: object, role: Role = 'editor'): Promise<string> {
  const name = `playbook-${randomUUID()}`
  const headers = { ...as(role), prefer: 'return=representation' }
  const body = { name, title: name, source: 'UI', spec }
  const answer = await backend.call('/db/playbooks', { method: 'POST', headers, body })
  expect(answer.status, answer.text).toBe(201)
  return (answer.json() as { id: string }[])[0]?.id ?? ''
}

const runsOf = (playbookId: string) => callTable(backend, `playbook_runs?playbook_id=eq.${playbookId}&order=id`)
const LATER = { timeout: 20_000, interval: 50 }

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  database = new Client({ connectionString: backend.databaseUrl })
  await database.connect()
  for (const role of ROLES) {
    const { email, password } = await backend.createPerson(role)
    sessions.set(role, await backend.signIn(email, password))
  }
  configId = randomUUID()
  await callTable(backend, 'config_items', {
    method: 'POST',
    body: { id: configId, name: 'checkout', type: 'File', config_class: 'File', config: {} },
  })
  echo = await createPlaybook(SPEC)
})
afterAll(async () => {
  await database?.end()
  await backend?.stop()
})

describe('GET /playbook/list', () => {
  it.each(ROLES)('names a %s the playbooks for a resource', async (role) => {
    const answer = await ask('GET', `/playbook/list?config_id=${configId}`, undefined, as(role))
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual([{ id: echo, name: expect.any(String) as string, parameters: SPEC.parameters }])
  })

  it.each([
    ['', 400, { error: 'provide exactly one of: config_id, check_id or component_id', message: 'invalid request' }],
    [`?check_id=${NIL_UUID}`, 404, { error: `check(id=${NIL_UUID}) not found` }],
  ])('asks for one resource: %s', async (query, status, body) => {
    expect(await ask('GET', `/playbook/list${query}`)).toMatchObject({ status, text: JSON.stringify(body) })
  })

  it.each([
    ['a name', { name: 'labelled' }, true],
    ['the beginning of a name', { name: 'label*' }, true],
    ['the end of a type', { types: ['*Record'] }, true],
    ['how a word begins', { search: 'label' }, true],
    ['labels, as Kubernetes writes them', { labelSelector: 'app in (shop, till),tier!=back,!old' }, true],
    ['tags', { tagSelector: 'site=north' }, true],
    ['agents of any name', { agent: 'all', types: ['DNS::Record'] }, true],
    ['another name', { name: 'unlabelled' }, false],
    ['another label', { labelSelector: 'app notin (shop)' }, false],
    ['what cannot be read', { name: 'labelled', labelSelector: 'a=b=c' }, false],
    ['nothing', {}, false],
  ])('offers a playbook for exactly what the run dialog finds by %s', async (_what, selector, isMeant) => {
    const id = randomUUID()
    const labels = { labels: { app: 'shop' }, tags: { site: 'north' } }
    const body = { id, name: 'labelled', type: 'DNS::Record', config_class: 'DNS', config: {}, ...labels }
    await callTable(backend, 'config_items', { method: 'POST', body })
    const playbookId = await createPlaybook({ ...SPEC, configs: [selector] })
    const listed = await ask('GET', `/playbook/list?config_id=${id}`)
    const found = await ask('POST', '/resources/search', { configs: ofAnyAgent([selector]) })
    const { configs = [] }: { configs?: { id: string }[] } = found.status === 200 ? found.json() : {}
    const isListed = (listed.json() as { id: string }[]).some((playbook) => playbook.id === playbookId)
    expect([isListed, configs.some((config) => config.id === id)]).toEqual([isMeant, isMeant])
    await callTable(backend, `playbooks?id=eq.${playbookId}`, { method: 'DELETE' })
    await callTable(backend, `config_items?id=eq.${id}`, { method: 'DELETE' })
  })

  it('takes no id that is none', async () => {
    expect(await ask('GET', '/playbook/list?check_id=nope')).toMatchObject({ status: 400 })
  })
})

describe('POST /playbook/{id}/params', () => {
  it('fills defaults in', async () => {
    const answer = await ask('POST', `/playbook/${echo}/params`, { id: echo, config_id: configId })
    expect(answer.status).toBe(200)
    const [who, path, size] = SPEC.parameters
    expect(answer.json()).toEqual({ params: [who, { ...path, default: 'checkout' }, size] })
  })

  it('knows no other playbook, and says which filter refuses', async () => {
    const unknown = await ask('POST', `/playbook/${NIL_UUID}/params`, { id: NIL_UUID, config_id: configId })
    expect(unknown).toMatchObject({
      status: 404,
      text: `{"error":"not found","message":"playbook(id=${NIL_UUID}) not found"}`,
    })
    const filtered = await createPlaybook({ ...SPEC, filters: ['config.name == "other"'] })
    const answer = await ask('POST', `/playbook/${filtered}/params`, { id: filtered, config_id: configId })
    expect(answer.status).toBe(400)
    expect(answer.json()).toEqual({ error: 'Playbook validation failed', message: 'config.name == "other" is false' })
  })
})

describe('POST /playbook/run', () => {
  const runAs = (role: Role) =>
    ask('POST', '/playbook/run', { id: echo, config_id: configId, params: { who: 'a' } }, as(role))

  it.each(['admin', 'editor'] as const)('starts a run for a %s', async (role) => {
    const answer = await runAs(role)
    expect(answer.status, answer.text).toBe(201)
    expect(answer.json()).toEqual({ run_id: expect.any(String) as string, starts_at: expect.any(String) as string })
  })

  it.each(['commander', 'responder', 'viewer'] as const)('is not for a %s', async (role) => {
    const answer = await runAs(role)
    expect(answer).toMatchObject({ status: 403, text: 'unauthorized. Access Denied' })
    expect(answer.headers['x-rbac-object']).toBe('playbooks')
  })

  it.each([
    ['no playbook', {}, 400, /playbook id is required/],
    ['a playbook that is not there', { id: NIL_UUID }, 404, new RegExp(`playbook '${NIL_UUID}' not found`)],
    ['two resources', { check_id: NIL_UUID, config_id: NIL_UUID }, 400, /provide none or exactly one of/],
    ['a resource that is not there', { config_id: NIL_UUID }, 404, /not found/],
    ['a parameter that is missing', { params: {} }, 400, /missing required parameter\(s\): who/],
    [
      'one that is unknown',
      { params: { who: 'a', nope: 'b' } },
      400,
      /unknown parameter\(s\): nope, valid parameters are: who, path, size/,
    ],
    ['one that is no text', { params: { who: 3 } }, 400, /params/],
    ['one that is no option', { params: { who: 'a', size: 'huge' } }, 400, /size: Must be one of the options/],
    ['an agent for the whole run', { agent_id: randomUUID() }, 400, /agent_id: no run as a whole is given to an agent/],
    ['no resource where there must be one', { config_id: null }, 400, /runs on config items: provide config_id/],
  ])('refuses %s', async (_what, body, status, error) => {
    const answer = await ask(
      'POST',
      '/playbook/run',
      Object.keys(body).length === 0 ? body : { id: echo, config_id: configId, ...body },
    )
    expect(answer.status).toBe(status)
    expect((answer.json() as { error: string }).error).toMatch(error)
  })

  it('runs on nothing but what the playbook is offered for', async () => {
    const [id, componentId] = [randomUUID(), randomUUID()]
    const body = { id, name: 'db', type: 'DNS::Record', config_class: 'DNS', config: {} }
    await callTable(backend, 'config_items', { method: 'POST', body })
    const component = { id: componentId, name: 'shop', type: 'Service', status: 'healthy', external_id: componentId }
    await callTable(backend, 'components', { method: 'POST', body: component })
    const refusal = async (path: string, target: object): Promise<unknown> => {
      const answer = await ask('POST', path, { id: echo, params: { who: 'a' }, ...target })
      return [answer.status, answer.json()]
    }
    const misfit = 'config_id: this playbook is not offered for it'
    expect(await refusal('/playbook/run', { config_id: id })).toEqual([400, { error: misfit }])
    const error = 'component_id: this playbook does not run on components'
    expect(await refusal('/playbook/run', { component_id: componentId })).toEqual([400, { error }])
    const failure = { error: 'Playbook validation failed', message: misfit }
    expect(await refusal(`/playbook/${echo}/params`, { config_id: id })).toEqual([400, failure])
    expect(await runsOf(echo)).not.toContainEqual(expect.objectContaining({ config_id: id }))
    await callTable(backend, `components?id=eq.${componentId}`, { method: 'DELETE' })
    await callTable(backend, `config_items?id=eq.${id}`, { method: 'DELETE' })
  })

  it('names in its parameters what is there and offered', async () => {
    const parameters = [
      { name: 'who', type: 'people' },
      { name: 'team', type: 'team' },
      { name: 'item', type: 'config', properties: { filter: [{ types: ['File'] }] } },
    ]
    const other = randomUUID()
    const body = { id: other, name: 'dns', type: 'DNS::Record', config_class: 'DNS', config: {} }
    await callTable(backend, 'config_items', { method: 'POST', body })
    const [person] = await callTable(backend, 'people?email=like.*test*&select=id&limit=1')
    const id = await createPlaybook({ parameters, actions: [{ name: 'wait', delay: '1ms' }] })
    const runWith = async (params: object) => {
      const answer = await ask('POST', '/playbook/run', { id, params })
      return answer.status === 201 ? 'ran' : (answer.json() as { error: string }).error
    }
    for (const name of ['who', 'team', 'item'])
      expect(await runWith({ [name]: randomUUID() })).toBe(`${name}: Must be one of those offered`)
    expect(await runWith({ item: other })).toBe('item: Must be one of those offered')
    expect(await runWith({ item: configId, who: String(person?.['id']) })).toBe('ran')
    await callTable(backend, `config_items?id=eq.${other}`, { method: 'DELETE' })
  })

  it('fills in what was not said, and the row tells', async () => {
    const started = await ask('POST', '/playbook/run', { id: echo, config_id: configId, params: { who: 'world' } })
    const { run_id: id } = started.json() as { run_id: string }
    const row = (await ask('GET', `/playbook/run/${id}`)).json() as Record<string, unknown>
    expect(row).toMatchObject({
      id,
      playbook_id: echo,
      config_id: configId,
      parameters: { who: 'world', path: 'checkout', size: '' },
    })
    expect(row['spec']).toMatchObject({ title: 'Echo' })
    await eventually(async () => {
      const changes = await callTable(backend, `config_changes?config_id=eq.${configId}&external_change_id=like.${id}*`)
      expect(changes.map(({ change_type: type }) => String(type)).toSorted()).toEqual([
        'PlaybookCompleted',
        'PlaybookScheduled',
        'PlaybookStarted',
      ])
    }, LATER)
    expect(await ask('GET', `/playbook/run/${NIL_UUID}`)).toMatchObject({ status: 404 })
    expect(await ask('POST', `/playbook/run/approve/${id}`)).toMatchObject({
      status: 400,
      text: '{"error":"this playbook does not require approval"}',
    })
  })

  it('ends a regular expression that does not', async () => {
    const id = await createPlaybook({
      parameters: [{ name: 'who', properties: { regex: '(a+)+b' } }],
      actions: [{ name: 'wait', delay: '1ms' }],
    })
    const answer = await ask('POST', '/playbook/run', { id, params: { who: 'a'.repeat(60) } })
    expect(answer.status).toBe(400)
    expect(answer.text).toMatch(/Must match|cannot be asked/)
    expect(await ask('POST', '/playbook/run', { id, params: { who: 'aab' } })).toMatchObject({ status: 201 })
  }, 20_000)
})

it('lets people only with the right cancel, retry, approve and confirm', async () => {
  const id = randomUUID()
  for (const role of ROLES) {
    const isAllowed = role === 'admin' || role === 'editor'
    for (const path of [`cancel/${id}`, `retry/${id}`, `approve/${id}`, `approve/${id}/${id}`, `confirm/${id}`]) {
      const { status } = await ask('POST', `/playbook/run/${path}`, undefined, as(role))
      expect([role, path, status]).toEqual([role, path, isAllowed ? 404 : 403])
    }
  }
})

it('has a schema for editors', async () => {
  const answer = await ask('GET', '/schemas/playbook-spec.schema.json', undefined, as('viewer'))
  expect(answer.status).toBe(200)
  expect(answer.json()).toMatchObject({ type: 'object', properties: { actions: { type: 'array' } } })
  expect(await ask('GET', '/playbook/events')).toMatchObject({ status: 200, text: '{}' })
})

describe('what is written to a playbook', () => {
  const saved = async (spec: unknown) => {
    const name = `judged-${randomUUID()}`
    const answer = await ask('POST', '/db/playbooks', { name, title: name, source: 'UI', spec })
    return { name, status: answer.status, message: (answer.json() as { message?: string }).message }
  }

  it.each([
    [{ timeout: 'soon' }, /^spec\.timeout: expected a duration such as/],
    [{ actions: [{ name: 'wait', delay: '1s', timeout: 'soon' }] }, /^spec\.actions\.0\.timeout: expected a duration/],
    [{ nonsense: 1 }, /^spec: .*nonsense/],
    [{ on: { schedule: 'often' } }, /^spec\.on\.schedule: expected a cron schedule/],
    [{ on: { canary: [{ event: 'exploded' }] } }, /^spec\.on\.canary\.0\.event: "exploded" is none of failed, passed$/],
    [{ filters: ['config.name =='] }, /^spec\.filters\.0: /],
  ])('is refused with its field: %j', async (more, message) => {
    const { name, ...refusal } = await saved({ actions: [{ name: 'wait', delay: '10ms' }], ...more })
    expect(refusal).toEqual({ status: 400, message: expect.stringMatching(message) as string })
    expect(await callTable(backend, `playbooks?name=eq.${name}`)).toEqual([])
  })

  it('is judged when it is edited, and not where the spec stays', async () => {
    const id = await createPlaybook(SPEC)
    const path = `/db/playbooks?id=eq.${id}`
    expect((await ask('PATCH', path, { spec: { ...SPEC, timeout: 'soon' } })).status).toBe(400)
    await database.query(`update playbooks set spec = spec || '{"timeout": "soon"}' where id = $1`, [id])
    expect((await ask('PATCH', path, { title: 'Renamed' })).status).toBe(204)
  })
})

it('lets nobody but an administrator save a script that values become text of', async () => {
  await database.query(`update watchroom_internal.program_rules set savers = 'editor'`)
  const spec = { actions: [{ name: 'raw', exec: { script: 'echo {{ params.x }}', raw: true } }] }
  const body = { name: 'raw', title: 'raw', source: 'UI', spec }
  expect(await ask('POST', '/db/playbooks', body, as('editor'))).toMatchObject({ status: 403 })
  expect(await ask('POST', '/db/playbooks', body, as('admin'))).toMatchObject({ status: 201 })
  await database.query(`update watchroom_internal.program_rules set savers = 'admin'`)
})

describe('a playbook', () => {
  const actions = [{ name: 'wait', delay: '1ms' }]
  const save = async (spec: object, path = 'playbooks', method = 'POST') => {
    const name = `playbook-${randomUUID()}`
    const body = method === 'POST' ? { name, title: name, source: 'UI', spec } : { spec }
    const answer = await ask(method, `/db/${path}`, body, { ...as('editor'), prefer: 'return=representation' })
    const said = answer.json() as { message?: string } | { id: string }[]
    return Array.isArray(said) ? said[0]?.id : [answer.status, said.message]
  }

  it('is not saved where a run would wait for ever for approval', async () => {
    const [viewer, editor] = [await backend.createPerson('viewer'), await backend.createPerson('editor')]
    const off = await backend.createPerson('editor')
    await database.query(`update watchroom_identity.identities set state = 'inactive' where id = $1`, [off.id])
    const team = `team ${randomUUID()}`
    const approve = (people: string[], teams: string[] = [], type = 'any') =>
      save({ actions, approval: { type, approvers: { people, teams } } })
    const refused = (names: string) => [
      400,
      `spec.approval.approvers: nobody here can approve as ${names}: they need an account, the right to run playbooks, and an address that is proved or confirmed`,
    ]
    for (const { email } of [viewer, off]) expect(await approve([email])).toEqual(refused(email))
    expect(await approve(['gone@example.org'], [team])).toEqual(refused(`gone@example.org, team ${team}`))
    const all = await approve([editor.email, 'gone@example.org'], [team], 'all')
    expect(all).toEqual(refused(`gone@example.org, team ${team}`))
    const enough = await approve(['gone@example.org', editor.email.toUpperCase()])
    expect(enough).toEqual(expect.any(String))
    await database.query(
      `with made as (insert into teams (name, created_by) values ($1, $2) returning id)
       insert into team_members (team_id, person_id) select id, $2 from made`,
      [team, editor.id],
    )
    expect(await approve([], [team], 'all')).toEqual(expect.any(String))
  })

  it('has the path of its webhook for itself', async () => {
    const webhook = (path: string) => ({ actions, on: { webhook: { path } } })
    const path = randomUUID()
    const first = await save(webhook(path))
    const taken = [400, expect.stringMatching(`^spec.on.webhook.path: ${path} is the path of the playbook playbook-`)]
    expect(await save(webhook(path))).toEqual(taken)
    const second = await save(webhook(`${path}-2`))
    expect(await save(webhook(path), `playbooks?id=eq.${String(second)}`, 'PATCH')).toEqual(taken)
    // Its own is no other's, and what was deleted has none.
    const own = await save({ ...webhook(path), timeout: '1m' }, `playbooks?id=eq.${String(first)}`, 'PATCH')
    expect(own).toBe(first)
    await database.query('update playbooks set deleted_at = now() where id = $1', [first])
    expect(await save(webhook(path), `playbooks?id=eq.${String(second)}`, 'PATCH')).toBe(second)
    await expect(database.query('update playbooks set deleted_at = null where id = $1', [first])).rejects.toThrow(path)
  })
})

describe('a webhook', () => {
  const hook = async (authentication: object | undefined, spec: object = {}) => {
    const path = `hook-${randomUUID()}`
    const webhook = { path, ...(authentication && { authentication }) }
    const id = await createPlaybook({ on: { webhook }, actions: [{ name: 'wait', delay: '1ms' }], ...spec })
    return {
      id,
      send: (body: string, headers: Record<string, string> = {}) =>
        backend.call(`/playbook/webhook/${path}`, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', ...headers },
        }),
    }
  }

  it('starts a run with what came, and without what proves the caller', async () => {
    const { id, send } = await hook({ basic: { username: 'ci', password: 'hook-hunter2' } })
    expect(await send('{}')).toMatchObject({ status: 403 })
    const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`ci:${password}`).toString('base64')}` })
    expect(await send('{}', basic('wrong'))).toMatchObject({ status: 401 })
    expect(await send('{"ref":"main"}', basic('hook-hunter2'))).toMatchObject({ status: 200, text: '{"message":"ok"}' })
    const rows = await runsOf(id)
    expect(rows).toMatchObject([{ created_by: null, request: { content: { ref: 'main' } } }])
    expect(JSON.stringify(rows)).not.toMatch(/hook-hunter2|authorization/)
  })

  it.each(['github', 'svix'] as const)('takes the signature of %s over the body as it came', async (kind) => {
    const key = Buffer.from('a-long-key-of-a-test')
    const secret = `whsec_${key.toString('base64')}`
    const { send } = await hook(kind === 'github' ? { github: { token: 'gh-token-1' } } : { svix: { secret } })
    const body = '{ "spaced" :  1 }'
    const at = String(Math.floor(Date.now() / 1_000))
    const sign = (text: string, time = at): Record<string, string> =>
      kind === 'github'
        ? { 'x-hub-signature-256': `sha256=${createHmac('sha256', 'gh-token-1').update(text).digest('hex')}` }
        : {
            'svix-id': 'm1',
            'svix-timestamp': time,
            'svix-signature': `v1,${createHmac('sha256', key).update(`m1.${time}.${text}`).digest('base64')}`,
          }
    expect(await send(body, sign(body))).toMatchObject({ status: 200 })
    expect(await send(body, sign('{}'))).toMatchObject({ status: 401 })
    expect(await send(body)).toMatchObject({ status: 403 })
    const isOldTaken = kind === 'github'
    expect((await send(body, sign(body, '1000'))).status).toBe(isOldTaken ? 200 : 401)
  })

  /** As Svix signs, for `send` of a hook. */
  const signedSends = (send: Awaited<ReturnType<typeof hook>>['send'], key: Buffer) => async (message: string) => {
    const at = Math.floor(Date.now() / 1_000)
    const signature = createHmac('sha256', key).update(`${message}.${at}.{}`).digest('base64')
    const signed = { 'svix-id': message, 'svix-timestamp': String(at), 'svix-signature': `v1,${signature}` }
    return (await send('{}', signed)).status
  }

  it('starts one run for a signed message, however often it comes', async () => {
    const key = Buffer.from('a-long-key-of-a-test')
    const { id, send } = await hook({ svix: { secret: `whsec_${key.toString('base64')}` } })
    const sendAs = signedSends(send, key)
    expect(await Promise.all([sendAs('m1'), sendAs('m1'), sendAs('m2')])).toEqual([200, 200, 200])
    expect(await sendAs('m1')).toBe(200)
    expect(await runsOf(id)).toHaveLength(2)
  })

  it('takes no signed message for started that could not start, also when it comes twice at once', async () => {
    const key = Buffer.from('a-long-key-of-a-test')
    const { id, send } = await hook({ svix: { secret: `whsec_${key.toString('base64')}` } })
    // As one that was saved before webhooks were refused what they never say.
    const parameters = [{ name: 'who', required: true }]
    await database.query(`update playbooks set spec = jsonb_set(spec, '{parameters}', $2) where id = $1`, [
      id,
      JSON.stringify(parameters),
    ])
    const sendAs = signedSends(send, key)
    expect(await Promise.all([sendAs('m1'), sendAs('m1')])).toEqual([400, 400])
    expect(await runsOf(id)).toEqual([])
  })

  it('takes no signature of an empty key, which anyone could make', async () => {
    const { send } = await hook({ svix: { secret: 'whsec_' } })
    const at = String(Math.floor(Date.now() / 1_000))
    const signature = createHmac('sha256', '').update(`m1.${at}.{}`).digest('base64')
    const signed = { 'svix-id': 'm1', 'svix-timestamp': at, 'svix-signature': `v1,${signature}` }
    expect(await send('{}', signed)).toMatchObject({ status: 401 })
  })

  it('takes a token that one of the keys at its address signed and that holds', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const stranger = await generateKeyPair('ES256')
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] }
    const port = await listen(createServer((_, response) => response.end(JSON.stringify(keys))))
    const { send } = await hook({ jwt: { jwksUri: `http://127.0.0.1:${port}/keys` } })
    const token = (expires: string, key = privateKey) =>
      new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: 'one' }).setExpirationTime(expires).sign(key)
    const sendWith = async (shown: string) => (await send('{}', { authorization: `Bearer ${shown}` })).status
    expect(await sendWith(await token('1m'))).toBe(200)
    const endless = await new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey)
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}.`
    for (const wrong of [await token('-1m'), await token('1m', stranger.privateKey), endless, unsigned, 'x'])
      expect(await sendWith(wrong)).toBe(401)
    expect(await send('{}')).toMatchObject({ status: 403 })
  })

  it('that nobody has is not found; one whose keys cannot be read stays shut', async () => {
    expect(await backend.call('/playbook/webhook/nope', { method: 'POST', body: {} })).toMatchObject({ status: 404 })
    const { send } = await hook({ jwt: { jwksUri: 'http://127.0.0.1:9/keys' } })
    const token = await new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('a'.repeat(32)))
    expect(await send('{}', { authorization: `Bearer ${token}` })).toMatchObject({ status: 401 })
  })
})

describe('what starts by itself', () => {
  it('follows a schedule, each moment once', async () => {
    const id = await createPlaybook({ on: { schedule: '@every 1s' }, actions: [{ name: 'wait', delay: '1ms' }] })
    await eventually(async () => expect((await runsOf(id)).length).toBeGreaterThan(2), {
      timeout: 25_000,
      interval: 200,
    })
    const { rows } = await database.query<{ moments: string; runs: string }>(
      `select (select count(*) from watchroom_internal.playbook_moments where playbook_id = $1) as moments,
         (select count(*) from playbook_runs where playbook_id = $1) as runs`,
      [id],
    )
    expect(rows[0]?.moments).toBe(rows[0]?.runs)
    await callTable(backend, `playbooks?id=eq.${id}`, { method: 'PATCH', body: { deleted_at: 'now()' } })
  }, 30_000)

  it('answers an event of a check that its filter takes', async () => {
    await callTable(backend, 'canaries', {
      method: 'POST',
      body: {
        name: 'estate',
        namespace: 'proof',
        source: 'UI',
        spec: { interval: 3_600, http: [{ name: 'dead', url: 'http://127.0.0.1:9/' }] },
      },
    })
    const on = (name: string) => ({ canary: [{ event: 'failed', filter: `check.name == "${name}"` }] })
    const [mine, other] = [
      await createPlaybook({ on: on('dead'), actions: [{ name: 'wait', delay: '1ms' }] }),
      await createPlaybook({ on: on('alive'), actions: [{ name: 'wait', delay: '1ms' }] }),
    ]
    const [check] = await eventually(async () => {
      const rows = await callTable(backend, 'checks?name=eq.dead&select=id')
      expect(rows).toHaveLength(1)
      return rows
    }, LATER)
    await eventually(
      async () => {
        await database.query(
          `select watchroom_internal.emit_event('check.failed', jsonb_build_object('id', $1::text))`,
          [check?.['id']],
        )
        // It may have been told more than once, by the check itself, too.
        const about = (await runsOf(mine)).map((run) => run['check_id'])
        expect(new Set(about)).toEqual(new Set([check?.['id']]))
      },
      { timeout: 25_000, interval: 1_000 },
    )
    expect(await runsOf(other)).toEqual([])
  }, 30_000)

  /** Playbooks are read anew every 10 s at most: a second one is known when the first that was saved after it is. */
  const untilKnown = async (raise: () => Promise<unknown>): Promise<string> => {
    const actions = [{ name: 'wait', delay: '1ms' }]
    const id = await createPlaybook({ on: { component: [{ event: 'unknown' }] }, actions })
    await eventually(
      async () => {
        await raise()
        expect((await runsOf(id)).length).toBeGreaterThan(0)
      },
      { timeout: 25_000, interval: 500 },
    )
    await callTable(backend, `playbooks?id=eq.${id}`, { method: 'PATCH', body: { deleted_at: 'now()' } })
    return id
  }
  const raise = (name: string, properties: object, id = randomUUID()) =>
    database.query('insert into event_queue (id, name, properties) values ($1, $2, $3) on conflict do nothing', [
      id,
      name,
      properties,
    ])
  const createComponent = async (): Promise<string> => {
    const id = randomUUID()
    await callTable(backend, 'components', {
      method: 'POST',
      body: { id, name: id, external_id: id, type: 'Service', status: 'healthy' },
    })
    return id
  }
  const isHandled = (id: string) =>
    eventually(async () => {
      const { rows } = await database.query('select error from event_queue where id = $1', [id])
      expect(rows).toEqual([])
    }, LATER)

  it('is started once by an event that comes back, and by one that a filter cannot be asked about', async () => {
    const component = await createComponent()
    const actions = [{ name: 'wait', delay: '1ms' }]
    const filter = 'component.labels.site == "north"'
    const unanswered = await createPlaybook({ on: { component: [{ event: 'warning', filter }] }, actions })
    const mine = await createPlaybook({ on: { component: [{ event: 'warning' }] }, actions })
    await untilKnown(() => raise('component.unknown', { id: component }))
    const event = randomUUID()
    for (let times = 0; times < 2; times += 1) {
      await raise('component.warning', { id: component }, event)
      await isHandled(event)
    }
    expect([(await runsOf(mine)).length, (await runsOf(unanswered)).length]).toEqual([1, 0])
  }, 60_000)

  it('is not started by what its own run changes', async () => {
    const actions = [{ name: 'say', delay: '1ms' }]
    const filter = 'request.change.change_type != "Ignored"'
    const id = await createPlaybook({ on: { config: [{ event: 'changed', filter }] }, actions })
    const component = await createComponent()
    await untilKnown(() => raise('component.unknown', { id: component }))
    const change = (type: string) =>
      callTable(backend, 'config_changes', {
        method: 'POST',
        body: { config_id: configId, external_change_id: randomUUID(), change_type: type, source: 'test' },
      })
    await change('Ignored')
    await change('Restarted')
    await eventually(async () => expect(await runsOf(id)).toMatchObject([{ status: 'completed' }]), LATER)
    // Its own changes have been seen: each was an event.
    await eventually(async () => {
      const { rows } = await database.query(
        `select change_type from config_changes where config_id = $1 and source = 'Playbook'`,
        [configId],
      )
      expect(rows.length).toBeGreaterThan(1)
      const left = await database.query(`select id from event_queue where name = 'config.changed'`)
      expect(left.rows).toEqual([])
    }, LATER)
    expect(await runsOf(id)).toHaveLength(1)
    await callTable(backend, `playbooks?id=eq.${id}`, { method: 'PATCH', body: { deleted_at: 'now()' } })
  }, 60_000)
})
