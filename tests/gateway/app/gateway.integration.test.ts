import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'

import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { FakeBackend, sendJson } from '#support/fakeBackend.ts'
import { type RunningGateway, startGateway } from '#support/gateway.ts'
import { rawRequest } from '#support/rawRequest.ts'
import { TEST_HOSTS } from '#support/testHosts.ts'

import { createUpgradeRouter } from '../../../gateway/src/app/upgradeRouter.ts'
import { createLogger } from '../../../gateway/src/platform/logger.ts'

let backend: FakeBackend
let gateway: RunningGateway

beforeEach(async () => {
  backend = await FakeBackend.start()
  gateway = await startGateway({ backend, deps: { hasProcessMetrics: true } })
})

afterEach(async () => {
  await gateway.stop()
  await backend.stop()
})

const upgradeTo = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`

it('answers who asks for organizations before signing in that there are none to choose from', async () => {
  const answer = await fetch(`${gateway.url}/gateway/hosted/organizations`)
  expect([answer.status, await answer.json()]).toEqual([200, null])
})

describe('operations', () => {
  it('is alive without a backend, and ready only with one', async () => {
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200)
    expect(await (await fetch(`${gateway.url}/healthz`)).json()).toEqual({ status: 'ok' })
    const lost = await startGateway({ backend: { url: 'unix:/nowhere/backend.sock' } })
    expect((await fetch(`${lost.url}/healthz`)).status).toBe(200)
    const ready = await fetch(`${lost.url}/readyz`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({ dependencies: { backend: { ready: false, state: 'unreachable' } } })
    await lost.stop()
  })

  it('says who it is at the backend, what it is not shown there, and what to do about it', async () => {
    const whoAmI = 'GET /auth/whoami'
    const ask = async () => {
      const text = await gateway.gateway.meetBackend()
      const { dependencies } = (await (await fetch(`${gateway.url}/readyz`)).json()) as { dependencies: object }
      const { headers } = await gateway.signInAs('admin')
      const told = await (await fetch(`${gateway.url}/gateway/credential`, { headers })).json()
      const { headers: editor } = await gateway.signInAs('editor')
      expect((await fetch(`${gateway.url}/gateway/credential`, { headers: editor })).status).toBe(403)
      return { text, dependencies, told }
    }
    const user = { id: 'u', name: 'Watchroom Poller' }
    backend.json(whoAmI, { payload: { user, roles: ['everyone', 'admin', 'admin'] } })
    const sound = await ask()
    expect(sound.text).toBe('The gateway polls as Watchroom Poller, admin.')
    expect(sound.told).toEqual({ isSound: true, text: sound.text })
    expect(sound.dependencies).toMatchObject({ credential: { ready: true, state: 'polls as admin' } })
    backend.on('GET /db/agents_summary', (_request, response) => void response.writeHead(403).end('Access Denied'))
    const small = await ask()
    expect(small.text).toMatch(/does not show it agents: .*BACKEND_TOKEN/s)
    expect(small.told).toEqual({ isSound: false, text: small.text })
    for (const table of ['notifications_summary', 'job_histories', 'properties', 'logging_backends']) {
      backend.on(`GET /db/${table}`, (_request, response) => void response.writeHead(403).end('Access Denied'))
    }
    backend.on('PATCH /db/evidences', (_request, response) => void response.writeHead(403).end('Access Denied'))
    const smaller = await ask()
    expect(smaller.text).toMatch(/does not show it agents, feature flags, notifications, jobs, logging backends: /)
    expect(smaller.text).toMatch(/may not write incidents: .* not saved there\. Set BACKEND_TOKEN/)
    expect(smaller.dependencies).toMatchObject({
      credential: { ready: false, state: expect.stringContaining('may not save incidents') },
    })
    // Of a proxy on the way: the backend has said nothing.
    backend.on(whoAmI, (_request, response) => void response.writeHead(400).end('Request Header Or Cookie Too Large'))
    expect((await ask()).text).toBe(smaller.text)
    for (const [status, words] of [
      [400, 'invalid access token'],
      [401, 'Unauthorized'],
    ] as const) {
      backend.on(whoAmI, (_request, response) => void response.writeHead(status).end(words))
      const refused = await ask()
      expect(refused.text).toMatch(new RegExp(`refuses the gateway's credential \\(${status}\\).*BACKEND_TOKEN`, 's'))
      expect(refused.dependencies).toMatchObject({ credential: { ready: false, state: 'refused' } })
    }
    expect(JSON.stringify(small.dependencies)).not.toContain('Poller')
  })

  it('asks a few things at once, however much it wants to know at its start', async () => {
    let [underWay, most] = [0, 0]
    const held: (() => void)[] = []
    // As slow as a server that checks a token of five parts for each call.
    const hold = (response: ServerResponse): void => {
      underWay += 1
      most = Math.max(most, underWay)
      held.push(() => {
        underWay -= 1
        sendJson(response, 200, [])
      })
    }
    backend.json('GET /auth/whoami', { payload: { user: { id: 'u', name: 'Poller' }, roles: ['admin'] } })
    const tables = [
      'agents_summary',
      'notifications_summary',
      'job_histories',
      'properties',
      'logging_backends',
      'teams',
      'playbooks',
      'topologies',
    ]
    // Others of the gateway read tables meanwhile: only what asks for no rows is asked by its start.
    for (const table of tables) {
      backend.on(`GET /db/${table}`, (request, response) => {
        if (request.url?.includes('limit=0')) hold(response)
        else sendJson(response, 200, [])
      })
    }
    const met = gateway.gateway.meetBackend()
    const timer = setInterval(() => held.shift()?.(), 25)
    onTestFinished(() => clearInterval(timer))
    await met
    // Fewer where answers leave faster than questions come.
    expect(most).toBeLessThanOrEqual(4)
    for (const table of tables) expect(backend.received(`GET /db/${table}`)).not.toEqual([])
  })

  it('warns of a credential with which everyone would be an administrator where nobody signs in', async () => {
    const told: unknown[] = []
    for (const role of ['admin', 'editor']) {
      backend.json('GET /auth/whoami', { payload: { user: { id: 'u', name: 'Poller' }, roles: ['everyone', role] } })
      const started = await startGateway({ backend, env: { WATCHROOM_AUTH: 'none' } })
      const text = await started.gateway.meetBackend()
      const { dependencies } = (await (await fetch(`${started.url}/readyz`)).json()) as { dependencies: object }
      told.push([text, dependencies])
      await started.stop()
    }
    expect(told).toEqual([
      [
        expect.stringMatching(/acts as an administrator there\. Set BACKEND_TOKEN to the credential of an editor/),
        expect.objectContaining({ credential: expect.objectContaining({ ready: false }) }),
      ],
      [
        'The gateway polls as Poller, editor.',
        expect.objectContaining({ credential: expect.objectContaining({ ready: true }) }),
      ],
    ])
  })

  it('lets people in by their own credential where that of the gateway is refused', async () => {
    backend.on('GET /db/people_roles', ({ headers }, response) =>
      headers.cookie === undefined
        ? void response.writeHead(401).end('Unauthorized')
        : sendJson(response, 200, [{ id: 'x', roles: ['editor'] }]),
    )
    const { headers } = await gateway.signInAs('editor')
    expect((await fetch(`${gateway.url}/api/properties`, { headers })).status).toBe(200)
    expect(backend.received('GET /db/people_roles').at(-1)?.headers.cookie).toContain('ory_kratos_session')
  })

  it('is no longer ready while it drains', async () => {
    await gateway.gateway.drain()
    const ready = await fetch(`${gateway.url}/readyz`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({ ready: false, stopping: true })
  })

  it('measures requests by template, never by path', async () => {
    const { headers } = await gateway.signInAs('admin')
    await (await fetch(`${gateway.url}/api/auth/11111111-secret/properties`, { method: 'POST', headers })).text()
    await (await fetch(`${gateway.url}/made/up/path`)).text()
    const text = await (await fetch(`${gateway.url}/metrics`, { headers })).text()
    expect(text).toContain(
      'watchroom_http_request_seconds_count{method="POST",route="/api/auth/{id}/properties",status="200"} 1',
    )
    expect(text).toContain('watchroom_backend_request_seconds_count{route="/auth/{id}/properties",status="200"} 1')
    expect(text).toContain('nodejs_eventloop_lag_seconds')
    expect(text).not.toContain('secret')
    expect(text).not.toContain('made/up')
  })

  it('gives every request an id, and keeps a plain one it was given', async () => {
    const own = (await fetch(`${gateway.url}/healthz`)).headers.get('x-request-id')
    expect(own).toMatch(/^[\da-f-]{36}$/)
    const given = await fetch(`${gateway.url}/healthz`, { headers: { 'x-request-id': 'trace:1' } })
    expect(given.headers.get('x-request-id')).toBe('trace:1')
    const odd = await fetch(`${gateway.url}/healthz`, { headers: { 'x-request-id': 'a b' } })
    expect(odd.headers.get('x-request-id')).not.toBe('a b')
  })

  it('answers a path that cannot be decoded in the envelope', async () => {
    const answer = await fetch(`${gateway.url}/%zz`)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ kind: 'REQUEST_INVALID' })
  })
})

describe('upgrades', () => {
  it('refuses an unknown path with a plain 404 and nothing else', async () => {
    expect(await rawRequest(gateway.url, upgradeTo('/nowhere'))).toBe(
      'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    )
    expect(await rawRequest(gateway.url, upgradeTo('/api/db/checks'))).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('does not answer in the place of Socket.IO', async () => {
    const answer = await rawRequest(gateway.url, upgradeTo('/socket.io/?EIO=4&transport=nonsense'))
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it('leads to the handler of the longest matching path', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const router = createUpgradeRouter({
      server,
      hosts: TEST_HOSTS,
      createId: randomUUID,
      logger: createLogger({ level: 'silent' }),
    })
    const say = (word: string) => (_request: unknown, socket: Duplex) => void socket.end(word)
    router.add('/collab/', say('all'))
    router.add('/collab/incident/', say('incident'))
    const { port } = server.address() as { port: number }
    const ask = (path: string): Promise<string> => rawRequest(`http://127.0.0.1:${port}`, upgradeTo(path))
    expect(await ask('/collab/incident/1?x=/nowhere/')).toBe('incident')
    expect(await ask('/collab/x')).toBe('all')
    expect(await ask('/collaboration')).toContain('404')
    router.close()
    server.close()
  })

  it('survives a peer that resets while it is refused', async () => {
    const { hostname, port } = new URL(gateway.url)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(upgradeTo('/nowhere'), () => socket.resetAndDestroy())
      })
      socket.on('close', () => resolve())
    })
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
  })
})

describe('close', () => {
  it('lets an answer under way finish', async () => {
    const { headers } = await gateway.signInAs('admin')
    let finish = (): void => undefined
    const arrived = new Promise<void>((resolve) => {
      backend.on('GET /db/checks', (_request, response) => {
        finish = () => response.end('[]')
        resolve()
      })
    })
    const call = fetch(`${gateway.url}/api/db/checks`, { headers })
    await arrived
    await gateway.gateway.drain()
    const closed = gateway.gateway.close()
    finish()
    expect((await call).status).toBe(200)
    await closed
    await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow('fetch failed')
  })
})
