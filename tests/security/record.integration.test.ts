// What people did to the record over HTTP while the shared document refused it, asked over the running product.
import { setMaxListeners } from 'node:events'
import { request } from 'node:http'

import { type Role, ROLES } from '@watchroom/shared/access'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { Pool, type PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'
import { createIncident, signInPerson, type SignedInPerson, type TestIncident } from '#support/incidentGateway.ts'
import { until } from '#support/processes.ts'

import { STATEMENT_TIMEOUT_MS } from '../../gateway/src/embedded-backend/schema/grants.ts'
import { CALL_SLOTS } from '../../gateway/src/embedded-backend/server/databaseRoutes.ts'
import { PROXY_TIMEOUTS } from '../../gateway/src/proxy/forward.ts'

let backend: TestBackend
let gateway: RunningGateway
/** In front of the same backend, where nobody signs in. */
let openGateway: RunningGateway
let pool: Pool
let admin: SignedInPerson
let incident: TestIncident
const people = new Map<Role, SignedInPerson>()

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  const target = toGatewayBackend(backend)
  gateway = await startGateway({ backend: target })
  openGateway = await startGateway({ backend: target, env: { WATCHROOM_AUTH: 'none' } })
  pool = new Pool({ connectionString: backend.databaseUrl })
  for (const role of ROLES) people.set(role, await signInPerson(backend, role))
  admin = person('admin')
  incident = await createIncident(backend, admin.id)
})

afterAll(async () => {
  await pool?.end()
  await gateway?.stop()
  await openGateway?.stop()
  await backend?.stop()
})

function person(role: Role): SignedInPerson {
  const found = people.get(role)
  if (!found) throw new Error(`no ${role}`)
  return found
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly rows: Record<string, unknown>[]
}

interface Call {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

async function send(url: string, { method = 'GET', body, headers }: Call, session?: string): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      prefer: 'return=representation',
      ...(session === undefined ? {} : { 'x-session-token': session }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, text, rows: text.startsWith('[') ? (JSON.parse(text) as Answer['rows']) : [] }
}

const callAs = (role: Role, path: string, call: Call = {}): Promise<Answer> =>
  send(`${gateway.url}/api${path}`, call, person(role).session)
const callOpen = (path: string, call: Call = {}): Promise<Answer> =>
  send(`${openGateway.url}/api${path}`, { ...call, headers: { origin: openGateway.url, ...call.headers } })

const WRITERS = ROLES.filter((role) => role !== 'viewer')

describe('the history', () => {
  it.each(ROLES)('cannot be emptied, rewritten or added to by a %s', async (role) => {
    const path = `/db/incident_histories?incident_id=eq.${incident.id}`
    const before = await callAs('admin', path)
    expect(before.rows.length).toBeGreaterThan(0)
    const forged = { incident_id: incident.id, created_by: admin.id, type: 'incident.created' }
    const answers = [
      await callAs(role, path, { method: 'DELETE' }),
      await callAs(role, path, { method: 'PATCH', body: { description: 'nothing happened' } }),
      await callAs(role, '/db/incident_histories', { method: 'POST', body: forged }),
      await callAs(role, `/db/incidents?id=eq.${incident.id}`, { method: 'DELETE' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(await callAs('admin', path)).toEqual(before)
  })

  it('is still written by what people do, in their name', async () => {
    const made = await callAs('responder', '/db/hypotheses', {
      method: 'POST',
      body: { incident_id: incident.id, parent_id: incident.rootId, type: 'factor', title: 'x', status: 'possible' },
    })
    const path = `/db/incident_histories?hypothesis_id=eq.${String(made.rows[0]?.['id'])}&select=type,created_by`
    expect((await callAs('viewer', path)).rows).toEqual([
      { type: 'hypothesis.created', created_by: person('responder').id },
    ])
  })
})

describe('one call', () => {
  it.each(['PATCH', 'DELETE'])('cannot %s a whole table, whoever asks and by whatever door', async (method) => {
    for (const query of [
      '',
      '?&select=*',
      '?order;select=*',
      '?order=id&limit=1',
      '?select=*,x:created_by(id)&x.id=not.is.null',
    ]) {
      for (const table of ['incidents', 'comments', 'teams']) {
        const call = { method, body: { title: 'taken over' } }
        const answer = await callAs('admin', `/db/${table}${query}`, call)
        expect(answer.status, `${table}${query}: ${answer.text}`).toBe(400)
        const direct = await backend.callAsService(`/db/${table}${query}`, call)
        expect([direct.status, direct.text]).toEqual([400, expect.stringContaining('requires a filter')])
      }
    }
    const titles = await pool.query(`select 1 from incidents where title = 'taken over'`)
    expect(titles.rows).toEqual([])
  })

  it('retitles one incident, not all, whatever its filter matches', async () => {
    const other = await createIncident(backend, admin.id)
    const answer = await callAs('responder', '/db/incidents?id=not.is.null', {
      method: 'PATCH',
      body: { title: 'taken over' },
    })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('rows of one incident')])
    const one = await callAs('responder', `/db/incidents?id=eq.${other.id}`, {
      method: 'PATCH',
      body: { title: 'Late' },
    })
    expect(one).toMatchObject({ status: 200, rows: [{ title: 'Late' }] })
  })
})

describe('words', () => {
  const post = async (role: Role, comment: string, more: object = {}): Promise<Answer> =>
    callAs(role, '/db/comments', { method: 'POST', body: { incident_id: incident.id, comment, ...more } })

  it.each(WRITERS)('of a %s are theirs, whoever they say they are', async (role) => {
    for (const claimed of [admin.id, NIL_UUID, undefined]) {
      const made = await post(role, 'mine', { created_by: claimed, created_at: '9999-01-01' })
      expect(made).toMatchObject({ status: 201, rows: [{ created_by: person(role).id }] })
      expect(Date.parse(String(made.rows[0]?.['created_at']))).toBeLessThan(Date.parse('9000-01-01'))
    }
  })

  it('of an administrator are not rewritten or removed by a responder', async () => {
    const path = `/db/comments?id=eq.${String((await post('admin', 'as it was')).rows[0]?.['id'])}`
    const rewritten = await callAs('responder', path, { method: 'PATCH', body: { comment: 'as I like it' } })
    expect([rewritten.status, rewritten.text]).toEqual([403, expect.stringContaining('Only its author')])
    expect((await callAs('responder', path, { method: 'DELETE' })).status).toBe(403)
    expect((await callAs('viewer', path)).rows).toMatchObject([{ comment: 'as it was', created_by: admin.id }])
  })

  it('are not put into someone’s mouth by sending their row again', async () => {
    const [row] = (await post('admin', 'as it was')).rows
    const again = await callAs('responder', '/db/comments', {
      method: 'POST',
      body: { ...row, comment: 'as I like it' },
      headers: { prefer: 'resolution=merge-duplicates,return=representation' },
    })
    expect(again.status).toBe(403)
  })

  it('are some: blanks, NUL and halves of characters are refused in words', async () => {
    expect(await post('responder', ' \u200b\u3164 ')).toMatchObject({ status: 400 })
    expect((await post('responder', 'a\u0000b')).status).toBe(400)
    const half = `{"incident_id":"${incident.id}","comment":"a\\ud800"}`
    expect((await callAs('responder', '/db/comments', { method: 'POST', body: half })).status).toBe(400)
  })
})

describe('how long histories are kept', () => {
  it.each(['playbook.output.retention.age', 'check.status.retention.days', 'job.history.maxAge', 'Event_Queue.MaxAge'])(
    'is not shortened by an editor: %s',
    async (name) => {
      const path = `/db/properties?name=eq.${name}`
      const refusal = expect.stringContaining('they say how long records are kept') as string
      const add = (role: Role) => callAs(role, '/db/properties', { method: 'POST', body: { name, value: '1ms' } })
      expect(await add('editor')).toMatchObject({ status: 403, text: refusal })
      expect((await add('admin')).status).toBe(201)
      expect(await callAs('editor', path, { method: 'PATCH', body: { value: '1ns' } })).toMatchObject({ status: 403 })
      expect(await callAs('editor', path, { method: 'DELETE' })).toMatchObject({ status: 403 })
      expect((await callAs('admin', path, { method: 'DELETE' })).status).toBe(200)
      const other = { name: 'topology.disable', value: 'false' }
      expect((await callAs('editor', '/db/properties', { method: 'POST', body: other })).status).toBe(201)
      await callAs('editor', '/db/properties?name=eq.topology.disable', { method: 'DELETE' })
    },
  )
})

describe('who the gateway speaks for', () => {
  const callService = (path: string, headers: Record<string, string> = {}) => backend.callAsService(path, { headers })

  it('decides what its own credential opens, at every route', async () => {
    const editor = { 'x-watchroom-role': 'editor' }
    expect((await callService('/db/connections?limit=0')).status).toBe(200)
    expect((await callService('/db/connections?limit=0', editor)).status).toBe(403)
    expect((await callService('/db/people?select=id,connections(password)', editor)).status).toBe(403)
    expect((await callService('/snapshot/incident/x', { 'x-watchroom-role': 'nobody' })).status).toBe(403)
    expect((await callService('/db/people?limit=0', { 'x-watchroom-role': 'watchroom_service' })).status).toBe(403)
    const written = await backend.callAsService('/agent/generate', {
      method: 'POST',
      body: { name: 'by a viewer' },
      headers: { 'x-watchroom-role': 'viewer' },
    })
    expect(written.status).toBe(403)
    const history = { method: 'DELETE', headers: editor }
    expect((await backend.callAsService(`/db/incident_histories?id=eq.${NIL_UUID}`, history)).status).toBe(403)
  })

  it('is not said by anyone else, through the gateway or to the backend', async () => {
    const headers = { 'x-watchroom-role': 'admin', 'x-watchroom-actor': admin.id }
    expect((await callAs('viewer', '/db/connections?limit=0', { headers })).status).toBe(403)
    const direct = { headers: { 'x-session-token': person('viewer').session, ...headers } }
    expect((await backend.call('/db/connections?limit=0', direct)).status).toBe(403)
    const made = await callAs('responder', '/db/comments', {
      method: 'POST',
      body: { incident_id: incident.id, comment: 'mine' },
      headers,
    })
    expect(made.rows).toMatchObject([{ created_by: person('responder').id }])
    for (const hop of ['x-watchroom-role', 'connection, x-watchroom-role'])
      expect((await callHop(openGateway.url, '/api/db/connections?limit=0', hop)).status).toBe(403)
  })

  it('is an editor where nobody signs in: embeds lead no further than the tables', async () => {
    expect((await callOpen('/db/people?select=id,name&limit=1')).status).toBe(200)
    for (const path of [
      '/db/connections?limit=0',
      '/db/people?select=id,connections(password)',
      '/db/people?select=id,c:connections!connections_created_by_fkey(*)&limit=1',
      '/db/people?select=id,incidents!incidents_created_by_fkey(id,people!incidents_commander_id_fkey(connections(*)))',
      '/db/incident_rules?select=created_by(permissions!permissions_created_by_fkey(*))',
    ])
      expect([path, (await callOpen(path, { headers: { 'x-watchroom-role': 'admin' } })).status]).toEqual([path, 403])
    const flag = { method: 'POST', body: { name: 'open.flag', value: 'on' } }
    expect((await callOpen('/db/properties', flag)).status).toBe(201)
    const history = await callOpen(`/db/incident_histories?incident_id=eq.${incident.id}`, { method: 'DELETE' })
    expect(history.status).toBe(403)
  })
})

/** `fetch` keeps `connection` to itself. */
function callHop(url: string, path: string, connection: string): Promise<{ status: number }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers: { connection, 'x-watchroom-role': 'admin' } }, (response) => {
      response.resume()
      response.on('end', () => resolve({ status: response.statusCode ?? 0 }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('an embed', () => {
  it('that leads too far is refused by the backend itself, whoever calls it without the gateway', async () => {
    const headers = { 'x-session-token': person('viewer').session }
    const ask = async (select: string): Promise<number> =>
      (await backend.call(`/db/people?limit=0&select=${select}`, { headers })).status
    expect(await ask('id,connections(password)')).toBe(403)
    expect(await ask('a:teams(b:people(c:teams(d:people(e:teams(id)))))')).toBe(400)
  })
})

describe('errors of the database', () => {
  it('name columns and no values, and the log holds none either', async () => {
    const secret = `row-of-someone-${String(Date.now())}`
    await pool.query(`insert into teams (name, created_by) values ($1, $2)`, [secret, admin.id])
    const body = { name: secret, spec: { password: 'hunter2' } }
    const duplicate = await callAs('editor', '/db/teams', { method: 'POST', body })
    expect([duplicate.status, duplicate.text]).toEqual([409, expect.stringContaining('Key (name)=(…) already exists.')])
    const empty = await callAs('editor', '/db/teams', { method: 'POST', body: { name: null, icon: 'hunter2' } })
    expect([empty.status, empty.text]).toEqual([400, expect.stringContaining('Failing row contains (…).')])
    const cast = await callAs('viewer', `/db/teams?select=name::int&name=eq.${secret}`)
    expect([cast.status, cast.text]).toEqual([400, expect.not.stringContaining(secret)])
    for (const { text } of [duplicate, empty]) expect(text).not.toMatch(new RegExp(`${secret}|hunter2`))
  })

  it('are what the caller did wrong, at every route: a duplicate is a conflict, a NUL is a bad request', async () => {
    const generate = (name: string): Promise<Answer> =>
      callAs('admin', '/agent/generate', { method: 'POST', body: { name } })
    expect([(await generate('twin')).status, (await generate('twin')).status]).toEqual([201, 409])
    expect((await generate('a\u0000b')).status).toBe(400)
    expect((await callAs('admin', '/snapshot/incident/nonsense')).status).toBe(400)
    expect((await callAs('admin', '/canary/api/graph?check=nonsense')).status).toBe(400)
    expect((await callAs('admin', '/db/people?name=eq.%00')).status).toBe(400)
    const flow = (await backend.call('/kratos/self-service/login/api')).json() as { id: string }
    const login = await backend.call(`/kratos/self-service/login?flow=${flow.id}`, {
      method: 'POST',
      body: { method: 'password', identifier: 'a\u0000b', password: 'x' },
    })
    expect(login.status).toBe(400)
    const basic = { authorization: `Basic ${Buffer.from('a\u0000b:x').toString('base64')}` }
    expect((await backend.call('/properties', { headers: basic })).status).toBe(400)
  })
})

describe('a slow query', () => {
  /** Every read of a table waits as long as `work` takes. */
  async function whileLocked(table: string, work: (blocker: PoolClient) => Promise<void>): Promise<void> {
    const blocker = await pool.connect()
    try {
      await blocker.query('begin')
      await blocker.query(`lock table ${table} in access exclusive mode`)
      await work(blocker)
    } finally {
      await blocker.query('rollback')
      blocker.release()
    }
  }

  const running = async (): Promise<number> => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where application_name like 'watchroom-call %' and state = 'active'`,
    )
    return rows[0]?.count ?? 0
  }

  /** Past the gateway, which lets fewer calls of one person through. @returns the status; null when the caller left first */
  const askBackend = (path: string, session: string, signal: AbortSignal): Promise<number | null> =>
    new Promise((resolve) => {
      const headers = { 'x-session-token': session }
      const sent = request({ socketPath: backend.socketPath, path, headers, signal, agent: false }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? null)
      })
      sent.on('error', () => resolve(null))
      sent.end()
    })

  it('ends when the caller leaves', async () => {
    await whileLocked('saved_query', async () => {
      const leaving = new AbortController()
      const call = fetch(`${gateway.url}/api/db/saved_query`, {
        headers: { 'x-session-token': person('viewer').session },
        signal: leaving.signal,
      }).catch(() => null)
      await until(async () => (await running()) === 1, { what: 'the query to start' })
      leaving.abort()
      expect(await call).toBeNull()
      await until(async () => (await running()) === 0, { what: 'the query to end' })
    })
  })

  it('of one person stops nobody else, and not the look at who someone is', async () => {
    await whileLocked('saved_query', async () => {
      const leaving = new AbortController()
      setMaxListeners(60, leaving.signal)
      const calls = Array.from({ length: 60 }, () =>
        askBackend('/db/saved_query', person('viewer').session, leaving.signal),
      )
      await until(async () => (await running()) === CALL_SLOTS.perCaller, { what: 'the queries to start' })
      const other = await backend.createPerson('responder')
      const session = await backend.signIn(other.email, other.password)
      const answer = await send(`${gateway.url}/api/db/people?limit=1`, {}, session['x-session-token'])
      expect([answer.status, await running()]).toEqual([200, CALL_SLOTS.perCaller])
      const refused = await Promise.any(
        calls.map(async (call) => ((await call) === 429 ? 429 : Promise.reject(new Error()))),
      )
      expect(refused).toBe(429)
      leaving.abort()
      await Promise.all(calls)
      await until(async () => (await running()) === 0, { what: 'the queries to end' })
    })
  })

  it('ends before the gateway stops waiting for it', async () => {
    expect(STATEMENT_TIMEOUT_MS + CALL_SLOTS.maxWaitMs).toBeLessThan(PROXY_TIMEOUTS.defaultMs)
    const { rows } = await pool.query<{ name: string; settings: string[] | null }>(
      `select rolname as name, rolconfig as settings from pg_roles
       where rolname like 'watchroom\\_%' and rolname not in ('watchroom_authenticator', 'watchroom_anon')`,
    )
    expect(rows.length).toBe(ROLES.length + 1)
    for (const { name, settings } of rows)
      expect(settings, name).toContain(`statement_timeout=${String(STATEMENT_TIMEOUT_MS)}ms`)
  })
})
