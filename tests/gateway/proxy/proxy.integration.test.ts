import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

import { findRoute, mayUseRoute, ROLES, ROUTE_ACCESS } from '@watchroom/shared/access'
import { ApiErrorSchema } from '@watchroom/shared/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FakeBackend, personOf, SERVICE_TOKEN, sendJson } from '#support/fakeBackend.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { type RunningGateway, startGateway, type StartGatewayOptions } from '#support/gateway.ts'
import { rawRequest } from '#support/rawRequest.ts'

import { createLogger } from '../../../gateway/src/platform/logger.ts'

let backend: FakeBackend
let gateway: RunningGateway

beforeEach(async () => {
  backend = await FakeBackend.start()
  gateway = await startGateway({ backend })
})

afterEach(async () => {
  await gateway.stop()
  await backend.stop()
})

/** Another gateway in front of the same backend, for a test that needs other settings. */
async function restart(options: Partial<StartGatewayOptions>): Promise<void> {
  await gateway.stop()
  gateway = await startGateway({ backend, ...options })
}

async function errorOf(
  response: Response,
): Promise<{ status: number; kind: string; code: string; message: string; details?: unknown }> {
  const error = ApiErrorSchema.parse(await response.json())
  expect(error.requestId).toBe(response.headers.get('x-request-id'))
  return { status: response.status, ...error }
}

const asAdmin = async (): Promise<Record<string, string>> => ({ ...(await gateway.signInAs('admin')).headers })

describe('who may', () => {
  it('asks for a session before anything reaches the backend', async () => {
    const response = await fetch(`${gateway.url}/api/db/checks`)
    expect(await errorOf(response)).toMatchObject({ status: 401, code: 'ACCESS_SESSION_REQUIRED' })
    expect(backend.received('GET /db/checks')).toEqual([])
  })

  it('gives each role exactly the routes of the table', async () => {
    const people = await Promise.all(ROLES.map(async (role) => ({ role, ...(await gateway.signInAs(role)) })))
    const wrong: string[] = []
    for (const rule of ROUTE_ACCESS) {
      const method = rule.method === 'ANY' ? 'PUT' : rule.method
      const path = rule.path.replaceAll(/\{\w+\}/g, 'x').replace(/\*$/, 'x/y')
      const nobody = await fetch(`${gateway.url}/api${path}`, { method })
      await nobody.body?.cancel()
      // Who asks the identity service for a session that is not there hears it from that service.
      const isAsked = rule.path === '/kratos/sessions/whoami'
      if (!isAsked && (nobody.status === 401) === (rule.access === 'public'))
        wrong.push(`nobody ${method} ${path}: ${nobody.status}`)
      for (const { role, headers } of people) {
        const response = await fetch(`${gateway.url}/api${path}`, { method, headers })
        await response.body?.cancel()
        const expected = mayUseRoute(rule.access, [role]) ? 200 : 403
        if (response.status !== expected) wrong.push(`${role} ${method} ${path}: ${response.status}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it.each([
    ['GET', '/api/db/pg_shadow', 404, 'PROXY_ENDPOINT_UNKNOWN', 'Invalid api endpoint'],
    ['GET', '/api/nothing/here', 404, 'PROXY_ENDPOINT_UNKNOWN', 'Invalid api endpoint'],
    ['GET', '/api/playbook/run', 405, 'PROXY_METHOD_NOT_ALLOWED', 'GET is not possible here'],
    ['PATCH', '/api/db/people_roles', 403, 'ACCESS_DENIED', 'You do not have permission to do this'],
  ])('answers %s %s with %d', async (method, path, status, code, message) => {
    const response = await fetch(gateway.url + path, { method, headers: await asAdmin() })
    expect(await errorOf(response)).toMatchObject({ status, code, message })
  })

  it.each(['/api//db/checks', '/api/db/../kratos/x', '/api/db%2fchecks', '/api/%2e%2e/kratos/x', '/api/db/checks%00'])(
    'refuses the path %s as it is on the wire',
    async (path) => {
      const { headers } = await gateway.signInAs('admin')
      const answer = await rawRequest(
        gateway.url,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${headers.cookie}\r\nConnection: close\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toContain('PROXY_PATH_REFUSED')
    },
  )

  it('takes a role away within 5 s', async () => {
    const clock = new FakeClock()
    await restart({ clock })
    const headers = await asAdmin()
    const run = (): Promise<Response> => fetch(`${gateway.url}/api/canary/run/check/1`, { method: 'POST', headers })
    expect((await run()).status).toBe(200)
    backend.sessions.set('session-admin', ['viewer'])
    expect((await run()).status).toBe(200)
    await clock.advance(5_000)
    expect(await errorOf(await run())).toMatchObject({ status: 403, code: 'ACCESS_DENIED' })
    backend.sessions.delete('session-admin')
    await clock.advance(5_000)
    expect(await errorOf(await run())).toMatchObject({ status: 401 })
  })

  it('takes it away at once when it was changed through this gateway', async () => {
    const clock = new FakeClock()
    await restart({ clock })
    const admin = await asAdmin()
    const editor = (await gateway.signInAs('editor')).headers
    const add = (): Promise<Response> =>
      fetch(`${gateway.url}/api/db/canaries`, { method: 'POST', headers: editor, body: '{}' })
    expect((await add()).status).toBe(200)
    backend.on(`POST /rbac/${personOf('editor').id}/update_role`, (_request, response) => {
      backend.sessions.set('session-editor', ['viewer'])
      sendJson(response, 200, {})
    })
    await fetch(`${gateway.url}/api/rbac/${personOf('editor').id}/update_role`, {
      method: 'POST',
      headers: admin,
      body: '{}',
    })
    expect((await add()).status).toBe(403)
  })

  it('asks anew after the backend itself refused the session', async () => {
    await restart({ clock: new FakeClock() })
    const headers = await asAdmin()
    backend.on('GET /db/checks', (_request, response) => void response.writeHead(401).end('Session Expired'))
    backend.sessions.delete('session-admin')
    backend.sessions.set('session-admin', ['admin'])
    expect(await errorOf(await fetch(`${gateway.url}/api/db/checks`, { headers }))).toMatchObject({
      status: 401,
      message: 'Session Expired',
    })
    backend.sessions.delete('session-admin')
    expect(await errorOf(await fetch(`${gateway.url}/api/db/agents`, { headers }))).toMatchObject({
      code: 'ACCESS_SESSION_REQUIRED',
    })
  })
})

describe('where from', () => {
  const post = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${gateway.url}/api/canary/run/check/1`, { method: 'POST', headers })

  it('refuses a change that a foreign page asks for', async () => {
    const { cookie = '' } = await asAdmin()
    for (const headers of [
      { cookie, origin: 'http://evil.test' },
      { cookie, origin: 'null' },
      { cookie },
      { cookie, 'sec-fetch-site': 'cross-site' },
      { authorization: 'Basic eDp5', origin: 'http://evil.test' },
    ]) {
      expect(await errorOf(await post(headers))).toMatchObject({ status: 403, code: 'ACCESS_CROSS_ORIGIN' })
    }
    expect(backend.received('POST /canary/run/check/1')).toEqual([])
  })

  it('accepts our own pages, and programs that bring a token', async () => {
    const { cookie = '' } = await asAdmin()
    expect((await post({ cookie, origin: gateway.url })).status).toBe(200)
    expect((await post({ cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect((await post({ 'x-session-token': 'session-admin' })).status).toBe(200)
  })

  it('believes a forwarded host only from a trusted proxy', async () => {
    const { cookie = '' } = await asAdmin()
    const headers = {
      cookie,
      origin: 'https://watch.test',
      'x-forwarded-host': 'watch.test',
      'x-forwarded-proto': 'https',
    }
    expect((await post(headers)).status).toBe(403)
    await restart({ env: { WATCHROOM_TRUSTED_PROXY: '127.0.0.1', WATCHROOM_PUBLIC_URL: 'https://watch.test' } })
    const response = await post(headers)
    expect(response.status).toBe(200)
    expect(response.headers.get('strict-transport-security')).toMatch(/^max-age=\d+$/)
    expect(backend.received('POST /canary/run/check/1')[0]?.headers).toMatchObject({
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'watch.test',
    })
  })

  it('slows down a guesser at the sign-in form', async () => {
    await restart({ clock: new FakeClock(), deps: { signInsPerMinute: 2 } })
    const signIn = (): Promise<Response> =>
      fetch(`${gateway.url}/api/.ory/self-service/login?flow=1`, { method: 'POST', body: '{}' })
    expect((await signIn()).status).toBe(200)
    expect((await signIn()).status).toBe(200)
    const refused = await signIn()
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'ACCESS_RATE_LIMITED' })
  })
})

describe('what travels', () => {
  it('sends the caller’s session onwards and nothing that is not the backend’s business', async () => {
    const { cookie } = await asAdmin()
    await fetch(`${gateway.url}/api/db/checks?select=*&name.filter=!a%2Cb&&order=x`, {
      headers: {
        cookie: `theme=dark; ${cookie}; csrf_token_x=1`,
        authorization: `Bearer ${SERVICE_TOKEN}`,
        'x-forwarded-for': '1.2.3.4',
        'x-request-id': 'my-request-1',
        prefer: 'count=exact',
        te: 'trailers',
      },
    })
    const [received] = backend.received('GET /db/checks')
    expect(received?.url).toBe('/db/checks?select=*&name.filter=!a%2Cb&&order=x')
    expect(received?.headers).toMatchObject({
      cookie: 'ory_kratos_session=session-admin',
      prefer: 'count=exact',
      'x-request-id': 'my-request-1',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      host: new URL(backend.url).host,
    })
    expect(received?.headers).not.toHaveProperty('authorization')
    expect(received?.headers).not.toHaveProperty('te')
  })

  it('keeps what the backend says about itself, and its cookies, from the browser', async () => {
    backend.on('GET /db/checks', (_request, response) => {
      response.writeHead(206, {
        'content-type': 'application/json',
        'content-range': '0-1/3',
        server: 'postgrest/12',
        'x-powered-by': 'x',
        'set-cookie': 'tracking=1',
        'access-control-allow-origin': '*',
        'x-request-id': 'of-the-backend',
      })
      response.end('[1,2]')
    })
    const response = await fetch(`${gateway.url}/api/db/checks`, {
      headers: { ...(await asAdmin()), 'x-request-id': 'mine' },
    })
    expect([response.status, await response.text()]).toEqual([206, '[1,2]'])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-range': '0-1/3',
      'cache-control': 'no-store',
      'x-request-id': 'mine',
    })
    for (const name of ['server', 'x-powered-by', 'set-cookie', 'access-control-allow-origin']) {
      expect(response.headers.get(name), name).toBeNull()
    }
  })

  it('carries bodies byte by byte, whatever their type', async () => {
    const headers = await asAdmin()
    for (const [type, body] of [
      ['application/json', '{ "a" : 1 }'],
      ['application/x-yaml', 'a: ü\n'],
      ['text/plain', 'x'],
    ]) {
      await fetch(`${gateway.url}/api/db/canaries`, {
        method: 'POST',
        headers: { ...headers, 'content-type': type ?? '' },
        body: body ?? '',
      })
      expect(backend.received('POST /db/canaries').at(-1)).toMatchObject({ body, headers: { 'content-type': type } })
    }
    await fetch(`${gateway.url}/api/db/canaries`, { method: 'POST', headers })
    expect(backend.received('POST /db/canaries').at(-1)?.body).toBe('')
  })

  it('refuses a body over 1 MiB, with or without its length', async () => {
    const headers = { ...(await asAdmin()), 'content-type': 'application/json' }
    const tooLarge = Buffer.alloc(1_048_577, ' ')
    const bodies = [tooLarge, new Blob([tooLarge]).stream()]
    for (const body of bodies) {
      const response = await fetch(`${gateway.url}/api/db/canaries`, {
        method: 'POST',
        headers,
        body,
        duplex: 'half',
      } as RequestInit)
      expect(await errorOf(response)).toMatchObject({ status: 413, code: 'REQUEST_TOO_LARGE' })
    }
    expect(backend.received('POST /db/canaries')).toEqual([])
  })

  it('carries what an agent sends as it comes, up to 32 MiB and without a type, and what it is answered', async () => {
    const headers = { authorization: `Basic ${Buffer.from('token:x').toString('base64')}` }
    backend.json('GET /auth/whoami', { payload: { user: { id: 'agent', name: 'edge', email: '' } } })
    const send = (path: string, body: BodyInit): Promise<Response> =>
      fetch(`${gateway.url}${path}`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
    const full = Buffer.alloc(32 * 1_048_576, ' ')
    for (const path of ['/upstream/push', '/api/upstream/artifacts/1']) {
      const answer = await send(path, full)
      expect([path, answer.status]).toEqual([path, 200])
      await answer.body?.cancel()
    }
    const streamed = full.subarray(0, 2 * 1_048_576)
    expect((await send('/upstream/push', new Blob([streamed]).stream())).status).toBe(200)
    const arrived = backend.requests.filter(({ url }) => url.startsWith('/upstream/'))
    const length = String(full.length)
    expect(
      arrived.map(({ body, headers: sent }) => [body.length, sent['content-length'], sent['content-type']]),
    ).toEqual([
      [full.length, length, undefined],
      [full.length, length, undefined],
      [streamed.length, undefined, undefined],
    ])
    const more = Buffer.concat([full, Buffer.from(' ')])
    expect((await send('/upstream/push', more)).status).toBe(413)
    expect(backend.received('POST /upstream/push')).toHaveLength(2)
  })

  it('leaves the identity service’s bodies, statuses and cookies as they are', async () => {
    const flow = { id: 'f', ui: { messages: [{ id: 4_000_006, text: 'wrong' }] } }
    for (const status of [200, 400, 401, 403, 410, 422]) {
      backend.on('POST /kratos/self-service/login', (_request, response) => {
        response.writeHead(status, {
          'content-type': 'application/json',
          'set-cookie': ['ory_kratos_session=new; HttpOnly', 'csrf_token_1=x'],
        })
        response.end(JSON.stringify(flow))
      })
      const response = await fetch(`${gateway.url}/api/.ory/self-service/login?flow=f`, {
        method: 'POST',
        headers: {
          cookie: 'theme=1; csrf_token_1=c; ory_kratos_continuity=k',
          origin: gateway.url,
          authorization: 'Basic eDp5',
        },
        body: '{}',
      })
      expect([response.status, await response.json()]).toEqual([status, flow])
      expect(response.headers.getSetCookie()).toEqual(['ory_kratos_session=new; HttpOnly', 'csrf_token_1=x'])
    }
    const [received] = backend.received('POST /kratos/self-service/login')
    expect(received?.headers.cookie).toBe('csrf_token_1=c; ory_kratos_continuity=k')
    expect(received?.headers).not.toHaveProperty('authorization')
  })

  it('does not follow redirects of the identity service', async () => {
    backend.on(
      'GET /kratos/self-service/recovery',
      (_request, response) =>
        void response.writeHead(303, { location: '/profile-settings', 'set-cookie': 'ory_kratos_session=s' }).end(),
    )
    const response = await fetch(`${gateway.url}/api/.ory/self-service/recovery?token=t`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/profile-settings'])
  })

  it('lets webhooks in with the credentials they bring', async () => {
    const response = await fetch(`${gateway.url}/api/playbook/webhook/deploy`, {
      method: 'POST',
      headers: { authorization: 'Bearer signed', 'x-hub-signature-256': 's' },
      body: '{}',
    })
    expect(response.status).toBe(200)
    expect(backend.received('POST /playbook/webhook/deploy')[0]?.headers).toMatchObject({
      authorization: 'Bearer signed',
      'x-hub-signature-256': 's',
    })
  })

  it('speaks for everyone when sessions are switched off', async () => {
    await restart({ env: { WATCHROOM_AUTH: 'none' } })
    expect((await fetch(`${gateway.url}/api/canary/api/summary`)).status).toBe(200)
    expect(backend.received('GET /canary/api/summary')[0]?.headers.authorization).toBe(`Bearer ${SERVICE_TOKEN}`)
    expect((await fetch(`${gateway.url}/api/db/connections`)).status).toBe(403)
    const user = { id: '00000000-0000-0000-0000-000000000000' }
    expect(await (await fetch(`${gateway.url}/api/auth/whoami`)).json()).toMatchObject({ payload: { user } })
    const roles = await fetch(`${gateway.url}/api/db/people_roles?id=in.(${user.id})`)
    expect(await roles.json()).toMatchObject([{ ...user, roles: ['editor'] }])
  })

  it('keeps a webhook’s own credential, and no one’s session, where no one signs in', async () => {
    await restart({ env: { WATCHROOM_AUTH: 'none' } })
    const headers = { authorization: 'Basic aG9vazpzZWNyZXQ=', cookie: 'ory_kratos_session=stale' }
    const hook = { method: 'POST', headers: { authorization: headers.authorization }, body: '{}' }
    await (await fetch(`${gateway.url}/api/playbook/webhook/deploy`, hook)).body?.cancel()
    await (await fetch(`${gateway.url}/api/canary/api/summary`, { headers })).body?.cancel()
    const [called] = backend.received('POST /playbook/webhook/deploy')
    const [asked] = backend.received('GET /canary/api/summary')
    expect(called?.headers.authorization).toBe(headers.authorization)
    expect([asked?.headers.authorization, asked?.headers.cookie]).toEqual([`Bearer ${SERVICE_TOKEN}`, undefined])
  })

  it.each(['GET /kubeconfig', 'GET /auth/tokens', 'POST /auth/tokens', 'GET /kubeproxy/api/v1/secrets'])(
    'gives nobody what belongs to its own account: %s',
    async (call) => {
      await restart({ env: { WATCHROOM_AUTH: 'none' } })
      const [method = '', path = ''] = call.split(' ')
      const response = await fetch(`${gateway.url}/api${path}`, { method })
      expect(await errorOf(response)).toMatchObject({ status: 403, code: 'PROXY_PERSON_REQUIRED' })
      expect(backend.received(call)).toEqual([])
    },
  )

  it('answers HEAD, 204 and 304 without a body', async () => {
    const headers = await asAdmin()
    expect((await fetch(`${gateway.url}/api/db/checks`, { method: 'HEAD', headers })).status).toBe(200)
    backend.on('DELETE /people/1', (_request, response) => void response.writeHead(204).end())
    expect((await fetch(`${gateway.url}/api/people/1`, { method: 'DELETE', headers })).status).toBe(204)
    backend.on('GET /db/agents', (_request, response) => void response.writeHead(304, { etag: '"1"' }).end())
    const unchanged = await fetch(`${gateway.url}/api/db/agents`, { headers: { ...headers, 'if-none-match': '"1"' } })
    expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([304, '"1"'])
  })
})

describe('a summary of 10,000 checks', () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({
    id: `check-${index}`,
    name: `check ${index}`,
    status: 'healthy',
    labels: { team: 'x' },
  }))

  it('arrives whole, compressed for who can read it', async () => {
    backend.json('GET /canary/api/summary', { checks_summary: rows })
    const response = await fetch(`${gateway.url}/api/canary/api/summary`, { headers: await asAdmin() })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.json()).toEqual({ checks_summary: rows })
    const plain = await fetch(`${gateway.url}/api/canary/api/summary`, {
      headers: { ...(await asAdmin()), 'accept-encoding': 'identity' },
    })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await plain.json()).toEqual({ checks_summary: rows })
  })

  it.each(['gzip', 'identity'])('streams: the first rows come before the last are made (%s)', async (encoding) => {
    let finish = (): void => undefined
    backend.on('GET /canary/api/summary', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"checks_summary":[1')
      finish = () => response.end(']}')
    })
    const response = await fetch(`${gateway.url}/api/canary/api/summary`, {
      headers: { ...(await asAdmin()), 'accept-encoding': encoding },
    })
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect(Buffer.from(first?.value ?? []).toString()).toContain('{"checks_summary":[1')
    finish()
    await reader?.cancel()
  })
})

describe('a backend in trouble', () => {
  it('is named when it is away, and nobody is signed out by it', async () => {
    const clock = new FakeClock()
    await restart({ clock })
    const headers = await asAdmin()
    expect((await fetch(`${gateway.url}/api/db/checks`, { headers })).status).toBe(200)
    await backend.stop()
    expect(await errorOf(await fetch(`${gateway.url}/api/db/checks`, { headers }))).toMatchObject({
      status: 503,
      code: 'PROXY_BACKEND_UNAVAILABLE',
    })
    await clock.advance(5_000)
    expect(await errorOf(await fetch(`${gateway.url}/api/db/checks`, { headers }))).toMatchObject({
      status: 503,
      code: 'ACCESS_BACKEND_UNAVAILABLE',
    })
    const ready = await fetch(`${gateway.url}/readyz`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({
      ready: false,
      dependencies: { backend: { ready: false, state: 'unreachable' } },
    })
  })

  it('is given a limited time, and runs a longer one', async () => {
    await restart({ deps: { proxyTimeouts: { defaultMs: 1_000, longMs: 60_000 } } })
    const headers = await asAdmin()
    let finishRun = (): void => undefined
    backend.on('POST /canary/run/check/1', (_request, response) => {
      finishRun = () => sendJson(response, 200, {})
    })
    backend.on('GET /db/checks', () => undefined)
    const run = fetch(`${gateway.url}/api/canary/run/check/1`, { method: 'POST', headers })
    const list = await fetch(`${gateway.url}/api/db/checks`, { headers })
    expect(await errorOf(list)).toMatchObject({ status: 504, code: 'PROXY_BACKEND_TIMEOUT' })
    const measured = await (await fetch(`${gateway.url}/metrics`, { headers })).text()
    expect(measured).toContain('watchroom_backend_request_seconds_count{route="/db/checks",status="504"} 1')
    finishRun()
    expect((await run).status).toBe(200)
  })

  it.each([200, 500, 502])('is not believed when it sends a page of HTML with %d', async (status) => {
    backend.on(
      'GET /db/checks',
      (_request, response) => void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>proxy</h1>'),
    )
    expect(await errorOf(await fetch(`${gateway.url}/api/db/checks`, { headers: await asAdmin() }))).toMatchObject({
      status: 502,
      code: 'PROXY_BACKEND_BAD_ANSWER',
    })
  })

  it('keeps the shape of its errors, and gets ours beside it', async () => {
    const body = { code: '23505', message: 'duplicate key', details: null, hint: null }
    backend.json('POST /db/agents', body, 409)
    expect(
      await errorOf(await fetch(`${gateway.url}/api/db/agents`, { method: 'POST', headers: await asAdmin() })),
    ).toMatchObject({
      status: 409,
      kind: 'PROXY_BACKEND_REFUSED',
      error: 'duplicate key',
      ...body,
    })
  })

  it('cannot pass half an answer off as a whole one', async () => {
    backend.on('GET /db/checks', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('[{"id":1},')
      setTimeout(() => response.destroy(), 50)
    })
    for (const encoding of ['identity', 'gzip']) {
      const response = await fetch(`${gateway.url}/api/db/checks`, {
        headers: { ...(await asAdmin()), 'accept-encoding': encoding },
      })
      await expect(response.text()).rejects.toThrow('terminated')
    }
  })

  it('is called again once when it closed a kept connection, but only for a read', async () => {
    const headers = await asAdmin()
    let calls = 0
    const closeFirst = (_request: unknown, response: Parameters<typeof sendJson>[0]): void => {
      calls += 1
      if (calls === 1) response.destroy()
      else sendJson(response, 200, [])
    }
    backend.on('GET /db/checks', closeFirst)
    expect((await fetch(`${gateway.url}/api/db/checks`, { headers })).status).toBe(200)
    calls = 0
    backend.on('POST /db/canaries', closeFirst)
    const response = await fetch(`${gateway.url}/api/db/canaries`, { method: 'POST', headers, body: '{}' })
    expect(await errorOf(response)).toMatchObject({ status: 502, code: 'PROXY_BACKEND_BAD_ANSWER' })
    expect(calls).toBe(1)
  })

  it('is not kept working for someone who has left', async () => {
    const headers = await asAdmin()
    const closed = new Promise<void>((resolve) => {
      backend.on('POST /canary/run/check/1', (_request, response) => void response.on('close', resolve))
    })
    const abort = new AbortController()
    const call = fetch(`${gateway.url}/api/canary/run/check/1`, {
      method: 'POST',
      headers,
      signal: abort.signal,
    }).catch(() => undefined)
    while (backend.received('POST /canary/run/check/1').length === 0) await wait(5)
    abort.abort()
    await call
    await closed
    expect(backend.received('POST /canary/run/check/1')).toHaveLength(1)
  })
})

describe('a download that is broken off', () => {
  interface LogLine {
    readonly level: number
    readonly msg: string
    /** Only lines about a request have one. */
    readonly reqId?: string
  }

  it.each([
    ['before its first byte', 'GET', ''],
    ['in the middle', 'GET', 'x'.repeat(100_000)],
    ['before its first byte, having been asked for with a body', 'POST', ''],
    ['in the middle, having been asked for with a body', 'POST', 'x'.repeat(100_000)],
  ])('is no error when that is %s', async (_, method, first) => {
    const lines: LogLine[] = []
    const write = (line: string): void => void lines.push(JSON.parse(line) as LogLine)
    await restart({ logger: createLogger({ level: 'debug', destination: { write } }) })
    const headers = { ...(await asAdmin()), 'content-type': 'application/json' }
    let isServed = false
    backend.on(`${method} /catalog/changes`, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/zip' }).flushHeaders()
      if (first !== '') response.write(first)
      isServed = true
    })
    const abort = new AbortController()
    const body = method === 'POST' ? { body: '{}' } : {}
    const call = fetch(`${gateway.url}/api/catalog/changes`, { method, headers, signal: abort.signal, ...body })
    await expect.poll(() => isServed).toBe(true)
    if (first !== '') await call
    else await wait(100)
    abort.abort()
    await call.catch(() => undefined)
    await wait(200)
    const told = lines.filter(({ reqId, level }) => reqId !== undefined && level > 20)
    expect(told).toEqual([])
  })
})

describe('something else than a backend', () => {
  let nonsense: Server

  beforeEach(async () => {
    nonsense = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', () => socket.end('SSH-2.0-OpenSSH\r\n'))
    }).listen(0, '127.0.0.1')
    await once(nonsense, 'listening')
  })

  afterEach(() => nonsense.close())

  it('is told apart from a backend that is away', async () => {
    const { port } = nonsense.address() as { port: number }
    const lost = await startGateway({ backend: { url: `http://127.0.0.1:${port}` } })
    const response = await fetch(`${lost.url}/api/health`)
    expect(await errorOf(response)).toMatchObject({ status: 502, code: 'PROXY_BACKEND_BAD_ANSWER' })
    await lost.stop()
  })
})

describe('the table and the proxy', () => {
  it('agree on the health product’s own paths', async () => {
    const headers = await asAdmin()
    await fetch(`${gateway.url}/api/canary/api/graph?check=1&count=300&start=1h`, { headers })
    expect(backend.received('GET /canary/api/graph')[0]?.url).toBe('/canary/api/graph?check=1&count=300&start=1h')
    expect(findRoute('GET', '/canary/api/graph').kind).toBe('found')
    expect(await (await fetch(`${gateway.url}/api/_health`)).json()).toEqual({ health: 'ok' })
  })
})
