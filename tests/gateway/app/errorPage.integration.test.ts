import { GATEWAY_ROUTES, ROUTE_ACCESS, type RouteRule } from '@watchroom/shared/access'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FakeBackend } from '#support/fakeBackend.ts'
import { type RunningGateway, startGateway } from '#support/gateway.ts'
import { rawRequest } from '#support/rawRequest.ts'

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

/** As Chromium opens an address. */
const NAVIGATING = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

const open = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(gateway.url + path, { headers: { ...NAVIGATING, ...headers } })

/** What a person reads; null where it is no page. */
async function wordsOf(response: Response): Promise<string | null> {
  const html = await response.text()
  if (response.headers.get('content-type') !== 'text/html; charset=utf-8') return null
  return /<h1>(.*)<\/h1>/.exec(html)?.[1] ?? null
}

const CALLBACK = '/api/.ory/self-service/methods/oidc/callback/corp?code=1&state=2'

describe('what a browser reads that opened an address', () => {
  it('is a page wherever a session is missing', async () => {
    const rules: readonly RouteRule[] = [
      ...Object.values(GATEWAY_ROUTES),
      ...ROUTE_ACCESS.map((rule) => ({ ...rule, path: `/api${rule.path}` })),
    ]
    const guarded = rules.filter(({ method, access }) => (method === 'GET' || method === 'ANY') && access !== 'public')
    expect(guarded.length).toBeGreaterThan(40)
    const wrong: string[] = []
    for (const { path } of guarded) {
      const address = path.replaceAll(/\{\w+\}/g, 'x').replace(/\*$/, 'x/y')
      const response = await open(address)
      const words = await wordsOf(response)
      if (response.status !== 401 || words !== 'Sign in to continue')
        wrong.push(`${address}: ${response.status} ${words}`)
    }
    expect(wrong).toEqual([])
  })

  it('says when to come back where sign-ins elsewhere return to, too often', async () => {
    await gateway.stop()
    gateway = await startGateway({ backend, deps: { signInsPerMinute: 1 } })
    await (await open(CALLBACK)).body?.cancel()
    const response = await open(CALLBACK)
    expect(response.status).toBe(429)
    const seconds = response.headers.get('retry-after')
    expect(await wordsOf(response)).toBe(`Too many attempts, try again in ${seconds} s`)
    const script = await fetch(gateway.url + CALLBACK, { headers: { accept: 'application/json' } })
    expect([script.status, await script.json()]).toMatchObject([429, { kind: 'ACCESS_RATE_LIMITED' }])
  })

  it('is in words when the identity service fails, which scripts are told as it says it', async () => {
    const failed = {
      error: { code: 500, status: 'Internal Server Error', message: 'An internal server error occurred' },
    }
    backend.json('GET /kratos/self-service/recovery', failed, 500)
    const link = '/api/.ory/self-service/recovery?token=x'
    const response = await open(link)
    expect([response.status, await wordsOf(response)]).toEqual([500, 'An internal server error occurred'])
    expect(await (await fetch(gateway.url + link)).json()).toEqual(failed)
  })

  it('is what the backend refused it with, as text and nothing else', async () => {
    backend.json('GET /artifacts/download/x', { error: 'no file <img src=x> & more', message: 'gone' }, 404)
    const { headers } = await gateway.signInAs('viewer')
    const response = await open('/api/artifacts/download/x', headers)
    expect([response.status, await wordsOf(response)]).toEqual([404, 'no file &#60;img src=x&#62; &#38; more'])
  })

  it('says that nobody answers, with the request to look for in the log', async () => {
    await backend.stop()
    const response = await open('/api/.ory/self-service/verification?token=x', { 'x-request-id': 'mine-1' })
    expect([response.status, response.headers.get('cache-control')]).toEqual([503, 'no-store'])
    const html = await response.text()
    expect(html).toContain('<h1>The backend does not answer</h1>')
    expect(html).toContain('Wait a moment, then reload this page.')
    expect(html).toContain('Error 503 · request mine-1')
  })

  it('may use nothing but its own style', async () => {
    const response = await open('/api/nothing')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none';style-src 'sha256-[\w+/=]+';base-uri 'none';form-action 'none'/)
    expect(await response.text()).not.toMatch(/<script|<link|<img| style=| on\w+=/)
  })

  it('is a page for the wrong name, too, without leading anywhere else', async () => {
    await gateway.stop()
    gateway = await startGateway({ backend, env: { WATCHROOM_PUBLIC_URL: 'https://watchroom.test' } })
    const answer = await rawRequest(
      gateway.url,
      `GET /health HTTP/1.1\r\nHost: elsewhere.test\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 421 /)
    expect(answer).toContain('<h1>This server does not answer to the name it was addressed by')
    expect(answer).not.toMatch(/^location:/im)
  })
})
