import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FakeBackend } from '#support/fakeBackend.ts'
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
