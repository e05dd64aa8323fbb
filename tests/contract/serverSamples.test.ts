// Holds the embedded backend to what the real server was seen to answer: status, type of content, keys and types of each endpoint
// that we serve. Bodies are ours. Where we differ on purpose, the expectation says why.
import { randomUUID } from 'node:crypto'

import { NIL_UUID } from '@watchroom/shared/kernel'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import {
  type BackendAnswer,
  type BackendCall,
  startEmbeddedBackend,
  type TestBackend,
} from '#support/embeddedBackend.ts'
import { insertRow } from '#support/insertRow.ts'
import { expectShape, rowOf, type Shape, TIME, typeOf } from '#support/wireShape.ts'

let backend: TestBackend
let database: Client
let admin: Record<string, string>
let viewer: Record<string, string>
let adminId: string
let viewerId: string

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  database = new Client({ connectionString: backend.databaseUrl })
  await database.connect()
  const people = [await backend.createPerson('admin'), await backend.createPerson('viewer')] as const
  adminId = people[0].id
  viewerId = people[1].id
  const basic = ({ email, password }: { email: string; password: string }) => ({
    authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
  })
  admin = basic(people[0])
  viewer = basic(people[1])
})
afterAll(async () => {
  await database?.end()
  await backend?.stop()
})

const call = (path: string, options: BackendCall = {}): Promise<BackendAnswer> =>
  backend.call(path, { ...options, headers: { ...admin, prefer: 'return=representation', ...options.headers } })
const post = (path: string, body: unknown): Promise<BackendAnswer> => call(path, { method: 'POST', body })
const PLAYBOOK = {
  id: 'uuid',
  namespace: 'text',
  name: 'text',
  title: 'text',
  icon: 'text',
  description: 'text?',
  spec: 'object',
  created_by: 'uuid',
  source: 'text',
  category: 'text',
  created_at: 'time',
  updated_at: 'time',
  deleted_at: 'time?',
} as const satisfies Shape
const CONNECTION = {
  id: 'uuid',
  name: 'text',
  namespace: 'text',
  type: 'text',
  url: 'text',
  source: 'text',
  username: 'text',
  password: 'text',
  certificate: 'text?',
  properties: 'object?',
  insecure_tls: 'flag',
  created_by: 'uuid',
  created_at: 'time',
  updated_at: 'time',
  deleted_at: 'time?',
} as const satisfies Shape
const TOPOLOGY = {
  id: 'uuid',
  agent_id: 'uuid',
  name: 'text',
  namespace: 'text',
  labels: 'object?',
  source: 'text',
  spec: 'object',
  created_at: 'time',
  updated_at: 'time',
  is_pushed: 'flag',
  schedule: 'text?',
  created_by: 'uuid',
  deleted_at: 'time?',
} as const satisfies Shape
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
const JOB = {
  id: 'uuid',
  agent_id: 'uuid',
  name: 'text',
  success_count: 'number',
  error_count: 'number',
  details: 'object?',
  hostname: 'text?',
  duration_millis: 'number?',
  resource_type: 'text?',
  resource_id: 'text?',
  status: 'text',
  time_start: 'time',
  time_end: 'time?',
  created_at: 'time?',
  is_pushed: 'flag',
} as const satisfies Shape

describe('tables', () => {
  it('playbooks: a new row comes back whole', async () => {
    const body = {
      name: `book-${randomUUID()}`,
      title: 'Echo',
      icon: 'exec',
      category: 'Samples',
      spec: { actions: [{ name: 'echo', exec: { script: 'echo' } }] },
      source: 'UI',
      created_by: adminId,
    }
    const made = rowOf(await post('/db/playbooks?select=*', body), 201)
    expectShape(made, PLAYBOOK)
    expect(made['spec']).toEqual(body.spec)
  })

  it('connections: a new row comes back whole, without its password', async () => {
    const body = {
      name: `c-${randomUUID()}`,
      type: 'http',
      url: 'http://127.0.0.1/',
      username: 'u',
      password: 'a-secret',
      namespace: 'default',
      source: 'UI',
      created_by: adminId,
    }
    const made = rowOf(await post('/db/connections?select=*', body), 201)
    expectShape(made, CONNECTION)
    // The real server gives passwords back; here they have left the row.
    expect(made['password']).toBe('***')
    const list = `/db/connections_list?id=eq.${String(made['id'])}`
    // There everyone reads the names; here who may choose recipients from them.
    expect((await call(list, { headers: viewer })).status).toBe(403)
  })

  it('topologies: created, shown with their last job, and deleted softly', async () => {
    const body = {
      name: `t-${randomUUID()}`,
      namespace: 'default',
      spec: { components: [] },
      source: 'UI',
      created_by: adminId,
    }
    const made = rowOf(await post('/db/topologies?select=*', body), 201)
    expectShape(made, TOPOLOGY)
    const id = String(made['id'])
    expectShape(rowOf(await call(`/db/topologies_with_status?id=eq.${id}`), 200), {
      ...TOPOLOGY,
      ...LAST_JOB,
      agent: 'object',
    })
    const gone = await call(`/db/topologies?id=eq.${id}&select=deleted_at`, {
      method: 'PATCH',
      body: { deleted_at: 'now()' },
    })
    expectShape(rowOf(gone, 200), { deleted_at: 'time' })
    expect(gone.headers['content-range']).toBe('0-0/*')
  })

  it('notifications: created, summarised', async () => {
    const body = { title: 'n', events: ['check.failed'], person_id: adminId, source: 'UI', created_by: adminId }
    const made = rowOf(await post('/db/notifications?select=*', body), 201)
    expectShape(made, {
      id: 'uuid',
      name: 'text',
      namespace: 'text?',
      events: 'list',
      error: 'text?',
      title: 'text',
      template: 'text?',
      filter: 'text?',
      properties: 'object?',
      person_id: 'uuid',
      team_id: 'uuid?',
      repeat_interval: 'text?',
      wait_for: 'number?',
      group_by: 'list?',
      custom_services: 'list?',
      created_by: 'uuid',
      created_at: 'time',
      source: 'text',
      updated_at: 'time',
      deleted_at: 'time?',
    })
    expect(made['events']).toEqual(['check.failed'])
    const summary = rowOf(await call(`/db/notifications_summary?select=*&id=eq.${String(made['id'])}`), 200)
    expectShape(summary, {
      id: 'uuid',
      name: 'text',
      namespace: 'text?',
      title: 'text',
      events: 'list',
      filter: 'text?',
      person_id: 'uuid',
      team_id: 'uuid?',
      custom_services: 'list?',
      created_at: 'time',
      updated_at: 'time',
      created_by: 'uuid',
      source: 'text',
      repeat_interval: 'text?',
      pending: 'number',
      avg_duration_ms: 'number?',
      failed: 'number',
      sent: 'number',
      most_common_error: 'text?',
      last_activity: 'time?',
    })
  })

  it('a property that is set is answered with nothing but 201', async () => {
    const set = await backend.call('/db/properties', {
      method: 'POST',
      headers: admin,
      body: { name: `p-${randomUUID()}`, value: 'false', created_by: adminId },
    })
    expect({ status: set.status, text: set.text }).toEqual({ status: 201, text: '' })
  })

  it('jobs: a page of them is 206 where they are counted', async () => {
    await database.query(
      `insert into job_history (name, resource_type, hostname, status, success_count, error_count, time_start, time_end)
       select 'A job', 'canary', 'here', 'SUCCESS', 1, 0, now(), now() from generate_series(1, 2)`,
    )
    const answer = await call('/db/job_histories?limit=1&order=time_start.desc', { headers: { prefer: 'count=exact' } })
    expect(answer.headers['content-range']).toMatch(/^0-0\/\d+$/)
    expectShape(rowOf(answer, 206), {
      ...JOB,
      resource_name: 'text?',
      agent: 'object',
    })
  })

  it.each([
    ['/db/event_queue_summary?name=eq.nothing', 200],
    [`/db/checks_by_component?component_id=eq.${NIL_UUID}&select=*`, 200],
    [`/db/rpc/lookup_configs_by_component?id=${NIL_UUID}`, 200],
    [`/db/job_history?resource_id=eq.${NIL_UUID}&limit=1`, 200],
    [`/db/playbook_approvals?run_id=eq.${NIL_UUID}`, 200],
    [`/db/rpc/related_configs_recursive?config_id=${NIL_UUID}&type_filter=all&max_depth=5`, 200],
  ])('%s: nothing is an empty list', async (path, status) => {
    const answer = await call(path)
    expect({ status: answer.status, type: typeOf(answer), text: answer.text }).toEqual({
      status,
      type: 'application/json',
      text: '[]',
    })
    expect(answer.headers['content-range']).toBe('*/*')
  })

  it('event queue: what waits and what failed, by name', async () => {
    const name = `sample-${randomUUID()}`
    // Neither is due for an hour: the consumer at work here is done at once with what nobody handles.
    for (const error of ['no route', null])
      await insertRow(database, 'event_queue', {
        name,
        properties: { error },
        error,
        delay: 3_600e9,
        attempts: error === null ? 0 : 3,
        last_attempt: error === null ? null : new Date(),
      })
    const row = rowOf(await call(`/db/event_queue_summary?name=eq.${name}&order=last_failure.desc`), 200)
    expectShape(row, {
      name: 'text',
      pending: 'number',
      failed: 'number',
      average_attempts: 'number',
      first_failure: 'time',
      last_failure: 'time',
      most_common_error: 'text',
    })
    expect(row).toMatchObject({ pending: 2, failed: 1, average_attempts: 1.5, most_common_error: 'no route' })
  })

  it('job history of one resource, newest first', async () => {
    const resource = randomUUID()
    await database.query(
      `insert into job_history (name, resource_type, resource_id, hostname, status, success_count, error_count, details,
         duration_millis, time_start, time_end)
       select 'Scraper', 'config_scraper', $1, 'here', 'SUCCESS', nth, 0, '{"scrape_summary": {"File": {"unchanged": 1}}}', 7,
         now() - nth * interval '1 minute', now() from generate_series(1, 3) as nth`,
      [resource],
    )
    const answer = await call(`/db/job_history?resource_id=eq.${resource}&order=time_start.desc&limit=2`)
    expect({ status: answer.status, range: answer.headers['content-range'] }).toEqual({ status: 200, range: '0-1/*' })
    const rows = answer.json() as Record<string, unknown>[]
    for (const row of rows) expectShape(row, { ...JOB, details: 'object', duration_millis: 'number' })
    expect(rows.map(({ success_count: count }) => count)).toEqual([1, 2])
  })

  it('a component: its checks, and the items that it is made of', async () => {
    // An agent’s: nothing here runs or syncs them.
    const agent = await insertRow(database, 'agents', { name: `linked-${randomUUID()}` })
    const of = { agent_id: agent }
    const canary = await insertRow(database, 'canaries', { ...of, name: 'linked', namespace: 'east', spec: {} })
    const CHECK = { type: 'http', name: 'front door', severity: 'high', status: 'healthy' }
    const check = await insertRow(database, 'checks', { ...of, ...CHECK, canary_id: canary })
    const item = await insertRow(database, 'config_items', {
      ...of,
      name: 'front-door',
      type: 'Kubernetes::Pod',
      config_class: 'Pod',
    })
    onTestFinished(async () => void (await database.query('delete from config_items where id = $1', [item])))
    const component = await insertRow(database, 'components', {
      ...of,
      name: 'Front',
      external_id: 'front',
      type: 'Service',
      status: 'healthy',
    })
    const link = { component_id: component, selector_id: 'manual' }
    await insertRow(database, 'check_component_relationships', { ...link, check_id: check, canary_id: canary })
    await insertRow(database, 'config_component_relationships', { ...link, config_id: item })

    const ownCheck = rowOf(await call(`/db/checks_by_component?component_id=eq.${component}&select=*`), 200)
    expect(ownCheck).toEqual({ component_id: component, id: check, ...CHECK })
    const ownItem = rowOf(await call(`/db/rpc/lookup_configs_by_component?id=${component}`), 200)
    // The type is its class.
    const shown = { config_id: item, name: 'front-door', type: 'Pod', icon: null, role: 'left', deleted_at: null }
    expect(ownItem).toEqual(shown)
  })
})

describe('people and access', () => {
  it('people and their roles', async () => {
    const found = rowOf(await call(`/db/people_roles?id=eq.${viewerId}`), 200)
    expect(found['roles']).toContain('viewer')
    expectShape(found, {
      id: 'uuid',
      name: 'text',
      email: 'text',
      roles: 'list',
    })
    expectShape(rowOf(await call(`/db/people?id=eq.${viewerId}`), 200), {
      id: 'uuid',
      name: 'text',
      avatar: 'text?',
      type: 'text?',
      team_id: 'uuid?',
      organization: 'text?',
      title: 'text?',
      email: 'text',
      phone: 'text?',
      properties: 'object?',
      external_id: 'text?',
      created_at: 'time',
      updated_at: 'time?',
      deleted_at: 'time?',
      last_login: 'time?',
    })
  })

  it('who am I', async () => {
    const answer = await call('/auth/whoami')
    expect(answer.status).toBe(200)
    const { message, payload } = answer.json() as { message: string; payload: Record<string, unknown> }
    expect(message).toBe('success')
    expect(payload).toMatchObject({ user: { id: adminId }, roles: expect.arrayContaining(['admin']) as unknown })
    expect(payload['permissions']).toEqual(
      expect.arrayContaining([
        { subject: 'everyone', object: 'database.kratos', action: '*', deny: true },
        { subject: 'admin', object: '*', action: '*' },
      ]),
    )
    const ofViewer = (await call('/auth/whoami', { headers: viewer })).json() as { payload: typeof payload }
    expect(ofViewer.payload['permissions']).toContainEqual({ subject: 'viewer', object: 'canaries', action: 'read' })
  })

  it('agents: 201 with a token of five parts, and its row', async () => {
    const name = `ag-${randomUUID()}`
    const made = await post('/agent/generate', { name, properties: { a: 'b' } })
    expect(made.status).toBe(201)
    expectShape(made.json(), { id: 'uuid', username: 'text', access_token: 'text' })
    expect((made.json() as { access_token: string }).access_token.split('.')).toHaveLength(5)
    expectShape(
      rowOf(await call(`/db/agents_summary?name=eq.${name}`), 200),
      {
        id: 'uuid',
        name: 'text',
        hostname: 'text?',
        description: 'text?',
        ip: 'text?',
        version: 'text?',
        username: 'text?',
        person_id: 'uuid',
        properties: 'object',
        tls: 'text?',
        created_by: 'uuid?',
        created_at: 'time',
        updated_at: 'time',
        cleanup: 'flag',
        deleted_at: 'time?',
        last_seen: 'time?',
        last_received: 'time?',
        config_count: 'number?',
        config_scrapper_count: 'number?',
        checks_count: 'number?',
        playbook_runs_count: 'number?',
      },
      { clock_skew_ms: 'how far an agent’s clock is off', queued_results: 'what an agent has not sent yet' },
    )
    // Our answer says what it is; the real one is an internal error.
    const again = await post('/agent/generate', { name, properties: {} })
    expect(again.status).toBe(409)
    expectShape(again.json(), { error: 'text', message: 'text' })
  })

  it('properties, merged, for everyone', async () => {
    const answer = await call('/properties', { headers: viewer })
    expect({ status: answer.status, type: typeOf(answer) }).toEqual({ status: 200, type: 'application/json' })
    expect(Array.isArray(answer.json())).toBe(true)
  })
})

describe('catalog', () => {
  const WINDOW = { since: '7d' }
  const SUMMARY = {
    health: 'object?',
    created_at: 'time',
    updated_at: 'time',
    count: 'number',
  } as const satisfies Shape
  const CHANGE = {
    agent_id: 'uuid',
    external_change_id: 'text',
    id: 'uuid',
    config_id: 'uuid',
    change_type: 'text',
    severity: 'text',
    source: 'text',
    summary: 'text',
    created_at: 'time',
    count: 'number',
    first_observed: 'time',
    name: 'text',
    type: 'text',
  } as const satisfies Shape
  let id: string

  beforeAll(async () => {
    const { rows } = await database.query<{ id: string }>(
      `insert into config_items (config_class, type, name, health) values ('Config', 'Sample', 'sample', 'unknown') returning id`,
    )
    id = rows[0]?.id ?? ''
    await database.query(
      `insert into config_changes (config_id, external_change_id, change_type, severity, source, summary)
       select $1, 'change-' || n, 'PlaybookScheduled', 'info', 'Playbook', 'Playbook: sample-echo'
       from generate_series(1, 2) as n`,
      [id],
    )
  })
  afterAll(async () => {
    await database.query('delete from config_items where id = $1', [id])
  })

  it('summary by type, with cost, changes and insights', async () => {
    const body = { groupBy: ['type'], filter: {}, cost: '30d', changes: WINDOW, analysis: WINDOW }
    const answer = await post('/catalog/summary', body)
    expect({ status: answer.status, type: typeOf(answer) }).toEqual({ status: 200, type: 'application/json' })
    const row = (answer.json() as { type: string }[]).find(({ type }) => type === 'Sample')
    expectShape(
      row,
      { type: 'text', ...SUMMARY, cost_30d: 'number?', changes: 'number', analysis: 'object' },
      { cost_total_30d: 'the name that its console reads' },
    )
    expect(row).toMatchObject({ health: { unknown: 1 }, count: 1, cost_30d: null, changes: 2, analysis: {} })
  })

  it('summary by what is no column: a tag, which nothing has', async () => {
    const byClass = await post('/catalog/summary', { groupBy: ['config_class', 'type'] })
    expect(byClass.status).toBe(200)
    for (const row of byClass.json() as object[]) expectShape(row, { config_class: 'null', type: 'text', ...SUMMARY })
    expectShape(rowOf(await post('/catalog/summary', { groupBy: ['nope'] }), 200), { nope: 'null', ...SUMMARY })
  })

  it('changes of an item, and of all', async () => {
    const summary = { PlaybookScheduled: 2 }
    const some = { summary: expect.objectContaining(summary) as unknown, total: expect.any(Number) as unknown }
    for (const [body, expected] of [
      [
        { id, recursive: 'none', page: 1, page_size: 20, sort_by: '-created_at' },
        { summary, total: 2 },
      ],
      // The product has a catalog of itself, and finds changes there.
      [{ from: 'now-2d', page: 1, page_size: 2, sort_by: '-created_at' }, some],
    ] as const) {
      const answer = await post('/catalog/changes', body)
      expect({ status: answer.status, type: typeOf(answer) }).toEqual({ status: 200, type: 'application/json' })
      const { changes, ...rest } = answer.json() as { changes: unknown[] }
      expect(rest).toEqual(expected)
      expect(changes).toHaveLength(2)
      for (const change of changes) expectShape(change, CHANGE)
    }
    const none = await call(`/catalog/changes?id=${id}&type=diff`)
    expect({ status: none.status, type: typeOf(none), text: none.text }).toEqual({
      status: 200,
      type: 'application/json',
      text: '{}',
    })
  })

  it.each([
    ['summary', { groupBy: ['type'], changes: { since: 'nope' } }, /^changes since is invalid: .*nope/],
    ['changes', { from: 'now', to: 'now-2d' }, /^bad request: 'from' must be before 'to'$/],
    // The real one has no bounds: 1,000 is ours.
    ['changes', { page_size: 5_000 }, /^bad request: page_size: /],
    ['changes', { summary: 5 }, /^bad request: summary: /],
    [
      'changes',
      { sort_by: 'nope' },
      /^bad request: invalid 'sort_by' param: nope. allowed sort fields are: name, change_type, summary, source, created_at, count$/,
    ],
    [
      'changes',
      { id: NIL_UUID, recursive: 'sideways' },
      /^bad request: 'recursive' must be one of upstream, downstream, none, all$/,
    ],
  ])('%s of %j is refused with the reason', async (path, body, reason) => {
    const answer = await post(`/catalog/${path}`, body)
    expect({ status: answer.status, type: typeOf(answer) }).toEqual({ status: 400, type: 'application/json' })
    expectShape(answer.json(), { error: 'text' })
    expect((answer.json() as { error: string }).error).toMatch(reason)
  })

  it('an item with its counts', async () => {
    const columns =
      'id,name,type,config_class,status,health,labels,tags,properties,path,parent_id,summary,components,created_at,updated_at,last_scraped_time,cost_total_30d'
    const answer = await call(`/db/config_detail?id=eq.${id}&select=${columns}`)
    const row = rowOf(answer, 200)
    expect(answer.headers['content-range']).toBe('0-0/*')
    expectShape(row, {
      id: 'uuid',
      name: 'text',
      type: 'text',
      config_class: 'text',
      status: 'text?',
      health: 'text?',
      labels: 'object?',
      tags: 'object?',
      properties: 'list?',
      path: 'text?',
      parent_id: 'uuid?',
      summary: 'object',
      components: 'list?',
      created_at: 'time',
      updated_at: 'time',
      last_scraped_time: 'time?',
      cost_total_30d: 'number?',
    })
    expect(row['summary']).toEqual({ relationships: 0, analysis: 0, changes: 2, playbook_runs: 0, checks: 0 })
  })

  it('related items: the item itself with its changes, and what it is linked to', async () => {
    const other = await insertRow(database, 'config_items', { name: 'beside', type: 'Sample', config_class: 'Config' })
    onTestFinished(async () => void (await database.query('delete from config_items where id = $1', [other])))
    await insertRow(database, 'config_relationships', { config_id: id, related_id: other, relation: 'Uses' })
    const answer = await call(`/db/rpc/related_configs_recursive?config_id=${id}&type_filter=all&max_depth=5`)
    expect({ status: answer.status, range: answer.headers['content-range'] }).toEqual({ status: 200, range: '0-1/*' })
    const rows = answer.json() as Record<string, unknown>[]
    for (const row of rows)
      expectShape(row, {
        id: 'uuid',
        name: 'text',
        type: 'text',
        related_ids: 'list?',
        tags: 'object?',
        changes: 'list?',
        analysis: 'list?',
        cost_per_minute: 'number?',
        cost_total_1d: 'number?',
        cost_total_7d: 'number?',
        cost_total_30d: 'number?',
        created_at: 'time',
        updated_at: 'time',
        deleted_at: 'time?',
        agent_id: 'uuid',
        health: 'text?',
        ready: 'flag?',
        status: 'text?',
        path: 'text?',
      })
    expect(new Set(rows.map(({ id: of }) => of))).toEqual(new Set([id, other]))
    expect(rows.find(({ id: of }) => of === id)).toMatchObject({
      related_ids: [other],
      changes: [{ change_type: 'PlaybookScheduled', severity: 'info', total: 2 }],
    })
  })
})

describe('search', () => {
  const FOUND = { id: 'uuid', agent: 'uuid', name: 'text', namespace: 'text', type: 'text' } as const satisfies Shape

  it('of what was asked for, with tags where there are some; kinds without a find are left out', async () => {
    await database.query(
      `insert into config_items (config_class, type, name, tags) values ('File', 'File', 'checkout', null), ('File', 'File', 'checks', '{"a":"b"}')`,
    )
    const found = await post('/resources/search', {
      limit: 5,
      configs: [{ search: 'check' }],
      components: [{ name: 'nothing-is-called-like-this' }],
    })
    expect({ status: found.status, type: typeOf(found) }).toEqual({ status: 200, type: 'application/json' })
    const { configs, ...others } = found.json() as { configs: unknown[] }
    expect(others).toEqual({})
    expect(configs).toHaveLength(2)
    expectShape(configs[0], { ...FOUND, tags: 'object' })
    expectShape(configs[1], FOUND)
    const nothing = await post('/resources/search', {})
    expect({ status: nothing.status, text: nothing.text }).toEqual({ status: 200, text: '{}' })
  })

  it('of a viewer, of checks with their labels', async () => {
    const { rows } = await database.query<{ id: string }>(`insert into agents (name) values ('searched') returning id`)
    const canary = await database.query<{ id: string }>(
      `insert into canaries (name, namespace, spec, agent_id) values ('c', 'east', '{}', $1) returning id`,
      [rows[0]?.id],
    )
    await database.query(
      `insert into checks (canary_id, agent_id, type, name, labels, status) values ($1, $2, 'http', 'card payments', '{"team":"pay"}', 'healthy')`,
      [canary.rows[0]?.id, rows[0]?.id],
    )
    const body = { checks: [{ types: ['http'], agent: 'searched' }] }
    const found = await backend.call('/resources/search', { method: 'POST', headers: viewer, body })
    const { checks } = found.json() as { checks: unknown[] }
    expect(checks).toHaveLength(1)
    expectShape(checks[0], { ...FOUND, tags: 'object' }, { status: 'the palette says how a check is' })
  })
})

describe('refusals', () => {
  const refusalOf = ({ status, text, headers }: BackendAnswer) => ({
    status,
    text,
    type: typeOf({ headers } as BackendAnswer),
    object: headers['x-rbac-object'],
  })

  it.each([{}, { authorization: `Basic ${Buffer.from('nobody@example.org:wrong').toString('base64')}` }])(
    'nobody, and a wrong password, are 401 in plain text',
    async (headers) => {
      const { status, type, text } = refusalOf(await backend.call('/db/checks', { headers }))
      expect({ status, type, text }).toEqual({ status: 401, type: 'text/plain', text: 'Authorization Error' })
    },
  )

  it.each([
    ['garbage', 400, 'invalid access token'],
    ['a.b.1.1.1', 401, 'Unauthorized'],
  ])('a token that is none is 400 "invalid access token", one of five parts 401 (%s)', async (token, status, text) => {
    const headers = { authorization: `Basic ${Buffer.from(`token:${token}`).toString('base64')}` }
    expect(refusalOf(await backend.call('/db/checks', { headers }))).toMatchObject({ status, type: 'text/plain', text })
  })

  it('what a role may not is 403 in plain text; outside of the tables it says of what, and which action', async () => {
    const table = await call('/db/connections', { headers: viewer })
    expect(refusalOf(table)).toMatchObject({ status: 403, type: 'text/plain', text: 'unauthorized. Access Denied' })
    expect(table.headers['x-rbac-object']).toBeUndefined()
    const route = await backend.call('/agent/generate', { method: 'POST', headers: viewer, body: {} })
    expect(refusalOf(route)).toMatchObject({ status: 403, type: 'text/plain', text: 'unauthorized. Access Denied' })
    expect(route.headers).toMatchObject({
      'x-rbac-subject': viewerId,
      'x-rbac-object': 'agent',
      'x-rbac-action': 'update',
    })
  })

  describe('outside of the tables', () => {
    let agent: Record<string, string>
    beforeAll(async () => {
      const made = await post('/agent/generate', { name: 'may-nothing', properties: {} })
      const { access_token: token } = made.json() as { access_token: string }
      agent = { authorization: `Basic ${Buffer.from(`token:${token}`).toString('base64')}` }
    })

    it.each([
      ['POST', '/resources/search', 'catalog', 'read'],
      ['GET', '/kubeconfig', 'kubernetes-proxy', 'create'],
      ['GET', '/kubeproxy/api', 'kubernetes-proxy', 'read'],
      ['POST', `/config/run/${NIL_UUID}`, 'catalog', 'create'],
      ['GET', '/apm/search', 'logs', 'read'],
      ['GET', '/canary/api/summary', 'canaries', 'read'],
      ['POST', `/canary/run/check/${NIL_UUID}`, 'canaries', 'create'],
      ['POST', '/auth/invite_user', 'auth', 'update'],
      ['POST', `/rbac/${NIL_UUID}/update_role`, 'rbac', 'update'],
      ['GET', '/rbac/dump', 'rbac', 'read'],
      ['POST', '/people/update', 'people', 'update'],
      ['DELETE', `/people/${NIL_UUID}`, 'people', 'delete'],
      ['POST', '/agent/generate', 'agent', 'update'],
      ['POST', '/logs', 'logs', 'read'],
      ['POST', '/catalog/summary', 'catalog', 'read'],
      ['POST', '/catalog/changes', 'catalog', 'read'],
      ['GET', '/catalog/changes', 'catalog', 'read'],
      ['POST', `/connection/test/${NIL_UUID}`, 'connection', 'update'],
      ['POST', '/notification/silence', 'notification', 'create'],
      ['GET', '/notification/events', 'monitor', 'read'],
      ['GET', '/playbook/list', 'playbooks', 'read'],
      ['POST', `/playbook/${NIL_UUID}/params`, 'playbooks', 'run'],
      ['POST', '/playbook/run', 'playbooks', 'run'],
      ['GET', `/playbook/run/${NIL_UUID}`, 'playbooks', 'read'],
      ['POST', `/playbook/run/approve/${NIL_UUID}`, 'playbooks', 'approve'],
      ['GET', '/playbook/events', 'monitor', 'read'],
      ['GET', `/snapshot/topology/${NIL_UUID}`, 'topology', 'read'],
      ['GET', `/snapshot/incident/${NIL_UUID}`, 'topology', 'read'],
      ['GET', `/snapshot/config/${NIL_UUID}`, 'catalog', 'read'],
      ['GET', `/artifacts/download/${NIL_UUID}`, 'artifact', 'read'],
      ['GET', '/debug/loggers', 'monitor', 'update'],
    ])('a refusal of %s %s says that it is about %s, and the action is %s', async (method, path, object, action) => {
      const answer = await backend.call(path, { method, headers: agent })
      expect(refusalOf(answer)).toMatchObject({ status: 403, type: 'text/plain', text: 'unauthorized. Access Denied' })
      expect(answer.headers).toMatchObject({ 'x-rbac-object': object, 'x-rbac-action': action })
    })
  })

  it('a table that is not there is 404 without a word, a column that is not there 400 with PostgREST’s', async () => {
    const table = await call('/db/nope')
    expect({ status: table.status, text: table.text }).toEqual({ status: 404, text: '' })
    const column = await call('/db/checks?nope=eq.1')
    expect(column.status).toBe(400)
    expectShape(column.json(), { code: 'text', details: 'text?', hint: 'text?', message: 'text' })
    expect(column.json()).toMatchObject({ code: '42703' })
  })
})

describe('checks', () => {
  let checkId: string
  beforeAll(async () => {
    // One of this installation: those of agents are not run here.
    const { rows } = await database.query<{ id: string }>(`select id from checks where name = 'heap-and-rss'`)
    checkId = rows[0]?.id ?? ''
  })

  it('summary', async () => {
    const answer = await call('/canary/api/summary')
    expect({ status: answer.status, type: typeOf(answer) }).toEqual({ status: 200, type: 'application/json' })
    const body = answer.json() as { checks_summary: Record<string, unknown>[] }
    expectShape(
      body,
      { duration: 'number', runnerName: 'text', checks_summary: 'list' },
      { cursor: 'where the next question may start' },
    )
    for (const row of body.checks_summary) {
      const { id, canary_id: canaryId, canary_name: name, canary_namespace: namespace, uptime, latency, type } = row
      expectShape(
        { id, canaryId, name, namespace, uptime, latency, type },
        {
          id: 'uuid',
          canaryId: 'uuid',
          name: 'text',
          namespace: 'text',
          uptime: 'object',
          latency: 'object',
          type: 'text',
        },
      )
    }
    expect(body.checks_summary.length).toBeGreaterThan(0)
  })

  it('graph', async () => {
    const answer = await call(`/canary/api/graph?check=${checkId}&start=1h&count=3`)
    expect(answer.status).toBe(200)
    expectShape(answer.json(), {
      duration: 'number',
      runnerName: 'text',
      status: 'list?',
      latency: 'object',
      uptime: 'object',
    })
  })

  it('a graph of nothing is refused, where the real one draws an empty one', async () => {
    expect((await call('/canary/api/graph')).status).toBe(400)
  })

  it('run now, and of nothing', async () => {
    const ran = await call(`/canary/run/check/${checkId}`, { method: 'POST' })
    expect(ran.status).toBe(200)
    expect(ran.json()).toMatchObject({
      start: expect.stringMatching(TIME) as unknown,
      pass: expect.any(Boolean) as unknown,
    })
    const nothing = await call(`/canary/run/check/${randomUUID()}`, { method: 'POST' })
    expect(nothing.status).toBe(404)
    expectShape(nothing.json(), { error: 'text' })
  })

  it('about', async () => {
    const answer = await call('/canary/about')
    expect(answer.status).toBe(200)
    expectShape(
      answer.json(),
      { Timestamp: 'time', Version: 'text' },
      { programs: 'who may save what executes programs', can: 'what other backends cannot do' },
    )
  })
})
