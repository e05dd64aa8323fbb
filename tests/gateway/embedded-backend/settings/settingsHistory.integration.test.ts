import { type Role, ROLES } from '@watchroom/shared/access'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'

let backend: TestBackend
let gateway: RunningGateway
const sessions = new Map<Role, Readonly<Record<string, string>>>()

interface Version {
  readonly version: Record<string, unknown>
  readonly previous: Record<string, unknown> | null
  readonly saved_by: { readonly name: string } | null
  readonly credentials_changed: string[]
}

beforeAll(async () => {
  backend = await startEmbeddedBackend({})
  gateway = await startGateway({ backend: toGatewayBackend(backend) })
  for (const role of ROLES) sessions.set(role, (await gateway.signInAs(role)).headers)
})
afterAll(async () => {
  await gateway.stop()
  await backend.stop()
})

async function call(role: Role, method: string, path: string, sent?: unknown): Promise<Response> {
  return fetch(`${gateway.url}/api/db/${path}`, {
    method,
    headers: { ...sessions.get(role), 'content-type': 'application/json', prefer: 'return=representation' },
    ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
  })
}

async function add(table: string, row: Record<string, unknown>): Promise<string> {
  const answer = await call('admin', 'POST', table, row)
  expect(answer.status).toBe(201)
  const [added] = (await answer.json()) as { id: string }[]
  return added?.id ?? ''
}

async function historyOf(role: Role, id: string): Promise<Version[]> {
  const answer = await call(role, 'GET', `settings_history?row_id=eq.${id}&order=id.desc`)
  expect(answer.status).toBe(200)
  return (await answer.json()) as Version[]
}

const CLIENT = { url: 'https://jira.example', username: 'watch', password: 'jira-password' }

describe('the history of settings', () => {
  it('says who changed what, and nothing when nothing did', async () => {
    const id = await add('logging_backends', { name: 'logs-of-history', spec: { backend: 'a' } })
    await call('admin', 'PATCH', `logging_backends?id=eq.${id}`, { spec: { backend: 'b' } })
    await call('admin', 'PATCH', `logging_backends?id=eq.${id}`, { spec: { backend: 'b' } })
    const versions = await historyOf('admin', id)
    expect(versions).toMatchObject([
      {
        version: { spec: { backend: 'b' } },
        previous: { spec: { backend: 'a' } },
        saved_by: { name: expect.any(String) },
      },
      { version: { spec: { backend: 'a' } }, previous: null },
    ])
  })

  it('knows who changed an agent, and nothing of what it reports', async () => {
    const id = await add('agents', { name: 'agent-of-history', properties: { region: 'eu' } })
    await backend.callAsService(`/db/agents?id=eq.${id}`, { method: 'PATCH', body: { last_seen: 'now()' } })
    await call('admin', 'PATCH', `agents?id=eq.${id}`, { properties: { region: 'us' } })
    expect(await historyOf('admin', id)).toMatchObject([
      { version: { properties: { region: 'us' } }, saved_by: { name: expect.any(String) } },
      { version: { properties: { region: 'eu' } }, previous: null },
    ])
  })

  it('tells of credentials only that they changed', async () => {
    const id = await add('teams', { name: 'team-of-history', spec: { responder_clients: { jira: CLIENT } } })
    const withPassword = (password: string) => ({
      spec: { responder_clients: { jira: { ...CLIENT, username: '***', password } } },
    })
    await call('admin', 'PATCH', `teams?id=eq.${id}`, withPassword('another-password'))
    const answer = await call('admin', 'GET', `settings_history?row_id=eq.${id}&order=id.desc`)
    const text = await answer.text()
    for (const secret of ['jira-password', 'another-password']) expect(text).not.toContain(secret)
    expect((JSON.parse(text) as Version[])[0]?.credentials_changed).toEqual(['spec.responder_clients.jira.password'])
  })

  it('restores nothing of a credential that is gone, and names its field', async () => {
    const properties = { region: 'eu', secretKey: 'gone-key' }
    const id = await add('connections', {
      name: 'c-of-history',
      namespace: 'default',
      type: 'aws',
      password: 'p',
      properties,
    })
    const emptied = { password: null, properties: { region: 'eu' } }
    expect((await call('admin', 'PATCH', `connections?id=eq.${id}`, emptied)).ok).toBe(true)
    const former = (await historyOf('admin', id))[1]?.version
    expect(former).toMatchObject({ password: '***', properties: { secretKey: '***' } })
    const answer = await call('admin', 'PATCH', `connections?id=eq.${id}`, { properties: former?.['properties'] })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('secretKey: no secret is stored here that *** could stand for. Enter it.')
    // By this the form knows of a column.
    const rows: unknown = await (await call('admin', 'GET', `connections_with_status?id=eq.${id}`)).json()
    expect(rows).toMatchObject([{ password: null }])
  })

  it.each(ROLES)('is read by %s where the table is', async (role) => {
    const rows = {
      connections: await add('connections', {
        name: `c-${role}`,
        namespace: 'default',
        type: 'http',
        url: 'https://a.example',
      }),
      notifications: await add('notifications', { title: 'n', events: ['check.failed'], source: 'UI' }),
      teams: await add('teams', { name: `t-${role}`, spec: {} }),
    }
    for (const [table, id] of Object.entries(rows)) {
      const isReadable = (await call(role, 'GET', `${table}?id=eq.${id}`)).ok
      expect([table, (await historyOf(role, id)).length], table).toEqual([table, isReadable ? 1 : 0])
    }
    expect((await call(role, 'PATCH', `settings_history?row_id=eq.${rows.teams}`, { version: {} })).ok).toBe(false)
    expect((await call(role, 'DELETE', `settings_history?row_id=eq.${rows.teams}`)).ok).toBe(false)
  })
})
