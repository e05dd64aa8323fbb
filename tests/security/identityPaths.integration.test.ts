// Of the identity service only what is public by its own account is reached: flows and the caller's own sessions.
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

import { FakeBackend } from '#support/fakeBackend.ts'
import { type RunningGateway, startGateway } from '#support/gateway.ts'

let backend: FakeBackend
let gateway: RunningGateway

beforeAll(async () => {
  backend = await FakeBackend.start()
  gateway = await startGateway({ backend })
})

afterAll(async () => {
  await gateway.stop()
  await backend.stop()
})

const ask = (method: string, path: string): Promise<Response> =>
  fetch(`${gateway.url}/api${path}`, { method, ...(method === 'POST' ? { body: '{}' } : {}) })

const FLOWS = ['login', 'registration', 'recovery', 'verification', 'settings']
const PUBLIC = [
  ...FLOWS.flatMap((flow) => [
    `GET /self-service/${flow}/browser`,
    `GET /self-service/${flow}/api`,
    `GET /self-service/${flow}/flows?id=1`,
    `POST /self-service/${flow}?flow=1`,
  ]),
  'GET /self-service/recovery?token=x&flow=1',
  'GET /self-service/verification?token=x',
  'GET /self-service/logout/browser',
  'GET /self-service/logout?token=x',
  'DELETE /self-service/logout/api',
  'GET /self-service/errors?id=1',
  'GET /self-service/methods/oidc/callback/github?code=x',
  'GET /.well-known/ory/webauthn.js',
  'GET /sessions',
  'DELETE /sessions',
  'DELETE /sessions/1',
]

it.each(PUBLIC)('reaches %s', async (line) => {
  const [method = '', path = ''] = line.split(' ')
  for (const prefix of ['/.ory', '/kratos']) expect((await ask(method, prefix + path)).status).toBe(200)
  expect(backend.received(`${method} /kratos${path.split('?')[0]}`)).toHaveLength(2)
})

it('is reached with no credential of the gateway where no one signs in', async () => {
  // With it a stranger would be the gateway's account there: read it, change its password, end its sessions.
  const open = await startGateway({ backend, env: { WATCHROOM_AUTH: 'none' } })
  onTestFinished(() => open.stop())
  const before = backend.requests.length
  for (const line of [...PUBLIC, 'GET /sessions/whoami', 'GET /sessions/token-exchange']) {
    const [method = '', path = ''] = line.split(' ')
    const body = method === 'POST' ? { body: '{}' } : {}
    await (await fetch(`${open.url}/api/kratos${path}`, { method, ...body })).body?.cancel()
  }
  const asked = backend.requests.slice(before).filter(({ url }) => url.startsWith('/kratos/'))
  expect(asked).toHaveLength(PUBLIC.length + 2)
  const lent = asked.filter(({ headers }) => headers.authorization !== undefined || 'x-watchroom-role' in headers)
  expect(lent.map(({ method, url }) => `${method} ${url}`)).toEqual([])
})

it.each([
  'GET /admin/identities',
  'POST /admin/identities',
  'DELETE /admin/identities/1',
  'DELETE /admin/identities/1/sessions',
  'POST /admin/recovery/link',
  'POST /admin/recovery/code',
  'GET /identities',
  'GET /identities/1',
  'POST /identities',
  'POST /recovery/link',
  'GET /courier/messages',
  'GET /metrics/prometheus',
  'GET /health/ready',
  'GET /version',
  'GET /schemas',
  'PUT /self-service/login',
  'PATCH /sessions/1/extend',
  'POST /sessions/whoami',
  'GET /self-service/login/browser/x',
  'GET /self-service/methods/oidc/organization/x',
  'GET /self-service/__proto__/browser',
  'GET /constructor',
  'GET /',
])('does not reach %s', async (line) => {
  const [method = '', path = ''] = line.split(' ')
  for (const prefix of ['/.ory', '/kratos']) expect([404, 405]).toContain((await ask(method, prefix + path)).status)
  expect(backend.received(`${method} /kratos${path}`)).toEqual([])
})

it.each([
  '/kratos/sessions/../admin/identities',
  '/kratos/sessions%2f..%2fadmin/identities',
  '/kratos//admin/identities',
])('is not talked into it by %s', async (path) => {
  expect((await ask('GET', path)).status).toBeGreaterThanOrEqual(400)
  expect(backend.requests.filter(({ url }) => url.includes('admin'))).toEqual([])
})
