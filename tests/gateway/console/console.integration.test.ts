import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { FakeBackend } from '#support/fakeBackend.ts'
import { type RunningGateway, startGateway } from '#support/gateway.ts'
import { rawRequest } from '#support/rawRequest.ts'

const PAGE = '<!doctype html><div id="root"></div>'
const OWN_PAGE = '<!doctype html><link rel="modulepreload" href="/assets/own.js"><div id="root"></div>'
const SCRIPT = `export const text = '${'watch '.repeat(1_000)}'`
const STYLE = `.a{color:red}${' '.repeat(2_000)}`

let webRoot: string
let backend: FakeBackend
let gateway: RunningGateway

beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'watchroom-console-'))
  await mkdir(join(webRoot, 'assets'))
  await mkdir(join(webRoot, 'pages/incidents'), { recursive: true })
  await Promise.all([
    writeFile(join(webRoot, 'index.html'), PAGE),
    writeFile(join(webRoot, 'pages/topology.html'), OWN_PAGE),
    writeFile(join(webRoot, 'pages/incidents/$id.html'), OWN_PAGE),
    writeFile(join(webRoot, 'favicon.svg'), '<svg/>'),
    writeFile(join(webRoot, '.hidden'), 'secret'),
    writeFile(join(webRoot, 'assets/app-1a2b.js'), SCRIPT),
    writeFile(join(webRoot, 'assets/app-1a2b.js.br'), brotliCompressSync(SCRIPT)),
    writeFile(join(webRoot, 'assets/app-1a2b.js.gz'), gzipSync(SCRIPT)),
    writeFile(join(webRoot, 'assets/app-1a2b.css'), STYLE),
  ])
  backend = await FakeBackend.start()
  gateway = await startGateway({ backend, webRoot })
})

afterAll(async () => {
  await gateway.stop()
  await backend.stop()
  await rm(webRoot, { recursive: true })
})

const visit = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(gateway.url + path, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' })

describe('the page', () => {
  it.each(['/', '/health', '/health?checkId=1', '/settings/canaries/1', '/view/topology/x.y', '/login'])(
    'opens %s',
    async (path) => {
      const response = await visit(path)
      expect([response.status, await response.text()]).toEqual([200, PAGE])
      expect(response.headers.get('cache-control')).toBe('no-cache')
    },
  )

  it.each(['/topology', '/topology?status=unhealthy', '/incidents/0191f0aa-1111-7000-8000-000000000001'])(
    'names the scripts that %s is going to need',
    async (path) => {
      const response = await visit(path)
      expect([response.status, await response.text()]).toEqual([200, OWN_PAGE])
      expect(response.headers.get('cache-control')).toBe('no-cache')
    },
  )

  it.each(['/topology/..', '/incidents/1/more', '/incidents/%2e%2e', '/incidents/a$b', '/pages'])(
    'is the common one at %s',
    async (path) => {
      const answer = await rawRequest(
        gateway.url,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
      )
      expect(answer).toContain(PAGE)
    },
  )

  it('is not sent again while it is unchanged', async () => {
    const etag = (await visit('/health')).headers.get('etag') ?? ''
    // Not with fetch: given this header, it also asks every cache on the way not to answer.
    const again = await rawRequest(
      gateway.url,
      `GET /health HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nIf-None-Match: ${etag}\r\nConnection: close\r\n\r\n`,
    )
    expect(again).toMatch(/^HTTP\/1\.1 304 /)
    expect(again.split('\r\n\r\n')[1]).toBe('')
  })

  it.each(['/assets/gone-9f.js', '/api/nothing', '/collab/nothing'])(
    'does not stand in for %s opened by a person, and says so in words',
    async (path) => {
      const response = await visit(path)
      expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store'])
      expect(await response.text()).toMatch(/<h1>(?:There is nothing here|Invalid api endpoint)<\/h1>/)
    },
  )

  it.each([
    ['/logo.png', 'image/png'],
    ['/health', 'application/json'],
  ])('does not stand in for %s asked for as %s', async (path, accept) => {
    const response = await visit(path, { accept })
    expect(response.status).toBe(404)
    expect(await response.json()).toHaveProperty('kind')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('answers a form post to a page with 404', async () => {
    const response = await fetch(`${gateway.url}/health`, { method: 'POST', headers: { accept: 'text/html' } })
    expect(response.status).toBe(404)
  })

  it('moves old catalog addresses for good', async () => {
    const response = await visit('/config/abc/changes?tab=x')
    expect([response.status, response.headers.get('location')]).toEqual([308, '/catalog/abc/changes?tab=x'])
  })
})

describe('files', () => {
  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('come as the build compressed them for %s', async (acceptEncoding, encoding) => {
    const response = await visit('/assets/app-1a2b.js', { 'accept-encoding': acceptEncoding })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('content-type')).toMatch(/^(text|application)\/javascript/)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('vary')).toBe('accept-encoding')
    expect(await response.text()).toBe(SCRIPT)
  })

  it('are compressed on the way when the build did not', async () => {
    const response = await visit('/assets/app-1a2b.css', { 'accept-encoding': 'gzip, br' })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.text()).toBe(STYLE)
  })

  it('without a hash in the name are asked for again', async () => {
    expect((await visit('/favicon.svg')).headers.get('cache-control')).toBe('no-cache')
  })

  it('outside the directory, and hidden ones, do not exist', async () => {
    for (const path of ['/.hidden', '/../package.json', '/assets/..%2f..%2f.hidden', '/%2e%2e/%2e%2e/etc/passwd']) {
      const answer = await rawRequest(
        gateway.url,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      )
      expect(answer, path).toMatch(/^HTTP\/1\.1 40[034] /)
      expect(answer).not.toMatch(/secret|root:/)
    }
  })
})

describe('what browsers are told', () => {
  it('allows our own files only, and sockets to this host', async () => {
    const { headers } = await visit('/')
    const { host } = new URL(gateway.url)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("style-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain(`connect-src 'self' ws://${host} wss://${host}`)
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toContain('upgrade-insecure-requests')
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
    })
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('strict-transport-security')).toBeNull()
  })

  it('keeps a made-up host out of the policy', async () => {
    const answer = await rawRequest(gateway.url, 'GET / HTTP/1.1\r\nHost: x;script-src *\r\nConnection: close\r\n\r\n')
    expect(answer).not.toContain('script-src *')
  })
})

describe('without a built client', () => {
  it('says how to build it, and serves the API all the same', async () => {
    const bare = await startGateway({ backend, webRoot: join(webRoot, 'missing') })
    const response = await fetch(`${bare.url}/health`, { headers: { accept: 'text/html' } })
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('npm run build')
    expect((await fetch(`${bare.url}/api/_health`)).status).toBe(200)
    await bare.stop()
  })
})
