// The strict backend is only worth something while it speaks as the real server was recorded to: these are its answers, by our own words.
import { ROLES, type Role } from '@watchroom/shared/access'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { startGateway } from '#support/gateway.ts'
import { callTable, signInPerson } from '#support/incidentGateway.ts'
import { patientFetch } from '#support/patientFetch.ts'
import type { Scope } from '#support/strictBackend/scopes.ts'
import { startStrictBackend, type StrictBackend } from '#support/strictBackend/startStrictBackend.ts'

const PLAIN = 'text/plain; charset=UTF-8'
const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` })

let backend: TestBackend
let strict: StrictBackend
const cookies = new Map<Role, { cookie: string }>()
const scopes = new Map<string, Scope>()
let gateway: { authorization: string }
let checks: { id: string; name: string }[]

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  const { socketPath, serviceToken } = backend
  strict = await startStrictBackend({ socketPath, serviceToken, scopeOf: ({ email }) => scopes.get(email) ?? null })
  gateway = basic(strict.credential)
  for (const role of ROLES) {
    const { email, session } = await signInPerson(backend, role)
    cookies.set(role, { cookie: `ory_kratos_session=${session}` })
    if (role === 'editor') scopes.set(email, { checks: 'labels->>team=eq.pay' })
  }
  const http = ['pay', 'ship'].map((team) => ({ name: team, url: 'http://127.0.0.1:9/', labels: { team } }))
  await callTable(backend, 'canaries', {
    method: 'POST',
    body: { name: 'shop', namespace: 'strict', source: 'UI', spec: { interval: 3_600, http } },
  })
  await eventually(
    async () => {
      checks = (await callTable(backend, 'checks?name=in.(pay,ship)')) as typeof checks
      if (checks.length < 2) throw new Error('the checks are not there yet')
    },
    { timeout: 20_000, interval: 50 },
  )
})

afterAll(async () => {
  await strict?.close()
  await backend?.stop()
})

interface Heard {
  readonly status: number
  readonly type: string | null
  readonly text: string
  readonly headers: { get(name: string): string | null }
}

async function call(
  path: string,
  headers: Record<string, string>,
  init: { method?: string; body?: string | null; headers?: Record<string, string> } = {},
): Promise<Heard> {
  const answer = await patientFetch(strict.url + path, { ...init, headers: { ...headers, ...init.headers } })
  const { status } = answer
  return { status, type: answer.headers.get('content-type'), text: await answer.text(), headers: answer.headers }
}
const as = (role: Role): { cookie: string } => cookies.get(role) ?? { cookie: '' }
const DENIED = { status: 403, type: PLAIN, text: 'unauthorized. Access Denied' }
const UNKNOWN = { status: 401, type: PLAIN, text: 'Authorization Error' }

describe('a credential', () => {
  it('is Basic or the session cookie; everything else is nobody', async () => {
    const session = as('admin').cookie.split('=')[1] ?? ''
    const ofGateway = strict.credential.split(':').at(-1) ?? ''
    for (const headers of [
      {},
      { 'x-session-token': session },
      { authorization: `Bearer ${session}` },
      { authorization: `Bearer ${backend.serviceToken}` },
      { authorization: `Bearer ${ofGateway}` },
      basic('gateway@strict.test:wrong'),
      { cookie: 'ory_kratos_session=made-up' },
    ]) {
      expect(await call('/db/checks', headers as Record<string, string>)).toMatchObject(UNKNOWN)
    }
    expect((await call('/db/checks', gateway)).status).toBe(200)
    expect((await call('/db/checks', as('viewer'))).status).toBe(200)
    expect((await call('/health', {})).status).toBe(200)
  })

  it('that is no access token at all is 400, and 401 to whoever brings it to a gateway', async () => {
    const credential = basic('token:garbage')
    expect(await call('/db/checks', credential)).toMatchObject({
      status: 400,
      type: PLAIN,
      text: 'invalid access token',
    })
    const running = await startGateway({ backend: { url: strict.url, token: strict.credential } })
    onTestFinished(() => running.stop())
    expect((await fetch(`${running.url}/api/db/checks`, { headers: credential })).status).toBe(401)
  })

  it('is told its rights, row by row, and no name', async () => {
    const { text } = await call('/auth/whoami', as('viewer'))
    const { payload } = JSON.parse(text) as { payload: { user: object; roles: string[]; permissions: object[] } }
    expect(payload.user).toMatchObject({ name: '' })
    expect(payload.roles).toEqual(['everyone', 'viewer'])
    expect(payload.permissions).toContainEqual({ subject: 'viewer', object: 'canaries', action: 'read' })
    expect(payload.permissions).toContainEqual({
      subject: 'everyone',
      object: 'database.kratos',
      action: '*',
      deny: true,
    })
    expect(payload.permissions).not.toContainEqual(expect.objectContaining({ object: 'incident' }))
  })
})

describe('below /db', () => {
  it.each([
    ['viewer', 'GET', 'checks', 200],
    ['viewer', 'GET', 'incidents', 403],
    ['viewer', 'GET', 'incident_summary', 403],
    ['viewer', 'PATCH', 'checks?id=is.null&id=not.is.null', 403],
    ['editor', 'GET', 'incidents', 403],
    ['editor', 'PATCH', 'incidents?id=is.null&id=not.is.null', 403],
    ['editor', 'PATCH', 'checks?id=is.null&id=not.is.null', 204],
    ['editor', 'GET', 'agents_summary', 403],
    ['responder', 'GET', 'incidents', 200],
    ['commander', 'PATCH', 'incidents?id=is.null&id=not.is.null', 204],
    ['responder', 'GET', 'logging_backends', 403],
    ['admin', 'GET', 'agents_summary', 200],
    ['admin', 'GET', 'access_tokens', 403],
    ['admin', 'GET', 'playbook_run_outputs', 404],
  ] as const)('a %s is answered %s %s with %i', async (role, method, path, status) => {
    const body = method === 'PATCH' ? JSON.stringify({ id: null }) : null
    const heard = await call(`/db/${path}`, { ...as(role), 'content-type': 'application/json' }, { method, body })
    expect(heard).toMatchObject(status === 403 ? DENIED : { status })
  })

  it('refuses HEAD to everyone, counts without rows, and does not know what is not there', async () => {
    expect((await call('/db/checks', gateway, { method: 'HEAD' })).status).toBe(403)
    const counted = await call('/db/checks?select=id&name=in.(pay,ship)&limit=0', {
      ...as('viewer'),
      prefer: 'count=exact',
    })
    expect([counted.status, counted.headers.get('content-range')]).toEqual([206, '*/2'])
    expect(await call('/db/nope', gateway)).toMatchObject({ status: 404, type: PLAIN, text: '' })
    const unreadable = await call('/db/checks?nope=eq.1', gateway)
    expect([unreadable.status, JSON.parse(unreadable.text)]).toMatchObject([400, { code: '42703' }])
  })

  it('shows the rows of someone’s scope, in the table and wherever it is embedded', async () => {
    const [pay, ship] = [checks.find(({ name }) => name === 'pay'), checks.find(({ name }) => name === 'ship')]
    const names = async (path: string): Promise<unknown> => JSON.parse((await call(path, as('editor'))).text)
    expect(await names('/db/checks?select=name')).toEqual([{ name: 'pay' }])
    expect(await names('/db/canaries?select=name,its:checks(name)&name=eq.shop')).toEqual([
      { name: 'shop', its: [{ name: 'pay' }] },
    ])
    const summary = JSON.parse((await call('/canary/api/summary', as('editor'))).text) as { checks_summary: object[] }
    expect(summary.checks_summary).toMatchObject([{ id: pay?.id }])
    expect((await call(`/canary/api/graph?check=${ship?.id}`, as('editor'))).status).toBe(404)
    expect((await call(`/canary/api/graph?check=${pay?.id}`, as('editor'))).status).toBe(200)
    expect(JSON.parse((await call('/db/checks?select=name&name=in.(pay,ship)', as('viewer'))).text)).toHaveLength(2)
  })
})

describe('elsewhere', () => {
  it('refuses in plain text, and names the right that is missing', async () => {
    const refused = await call('/logs', as('viewer'), { method: 'POST' })
    expect(refused).toMatchObject(DENIED)
    expect(refused.headers.get('x-rbac-object')).toBe('logs')
    expect(refused.headers.get('x-rbac-action')).toBe('read')
  })

  it('has no trial and no cursor', async () => {
    expect(await call('/canary/api/try', gateway, { method: 'POST' })).toMatchObject({ status: 404 })
    const summary = await call('/canary/api/summary?since=1', gateway)
    expect(Object.keys(JSON.parse(summary.text) as object).toSorted()).toEqual([
      'checks_summary',
      'duration',
      'runnerName',
    ])
    const { checks_summary: rows } = JSON.parse(summary.text) as { checks_summary: { id: string }[] }
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(checks.map(({ id }) => id)))
  })

  it('takes no pairs of tags for the summary of the catalog', async () => {
    const ask = (question: object) =>
      call('/catalog/summary', as('admin'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ groupBy: ['type'], ...question }),
      })
    expect(await ask({ filter: {} })).toMatchObject({ status: 200 })
    const refused = { status: 400, text: expect.stringContaining('expected=[]string, got=object') }
    expect(await ask({ tags: {} })).toMatchObject(refused)
  })

  it('approves a run by its id alone', async () => {
    const playbook = '00000000-0000-4000-8000-0000000000a1'
    const run = '00000000-0000-4000-8000-0000000000b1'
    const approve = (ids: string) => call(`/playbook/run/approve/${ids}`, as('editor'), { method: 'POST' })
    expect(await approve(`${playbook}/${run}`)).toMatchObject({
      status: 400,
      text: '{"error":"invalid UUID length: 73","message":"invalid run id"}',
    })
    expect(await approve(run)).toMatchObject({ status: 404 })
  })

  it('tells its inside with every error of its own', async () => {
    const heard = await call('/canary/run/check/00000000-0000-4000-8000-000000000000', gateway, { method: 'POST' })
    expect(heard.status).toBe(404)
    expect(JSON.parse(heard.text)).toMatchObject({
      error: expect.any(String),
      stacktrace: expect.stringContaining('/app/'),
      context: { user: 'someone' },
    })
  })

  it('answers the pings and pushes of agents with nothing, and has no list for one without canaries', async () => {
    const made = await call('/agent/generate', gateway, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'edge' }),
    })
    expect(made.status).toBe(201)
    const agent = basic(`token:${(JSON.parse(made.text) as { access_token: string }).access_token}`)
    for (const [method, path, body] of [
      ['GET', 'ping', null],
      ['POST', 'push', '{"checks":[]}'],
    ] as const) {
      const heard = await call(`/upstream/${path}?agent_name=edge`, agent, { method, body })
      expect(heard).toMatchObject({ status: 200, type: null, text: '' })
    }
    const pulled = await call('/upstream/canary/pull?agent_name=edge&since=0001-01-01T00:00:00Z', agent)
    expect(Object.keys(JSON.parse(pulled.text) as object)).toEqual(['before'])
    expect(await call('/upstream/ping?agent_name=edge', as('viewer'))).toMatchObject(DENIED)
  })
})
