// In front of a backend of someone else: what its database says is heard, by a role that may do nothing else there, and what it cannot
// do is known before anyone asks for it.
import { randomUUID } from 'node:crypto'

import { CAPABILITIES, type Role } from '@watchroom/shared/access'
import { agentsTopic, checksTopic, incidentsTopic, peopleTopic } from '@watchroom/shared/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { startEmbeddedBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { FakeBackend, personOf, sendJson } from '#support/fakeBackend.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'
import { buildSummary } from '#support/liveGateway.ts'

import type { GatewayDeps } from '../../../gateway/src/app/buildGateway.ts'
import { systemClock } from '../../../gateway/src/platform/clock.ts'
import { createBackendClient } from '../../../gateway/src/platform/httpClient.ts'
import { createLiveClient } from '../../../web/src/live/createLiveClient.ts'
import { createOpenSocket, inflateRaw } from '../../../web/src/live/openSocket.ts'

const SUMMARY = 'GET /canary/api/summary'
const INCIDENTS = 'GET /db/incident_summary'
const AGENTS = 'GET /db/agents_summary'
const LISTENER = `listener_${process.pid}`

let database: TestDatabase
let listenerUrl: string
let backend: FakeBackend

beforeAll(async () => {
  database = await startTestDatabase()
  await database.pool.query(`create role ${LISTENER} login password 'a-secret'`)
  // The host of a socket's address stands behind it; an operator's address has one before it.
  listenerUrl = database.databaseUrl.replace(/\/\/[^/]*\//, `//${LISTENER}:a-secret@localhost/`)
})
afterAll(async () => {
  await database.pool.query(`drop role ${LISTENER}`)
  await database.stop()
})
beforeEach(async () => {
  backend = await FakeBackend.start()
  backend.json(SUMMARY, { checks_summary: [] })
  for (const route of [INCIDENTS, AGENTS]) {
    backend.on(route, ({ headers }, response) =>
      headers.prefer === 'count=exact'
        ? void response.writeHead(206, { 'content-range': '*/0' }).end('[]')
        : sendJson(response, 200, []),
    )
  }
})
afterEach(() => backend.stop())

async function useGateway(env: Record<string, string>, deps: Partial<GatewayDeps> = {}): Promise<RunningGateway> {
  const gateway = await startGateway({ backend, env, deps })
  onTestFinished(() => gateway.stop())
  return gateway
}

async function openClient(gateway: RunningGateway) {
  const { headers } = await gateway.signInAs('admin')
  const client = createLiveClient({
    clock: systemClock,
    random: Math.random,
    inflate: inflateRaw,
    openSocket: createOpenSocket(gateway.url, { ...headers }),
  })
  onTestFinished(() => client.close())
  return client
}

const stateOf = async ({ url }: RunningGateway): Promise<unknown> => {
  const { dependencies } = (await (await fetch(`${url}/readyz`)).json()) as { dependencies: Record<string, unknown> }
  return dependencies['backendWake']
}

const factsOf = async (gateway: RunningGateway, role: Role = 'viewer'): Promise<unknown> => {
  const { headers } = await gateway.signInAs(role)
  return (await fetch(`${gateway.url}/gateway/backend`, { headers })).json()
}

const say = (channel: string, payload: string) => database.pool.query('select pg_notify($1, $2)', [channel, payload])

describe('a database that is listened to', () => {
  it('brings twenty flips to the board, within a second, by a role that may only connect', async () => {
    const { rows } = await database.pool.query('select has_table_privilege($1, $2, $3) as may', [
      LISTENER,
      'public.checks',
      'select',
    ])
    expect(rows).toEqual([{ may: false }])
    const gateway = await useGateway({ BACKEND_DATABASE_URL: listenerUrl })
    const watch = (await openClient(gateway)).watch(checksTopic, {})
    await eventually(async () =>
      expect(await stateOf(gateway)).toEqual({ ready: true, state: 'connected: changes are heard at once' }),
    )
    expect(await factsOf(gateway)).toMatchObject({ changes: 'announced' })
    const latencies: number[] = []
    for (let flip = 0; flip < 20; flip += 1) {
      const status = flip % 2 === 0 ? 'unhealthy' : 'healthy'
      backend.json(SUMMARY, { checks_summary: buildSummary(1, () => ({ status })) })
      const saidAt = performance.now()
      await say('event_queue_updates', flip % 2 === 0 ? 'check.failed' : 'check.passed')
      await eventually(() => expect(watch.view().rows.map((row) => row.status)).toEqual([status]))
      latencies.push(performance.now() - saidAt)
    }
    // A busy machine may be late now and then.
    expect(latencies.toSorted((a, b) => a - b)[9]).toBeLessThan(1_000)
  })

  it('wakes other topics by their own words', async () => {
    const gateway = await useGateway({ BACKEND_DATABASE_URL: listenerUrl })
    const client = await openClient(gateway)
    const checksWatch = client.watch(checksTopic, {})
    const incidentsWatch = client.watch(incidentsTopic, {})
    await eventually(() => expect([checksWatch.view().state, incidentsWatch.view().state]).toEqual(['live', 'live']))
    await eventually(async () => expect(await factsOf(gateway)).toMatchObject({ changes: 'announced' }))
    const before = backend.received(INCIDENTS).length
    await say('event_queue_updates', 'incident.status.closed')
    await eventually(() => expect(backend.received(INCIDENTS).length).toBeGreaterThan(before))
  })

  it('is listened to again after it was away, and everything is read anew', async () => {
    const gateway = await useGateway({ BACKEND_DATABASE_URL: listenerUrl })
    const watch = (await openClient(gateway)).watch(checksTopic, {})
    await eventually(() => expect(watch.view().state).toBe('live'))
    await eventually(async () => expect(await stateOf(gateway)).toMatchObject({ ready: true }))
    backend.json(SUMMARY, { checks_summary: buildSummary(1) })
    await database.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [LISTENER])
    await eventually(() => expect(watch.view().rows).toHaveLength(1))
    await eventually(async () => expect(await stateOf(gateway)).toMatchObject({ ready: true }))
  })

  it('is not waited for to show what someone wrote here', async () => {
    const gateway = await useGateway({})
    const watch = (await openClient(gateway)).watch(agentsTopic, {})
    await eventually(() => expect(watch.view().state).toBe('live'))
    const before = backend.received(AGENTS).length
    backend.json('PATCH /db/agents', [])
    const { headers } = await gateway.signInAs('admin')
    const answer = await fetch(`${gateway.url}/api/db/agents?id=eq.${randomUUID()}`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(200)
    // Sooner than anyone would ask again.
    await eventually(() => expect(backend.received(AGENTS).length).toBeGreaterThan(before), { timeout: 8_000 })
  })

  it('is not waited for to show who someone is now', async () => {
    const people = 'GET /db/people_roles'
    backend.on('GET /db/identities', ({ headers, url }, response) => {
      if (headers.prefer === 'count=exact') response.setHeader('content-range', '*/0')
      sendJson(response, 200, url.includes('select=*') ? [] : [{ state: 'active' }])
    })
    const gateway = await useGateway({})
    const watch = (await openClient(gateway)).watch(peopleTopic, {})
    await eventually(() => expect(watch.view().state).toBe('live'))
    const read = () => backend.received(people).filter(({ url }) => !url.includes('id=in.')).length
    const before = read()
    backend.json('POST /rbac/p1/update_role', { message: 'Role updated successfully' })
    const { headers } = await gateway.signInAs('admin')
    const answer = await fetch(`${gateway.url}/api/rbac/p1/update_role`, { method: 'POST', headers, body: '{}' })
    expect(answer.status).toBe(200)
    await eventually(() => expect(read()).toBeGreaterThan(before), { timeout: 8_000 })
  })

  it('delays nothing while it does not answer: the backend is asked instead, which is said', async () => {
    const gateway = await useGateway({ BACKEND_DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing' })
    const watch = (await openClient(gateway)).watch(checksTopic, {})
    await eventually(() => expect(watch.view().state).toBe('live'))
    expect(await stateOf(gateway)).toEqual({ ready: false, state: 'disconnected: changes are asked for' })
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200)
    expect(await factsOf(gateway)).toMatchObject({ changes: 'polled' })
  })

  it('is nobody’s duty to give', async () => {
    const gateway = await useGateway({})
    expect(await stateOf(gateway)).toEqual({ ready: true, state: 'not set: changes are asked for' })
    expect(await factsOf(gateway)).toEqual({ changes: 'polled', missing: [] })
  })
})

describe('what a backend cannot do', () => {
  it('is found out by questions that change nothing, the first of them a GET below /canary', async () => {
    backend.json('GET /canary/about', { Timestamp: '2024-09-20T00:00:00Z', Version: 'dev' })
    backend.json('GET /playbook/list', { error: 'provide exactly one of …' }, 400)
    backend.json('POST /logs', { message: 'Not Found' }, 404)
    backend.on('POST /agent/generate', (_request, response) => void response.writeHead(403).end('Access Denied'))
    backend.on('GET /db/identities', (_request, response) => void response.writeHead(404).end())
    const gateway = await useGateway({})
    await gateway.gateway.meetBackend()
    const extensions = [
      'trials',
      'selfChecks',
      'promptRuns',
      'sessionTokens',
      'playbookOutput',
      'runControl',
      'eventRetries',
      'connectionTrials',
      'settingsHistory',
      'accessTokens',
      'outbox',
      'notificationReasons',
      'accountControl',
      'severityOrder',
      'specJudges',
    ]
    const { changes, missing } = (await factsOf(gateway)) as { changes: string; missing: string[] }
    expect([changes, missing.toSorted()]).toEqual(['polled', [...extensions, 'logs', 'people'].toSorted()])
    const below = backend.requests.filter(({ url }) => url.startsWith('/canary/'))
    expect(below.map(({ method }) => method)).not.toContain('POST')
    for (const { body } of backend.received('POST /agent/generate')) expect(body).toBe('[]')
  })

  it('is known while its check runner is away', async () => {
    const unreachable = 'remote http://canary-checker:8080 unreachable, could not forward: no such host'
    backend.json('GET /canary/about', { message: unreachable }, 502)
    const gateway = await useGateway({})
    await gateway.gateway.meetBackend()
    const { missing } = (await factsOf(gateway)) as { missing: string[] }
    expect(missing).toEqual(expect.arrayContaining(['trials', 'connectionTrials', 'playbookOutput', 'outbox']))
  })

  it('is not believed of one that refuses to say, or is away', async () => {
    for (const route of [
      'GET /canary/about',
      'GET /playbook/list',
      'POST /logs',
      'POST /agent/generate',
      'POST /catalog/what-changed',
    ])
      backend.on(route, (_request, response) => void response.writeHead(route.startsWith('GET') ? 401 : 502).end())
    const gateway = await useGateway({})
    await gateway.gateway.meetBackend()
    expect(await factsOf(gateway)).toMatchObject({ missing: [] })
  })

  it.each([
    ['refused', 'an-expired-token'],
    ['missing', undefined],
  ])('is asked with the credential of whoever comes, where the gateway’s own is %s', async (_how, token) => {
    // Answers people by their session alone, and tells a viewer nothing of its check runner.
    const forPeople = (route: string, answer: (session: string) => readonly [status: number, body: unknown]) =>
      backend.on(route, ({ headers }, response) => {
        const session = /ory_kratos_session=([^;]+)/.exec(headers.cookie ?? '')?.[1]
        const [status, body] = session === undefined ? ([401, {}] as const) : answer(session)
        sendJson(response, status, body)
      })
    forPeople('GET /canary/about', (session) => (session === 'session-viewer' ? [403, {}] : [200, { can: ['trials'] }]))
    for (const route of ['GET /playbook/list', 'POST /agent/generate', 'POST /catalog/what-changed'])
      forPeople(route, () => [400, {}])
    forPeople('POST /logs', () => [404, {}])
    forPeople('GET /db/identities', () => [200, []])
    forPeople('GET /db/notification_send_history_summary', () => [200, []])
    forPeople('GET /db/people_roles', (session) => {
      const role = session.replace('session-', '') as 'viewer' | 'editor'
      return [200, [{ id: personOf(role).id, roles: [role] }]]
    })
    const gateway = await useGateway({}, { backend: createBackendClient({ backendUrl: backend.url, token }) })
    await gateway.gateway.meetBackend()
    // A page does not wait for all that is asked.
    await eventually(async () => expect(await factsOf(gateway, 'viewer')).toMatchObject({ missing: ['logs'] }))
    await eventually(async () => {
      const { missing } = (await factsOf(gateway, 'editor')) as { missing: string[] }
      expect(missing).toEqual(expect.arrayContaining(['logs', 'promptRuns', 'sessionTokens', 'outbox']))
      expect(missing).not.toContain('trials')
    })
    // Once it is known nobody's credential is used any more.
    const asked = backend.received('GET /canary/about').length
    await factsOf(gateway, 'admin')
    await factsOf(gateway, 'viewer')
    expect(backend.received('GET /canary/about')).toHaveLength(asked)
  })

  it('is found out again when it was away', async () => {
    backend.json('GET /canary/about', {
      can: [
        'trials',
        'self-checks',
        'prompt-runs',
        'session-tokens',
        'playbook-output',
        'event-retries',
        'connection-trials',
        'settings-history',
        'run-control',
        'access-tokens',
        'outbox',
        'notification-reasons',
        'account-control',
        'severity-order',
        'spec-judges',
      ],
    })
    const gateway = await useGateway({})
    await gateway.gateway.meetBackend()
    const watch = (await openClient(gateway)).watch(checksTopic, {})
    await eventually(() => expect(watch.view().state).toBe('live'))
    expect(await factsOf(gateway)).toMatchObject({ missing: [] })
    backend.on(SUMMARY, (_request, response) => void response.writeHead(503).end())
    watch.view().refresh()
    await eventually(() => expect(watch.view().error).toBeDefined())
    backend.json('POST /logs', {}, 404)
    backend.json(SUMMARY, { checks_summary: [] })
    await eventually(async () => expect(await factsOf(gateway)).toMatchObject({ missing: ['logs'] }))
  })

  it('is none of what our own is asked for, but for what it does not have yet', async () => {
    const embedded = await startEmbeddedBackend()
    onTestFinished(() => embedded.stop())
    const gateway = await startGateway({ backend: toGatewayBackend(embedded) })
    onTestFinished(() => gateway.stop())
    const readAgents = async () => (await embedded.callAsService('/db/agents?select=name')).json()
    const agents = await readAgents()
    await gateway.gateway.meetBackend()
    const { missing } = (await factsOf(gateway)) as { missing: string[] }
    for (const name of [
      'trials',
      'selfChecks',
      'promptRuns',
      'sessionTokens',
      'playbookOutput',
      'eventRetries',
      'agents',
      'people',
      'outbox',
      'notificationHistory',
      'notificationReasons',
      'accountControl',
      'severityOrder',
      'specJudges',
    ]) {
      expect(missing).not.toContain(name)
    }
    expect(await readAgents()).toEqual(agents)
  })
})

describe('a script', () => {
  it('with a session token is told which credential works, where the backend takes none', async () => {
    backend.json('GET /canary/about', { Version: 'dev' })
    const gateway = await useGateway({})
    const call = () => fetch(`${gateway.url}/api/db/checks`, { headers: { 'x-session-token': 'session-admin' } })
    // Until it is known, the backend speaks for itself.
    expect((await call()).status).toBe(200)
    await gateway.gateway.meetBackend()
    const refused = await call()
    expect(refused.status).toBe(401)
    expect(await refused.json()).toMatchObject({
      kind: 'ACCESS_SESSION_TOKEN_UNKNOWN',
      error: expect.stringContaining(CAPABILITIES.sessionTokens),
    })
    const { headers } = await gateway.signInAs('admin')
    expect((await fetch(`${gateway.url}/api/db/checks`, { headers })).status).toBe(200)
  })
})

describe('a check that was saved', () => {
  it('is on the board at once, waiting, where the backend runs new ones late, and until it has run', async () => {
    backend.json('GET /canary/about', { Version: 'dev' })
    const gateway = await useGateway({})
    await gateway.gateway.meetBackend()
    const watch = (await openClient(gateway)).watch(checksTopic, {})
    await eventually(() => expect(watch.view().state).toBe('live'))
    const { headers } = await gateway.signInAs('editor')
    const saved: object[] = []
    const ids: string[] = []
    const save = async (): Promise<number> => {
      const id = randomUUID()
      ids.push(id)
      saved.push({
        id,
        name: 'shop',
        namespace: 'east',
        labels: { team: 'web' },
        spec: { http: [{ url: 'http://x' }] },
      })
      backend.json('POST /db/canaries', [{ id }], 201)
      backend.json('GET /db/canaries', saved)
      const savedAt = performance.now()
      await fetch(`${gateway.url}/api/db/canaries`, { method: 'POST', headers, body: '{}' })
      await eventually(() =>
        expect(watch.view().rows.find((row) => row.id === id)).toMatchObject({
          canary_id: id,
          name: 'shop',
          type: 'http',
          status: 'waiting',
          labels: { team: 'web' },
        }),
      )
      return performance.now() - savedAt
    }
    // Without being told, the board is read every 5 s. A busy machine may be late once.
    await expect.poll(save, { timeout: 25_000 }).toBeLessThan(2_000)
    const [first] = ids
    backend.json(SUMMARY, { checks_summary: buildSummary(1, () => ({ canary_id: first })) })
    watch.view().refresh()
    await eventually(() => {
      const { rows } = watch.view()
      expect(rows.filter((row) => row.canary_id === first)).toMatchObject([{ name: 'check-0', status: 'healthy' }])
    })
  })

  it('is on the board also where others of its canary run', async () => {
    backend.json('GET /canary/about', { Version: 'dev' })
    backend.json(SUMMARY, { checks_summary: buildSummary(1) })
    const gateway = await useGateway({})
    await gateway.gateway.meetBackend()
    const watch = (await openClient(gateway)).watch(checksTopic, {})
    await eventually(() => expect(watch.view().rows).toHaveLength(1))
    const canaryId = watch.view().rows[0]?.canary_id
    const checks = [
      { name: 'check-0' },
      { name: 'second' },
      { url: 'http://y' },
      { name: 'of many', transform: { expr: '…' } },
    ]
    const [first, second] = ['check-0', 'second'].map((name) => ({ canary_id: canaryId, name }))
    backend.json('GET /db/canaries', [{ id: canaryId, name: 'shop', labels: {}, spec: { interval: 30, http: checks } }])
    backend.json('PATCH /db/canaries', [{ id: canaryId }])
    const { headers } = await gateway.signInAs('editor')
    await fetch(`${gateway.url}/api/db/canaries?id=eq.${canaryId}`, { method: 'PATCH', headers, body: '{}' })
    await eventually(() =>
      expect(watch.view().rows.toSorted((a, b) => a.name.localeCompare(b.name))).toMatchObject([
        { ...first, status: 'healthy' },
        { ...second, type: 'http', status: 'waiting' },
      ]),
    )
    expect(backend.received('GET /db/canaries').at(-1)?.url).toMatch(/or=\(created_at\.gte\.[^,]+,updated_at\.gte\./)
    backend.json(SUMMARY, {
      checks_summary: buildSummary(2, (index) => ({ canary_id: canaryId, name: ['check-0', 'second'][index] })),
    })
    watch.view().refresh()
    await eventually(() => expect(watch.view().rows.map(({ status }) => status)).toEqual(['healthy', 'healthy']))
  })
})
