// DNS rebinding: a page of a foreign name that resolves to this server is same-origin to a browser. It gets nothing here.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ApiErrorSchema } from '@watchroom/shared/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { FakeBackend } from '#support/fakeBackend.ts'
import { type RunningGateway, startGateway } from '#support/gateway.ts'
import { rawRequest } from '#support/rawRequest.ts'

let backend: FakeBackend
let gateway: RunningGateway
let webRoot: string

beforeAll(async () => {
  backend = await FakeBackend.start()
  webRoot = await mkdtemp(join(tmpdir(), 'watchroom-web-'))
  await writeFile(join(webRoot, 'index.html'), '<p>the page</p>')
  gateway = await startGateway({
    backend,
    webRoot,
    env: { WATCHROOM_AUTH: 'none', WATCHROOM_PUBLIC_URL: 'https://watch.example.com,https://other.example.com' },
    // Sockets of documents are there to be refused; their database is not needed for that.
    deps: { databaseUrl: () => null },
  })
})

afterAll(async () => {
  await gateway.stop()
  await backend.stop()
  await rm(webRoot, { recursive: true, force: true })
})

const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n\r\n`
const get = (path: string, ...headers: readonly string[]): Promise<string> =>
  rawRequest(gateway.url, lines(`GET ${path} HTTP/1.1`, 'Connection: close', ...headers))
const upgrade = (path: string, ...headers: readonly string[]): Promise<string> =>
  rawRequest(
    gateway.url,
    lines(
      `GET ${path} HTTP/1.1`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    ),
  )
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1])

const PATHS = [
  '/',
  '/index.html',
  '/healthz',
  '/readyz',
  '/metrics',
  '/api/_health',
  '/api/auth/whoami',
  '/api/db/checks',
  '/api/kratos/sessions/whoami',
  '/gateway/release',
  '/upstream/ping',
  '/socket.io/?EIO=4&transport=polling',
  '/nowhere',
  '/%zz',
]

describe('a foreign name', () => {
  it.each(PATHS)('is not answered at %s', async (path) => {
    const answer = await get(path, 'Host: evil.test')
    expect(statusOf(answer)).toBe(421)
    const body = ApiErrorSchema.parse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)))
    expect(body.kind).toBe('REQUEST_HOST_UNKNOWN')
    // The gateway's own calls are not made for anyone.
    expect(backend.requests.filter((request) => request.headers['x-forwarded-host'] !== undefined)).toEqual([])
  })

  it.each(['/socket.io/?EIO=4&transport=websocket', '/collab/incident/1', '/nowhere'])(
    'opens no socket at %s',
    async (path) => {
      for (const origin of ['http://evil.test', 'http://127.0.0.1']) {
        const answer = await upgrade(path, 'Host: evil.test', `Origin: ${origin}`, 'X-Session-Token: x')
        expect(statusOf(answer)).toBe(421)
        expect(answer).toContain('REQUEST_HOST_UNKNOWN')
        expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
      }
    },
  )

  it.each([
    ['two hosts', 'GET /healthz HTTP/1.1', ['Host: 127.0.0.1', 'Host: evil.test']],
    ['a whole address', 'GET http://evil.test/healthz HTTP/1.1', ['Host: 127.0.0.1']],
    ['no host', 'GET /healthz HTTP/1.0', []],
    ['a list', 'GET /healthz HTTP/1.1', ['Host: 127.0.0.1, evil.test']],
    ['a forwarded name', 'GET /healthz HTTP/1.1', ['Host: evil.test', 'X-Forwarded-Host: 127.0.0.1']],
    [
      'a change with a same-origin mark',
      'POST /api/db/canaries HTTP/1.1',
      ['Host: evil.test', 'Sec-Fetch-Site: same-origin'],
    ],
  ])('does not hide in %s', async (_name, line, headers) => {
    const answer = await rawRequest(gateway.url, lines(line, 'Connection: close', ...headers))
    expect([400, 421]).toContain(statusOf(answer))
  })

  it('in an upgrade without a host is refused too', async () => {
    expect(statusOf(await upgrade('/socket.io/?EIO=4&transport=websocket', 'Origin: http://127.0.0.1'))).toBe(421)
  })
})

describe('a name of ours', () => {
  const hosts = ['127.0.0.1', 'localhost:3000', '[::1]:3000', '10.0.0.7', 'WATCH.example.com', 'other.example.com.:443']

  it.each(hosts)('is answered: %s', async (host) => {
    expect(statusOf(await get('/', `Host: ${host}`))).toBe(200)
    expect(statusOf(await get('/api/auth/whoami', `Host: ${host}`))).toBe(200)
  })

  it.each(['127.0.0.1:3000', 'watch.example.com'])('opens sockets for pages of %s alone', async (host) => {
    const path = '/socket.io/?EIO=4&transport=websocket'
    const open = (origin: string): Promise<string> => upgrade(path, `Host: ${host}`, `Origin: ${origin}`)
    expect(statusOf(await open('http://evil.test'))).toBe(400)
    const { hostname, port } = new URL(gateway.url)
    const first = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        const headers = [`Host: ${host}`, `Origin: https://${host}`, 'Connection: Upgrade', 'Upgrade: websocket']
        socket.write(
          lines(
            `GET ${path} HTTP/1.1`,
            ...headers,
            'Sec-WebSocket-Version: 13',
            'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
          ),
        )
      })
      socket.once('data', (chunk) => {
        socket.destroy()
        resolve(chunk.toString())
      })
    })
    expect(statusOf(first)).toBe(101)
  })
})
