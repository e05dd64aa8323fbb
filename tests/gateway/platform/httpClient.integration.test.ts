import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FakeBackend, sendJson } from '#support/fakeBackend.ts'

import { type BackendClient, createBackendClient } from '../../../gateway/src/platform/httpClient.ts'

let backend: FakeBackend
let client: BackendClient

beforeEach(async () => {
  backend = await FakeBackend.start()
  client = createBackendClient({ backendUrl: `${backend.url}/base/`, token: 'service' })
})

afterEach(async () => {
  await client.close()
  await backend.stop()
})

describe('createBackendClient', () => {
  it('adds the base path, and its own credential unless it speaks for a caller', async () => {
    await (await client.request({ path: '/x?a=b' })).text()
    await (await client.request({ path: '/x', credential: 'caller', headers: { cookie: 'c=1' } })).text()
    expect(backend.requests.map(({ url, headers }) => [url, headers.authorization, headers.cookie])).toEqual([
      ['/base/x?a=b', 'Bearer service', undefined],
      ['/base/x', undefined, 'c=1'],
    ])
    expect(client.hasServiceCredential).toBe(true)
    const bare = createBackendClient({ backendUrl: backend.url })
    expect(bare.hasServiceCredential).toBe(false)
    await bare.close()
  })

  it('gives any status back: what it means is the caller’s business', async () => {
    backend.json('POST /base/x', { error: 'no' }, 422)
    const response = await client.request({
      path: '/x',
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect([response.status, await response.json()]).toEqual([422, { error: 'no' }])
  })

  it('takes a header that came twice for one', async () => {
    backend.on('GET /base/x', (_request, response) => {
      const types = ['application/json; charset=utf-8', 'application/vnd.pgrst.object+json']
      const repeated = { 'content-type': types, vary: ['Accept', 'Origin'], 'set-cookie': ['a=1', 'b=2'] }
      response.writeHead(
        406,
        Object.entries(repeated).flatMap(([name, values]) => values.flatMap((value) => [name, value])),
      )
      response.end('{}')
    })
    const response = await client.request({ path: '/x' })
    response.discard()
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      vary: 'Accept, Origin',
      'set-cookie': ['a=1', 'b=2'],
    })
  })

  it('says that an answer is broken when it is not JSON', async () => {
    backend.on('GET /base/x', (_request, response) => void response.end('<html>'))
    const response = await client.request({ path: '/x' })
    await expect(response.json()).rejects.toMatchObject({ name: 'BackendFailure', kind: 'broken' })
  })

  it('says that an answer is broken when it ends early', async () => {
    backend.on('GET /base/x', (_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      setTimeout(() => response.destroy(), 20)
    })
    const response = await client.request({ path: '/x' })
    await expect(response.text()).rejects.toMatchObject({ kind: 'broken' })
  })

  it('tells a slow backend from one that is away, and both from a caller who left', async () => {
    backend.on('GET /base/slow', () => undefined)
    await expect(client.request({ path: '/slow', timeoutMs: 200 })).rejects.toMatchObject({ kind: 'timeout' })
    await expect(client.request({ path: '/slow', signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: 'aborted',
    })
    await backend.stop()
    await expect(client.request({ path: '/x' })).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('uses the connection of a short answer that nobody reads again', async () => {
    const sockets = new Set<unknown>()
    backend.on('GET /base/short', (_request, response) => {
      sockets.add(response.socket)
      // In pieces, as a server sends what it does not know the length of.
      response.write('[')
      setTimeout(() => response.end(']'), 5)
    })
    for (let n = 0; n < 5; n++) {
      ;(await client.request({ path: '/short' })).discard()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(sockets.size).toBe(1)
  })

  it('frees the connection of an answer that nobody reads', async () => {
    backend.on('GET /base/large', (_request, response) => void response.end(Buffer.alloc(1_000_000)))
    for (let n = 0; n < 300; n++) (await client.request({ path: '/large' })).discard()
    backend.on('GET /base/x', (_request, response) => sendJson(response, 200, 1))
    expect(await (await client.request({ path: '/x' })).json()).toBe(1)
  })
})

describe('over a unix socket', () => {
  let directory: string
  let server: Server

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'watchroom-client-'))
    server = createServer((request, response) => response.end(request.url))
    await new Promise<void>((resolve) => server.listen(join(directory, 's'), resolve))
  })

  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await rm(directory, { recursive: true })
  })

  it('finds the backend, and finds it again after it came back', async () => {
    const socket = createBackendClient({ backendUrl: `unix:${join(directory, 's')}` })
    expect(await (await socket.request({ path: '/a%20b?x' })).text()).toBe('/a%20b?x')
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
    await expect(socket.request({ path: '/a' })).rejects.toMatchObject({ kind: 'unavailable' })
    await new Promise<void>((resolve) => server.listen(join(directory, 's'), resolve))
    expect(await (await socket.request({ path: '/a' })).text()).toBe('/a')
    await socket.close()
  })
})

describe('the credential of the gateway', () => {
  const SIX_PARTS = 'c2Vj_cmV0.eyJrdHkiOiJPS1AifQ==.c2FsdA.1.65536.4'

  it.each([
    ['an access token of five parts', 'c2Vj_cmV0.c2FsdA.1.8192.1', `Basic ${btoa('token:c2Vj_cmV0.c2FsdA.1.8192.1')}`],
    ['one of six, as newer servers make them', SIX_PARTS, `Basic ${btoa(`token:${SIX_PARTS}`)}`],
    ['a person', 'ada@example.test:pa:ss', `Basic ${btoa('ada@example.test:pa:ss')}`],
    ['anything else', 'eyJhbGciOi.J9.x', 'Bearer eyJhbGciOi.J9.x'],
  ])('goes as the backend takes it: %s', async (_what, token, authorization) => {
    const asked = createBackendClient({ backendUrl: backend.url, token })
    for (const credential of ['service', 'caller'] as const) (await asked.request({ path: '/x', credential })).discard()
    const [own, callers] = backend.received('GET /x').slice(-2)
    expect(own?.headers.authorization).toBe(authorization)
    expect(callers?.headers.authorization).toBeUndefined()
    await asked.close()
  })
})
