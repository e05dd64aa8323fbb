// The same proxy in front of the real embedded backend: its identity service, PostgREST and roles.
import { randomUUID } from 'node:crypto'

import { ROLES } from '@watchroom/shared/access'
import { ApiErrorSchema } from '@watchroom/shared/protocol'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend, TEST_ADMIN } from '#support/embeddedBackend.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'

let backend: TestBackend
let gateway: RunningGateway

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  gateway = await startGateway({ backend: toGatewayBackend(backend) })
})

afterAll(async () => {
  await gateway.stop()
  await backend.stop()
})

const api = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${gateway.url}/api${path}`, init)

/** As a browser does it: flow, form, cookies. */
async function signInAsBrowser(email: string, password: string): Promise<string> {
  const flow = await api('/.ory/self-service/login/browser', { headers: { accept: 'application/json' } })
  const cookies = cookiesOf(flow)
  const { id, ui } = (await flow.json()) as {
    id: string
    ui: { nodes: { attributes: { name: string; value?: string } }[] }
  }
  const token = ui.nodes.find(({ attributes }) => attributes.name === 'csrf_token')?.attributes.value
  const answer = await api(`/.ory/self-service/login?flow=${id}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', cookie: cookies, origin: gateway.url },
    body: JSON.stringify({ csrf_token: token, method: 'password', identifier: email, password }),
  })
  expect(answer.status).toBe(200)
  return cookiesOf(answer)
}

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

describe('sign-in', () => {
  it('goes through the gateway with cookies and a form', async () => {
    const cookie = await signInAsBrowser(TEST_ADMIN.email, TEST_ADMIN.password)
    expect(cookie).toContain('ory_kratos_session=')
    const whoAmI = await api('/auth/whoami', { headers: { cookie } })
    expect(await whoAmI.json()).toMatchObject({ payload: { user: { email: TEST_ADMIN.email } } })
  })

  it('keeps the form’s own answer to a wrong password', async () => {
    const flow = (await (await api('/.ory/self-service/login/api')).json()) as { id: string }
    const answer = await api(`/.ory/self-service/login?flow=${flow.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ method: 'password', identifier: TEST_ADMIN.email, password: 'wrong' }),
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toHaveProperty('ui.messages')
  })

  it('ends with the session', async () => {
    const { session } = await gateway.signInAs('viewer')
    const headers = { 'x-session-token': session }
    expect((await api('/properties', { headers })).status).toBe(200)
    await backend.call('/kratos/self-service/logout/api', { method: 'DELETE', body: { session_token: session } })
    await api('/.ory/self-service/logout/api', {
      method: 'DELETE',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ session_token: session }),
    })
    const after = await api('/properties', { headers })
    expect(after.status).toBe(401)
    expect(ApiErrorSchema.parse(await after.json()).kind).toBe('ACCESS_SESSION_REQUIRED')
  })
})

describe('the database API', () => {
  it('gives each role what gateway and database agree on', async () => {
    const statuses: Record<string, number[]> = {}
    for (const role of ROLES) {
      const { headers } = await gateway.signInAs(role)
      const write = { ...headers, 'content-type': 'application/json', prefer: 'return=representation' }
      const calls = [
        api('/db/checks?select=id&limit=1', { headers }),
        api('/db/connections?select=id', { headers }),
        api('/db/properties', {
          method: 'POST',
          headers: write,
          body: JSON.stringify({ name: `${role}.test`, value: '1' }),
        }),
        api(`/db/people?id=eq.00000000-0000-4000-8000-000000000000`, {
          method: 'PATCH',
          headers: write,
          body: '{"name":"x"}',
        }),
      ]
      statuses[role] = (await Promise.all(calls)).map((response) => response.status)
    }
    expect(statuses).toEqual({
      admin: [200, 200, 201, 200],
      editor: [200, 403, 201, 403],
      commander: [200, 403, 403, 403],
      responder: [200, 403, 403, 403],
      viewer: [200, 403, 403, 403],
    })
  })

  it('keeps totals and translates PostgREST’s errors', async () => {
    const { headers } = await gateway.signInAs('admin')
    const people = await api('/db/people_roles?select=id&limit=1', { headers: { ...headers, prefer: 'count=exact' } })
    expect([200, 206]).toContain(people.status)
    expect(people.headers.get('content-range')).toMatch(/^0-0\/\d+$/)
    const broken = await api('/db/checks?select=nonsense', { headers })
    expect(broken.status).toBe(400)
    const error = ApiErrorSchema.parse(await broken.json())
    expect(error).toMatchObject({ kind: 'PROXY_BACKEND_REFUSED', code: '42703' })
    expect(error.message).toContain('nonsense')
  })

  it('takes a role away within 5 s', async () => {
    const clock = new FakeClock()
    const other = await startGateway({ backend: toGatewayBackend(backend), clock })
    const person = await backend.createPerson('editor')
    const headers = { ...(await backend.signIn(person.email, person.password)), 'content-type': 'application/json' }
    const write = async (): Promise<number> => {
      const body = JSON.stringify({ name: `taken.${randomUUID()}`, value: '1' })
      return (await fetch(`${other.url}/api/db/properties`, { method: 'POST', headers, body })).status
    }
    expect(await write()).toBe(201)
    const pool = new Pool({ connectionString: backend.databaseUrl })
    await pool.query(`update casbin_rule set v1 = 'viewer' where ptype = 'g' and v0 = $1`, [person.id])
    await pool.end()
    await clock.advance(5_000)
    expect(await write()).toBe(403)
    await other.stop()
  })
})

describe('Basic', () => {
  it('signs a script in for one call', async () => {
    const authorization = `Basic ${Buffer.from(`${TEST_ADMIN.email}:${TEST_ADMIN.password}`).toString('base64')}`
    const whoAmI = await api('/auth/whoami', { headers: { authorization } })
    expect(await whoAmI.json()).toMatchObject({ payload: { user: { email: TEST_ADMIN.email } } })
    const wrong = await api('/auth/whoami', { headers: { authorization: 'Basic eDp5' } })
    expect(wrong.status).toBe(401)
    expect(wrong.headers.get('www-authenticate')).toBeNull()
  })
})
