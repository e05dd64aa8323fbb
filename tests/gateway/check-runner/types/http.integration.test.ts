import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'

import { type CheckSpec, CheckSpecSchema } from '@watchroom/shared/health/check-types'
import { describe, expect, it } from 'vitest'

import { createCertificate } from '#support/certificate.ts'
import { freePort } from '#support/freePort.ts'
import { listen, untilClosed } from '#support/listen.ts'
import { buildRunDeps, runToDeadline } from '#support/runDeps.ts'

import type { RunnerSpec } from '../../../../gateway/src/check-runner/contract.ts'
import { runCheck } from '../../../../gateway/src/check-runner/runCheck.ts'
import { httpRunner } from '../../../../gateway/src/check-runner/types/http.ts'

const run = (spec: object) => httpRunner.run(CheckSpecSchema.http.parse(spec) as RunnerSpec<'http'>, buildRunDeps())
const answer =
  (statusCode: number, body = ''): RequestListener =>
  (_request, response) => {
    response.writeHead(statusCode).end(body)
  }

async function serve(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(listener))}`
}

async function serveSecurely(daysLeft: number): Promise<string> {
  return `https://localhost:${await listen(createSecureServer(createCertificate({ daysLeft }), answer(200, 'ok')))}`
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

describe('http runner', () => {
  it('passes on any 2xx and says what came back', async () => {
    const outcome = await run({ url: await serve(answer(204)) })
    expect(outcome).toMatchObject({
      passed: true,
      message: '204 No Content',
      details: { statusCode: 204, bodyBytes: 0, redirects: 0 },
    })
    expect(outcome.durationMs).toBeGreaterThan(0)
  })

  it('closes the connection that the server would keep', async () => {
    const server = createServer({ keepAliveTimeout: 60_000 }, answer(200))
    const closed = untilClosed(server)
    expect((await run({ url: `http://127.0.0.1:${await listen(server)}` })).passed).toBe(true)
    await closed
  })

  it('sends method, headers, body and credentials', async () => {
    let seen: object = {}
    const record = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { authorization, 'x-mine': mine } = request.headers
      seen = { method: request.method, path: request.url, body: await readBody(request), authorization, mine }
      response.end()
    }
    const url = await serve((request, response) => void record(request, response))
    await run({
      url: `${url}/a?b=c`,
      method: 'PUT',
      headers: [{ name: 'X-Mine', value: 'yes' }],
      body: 'hello',
      username: 'me',
      password: 'p:w',
    })
    const authorization = `Basic ${Buffer.from('me:p:w').toString('base64')}`
    expect(seen).toEqual({ method: 'PUT', path: '/a?b=c', body: 'hello', authorization, mine: 'yes' })
  })

  it('sends the credentials of the URL', async () => {
    let authorization: string | undefined
    const url = await serve((request, response) => {
      ;({ authorization } = request.headers)
      response.end()
    })
    await run({ url: url.replace('://', '://user:p%40ss@') })
    expect(authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`)
  })

  it.each([
    [500, undefined, 'answered 500 Internal Server Error, expected 2xx'],
    [200, [201, 404], 'answered 200 OK, expected 201 or 404'],
  ])('fails on %i when %j is expected', async (code, responseCodes, error) => {
    const outcome = await run({ url: await serve(answer(code, 'what happened')), responseCodes })
    expect(outcome).toMatchObject({ passed: false, error, details: { bodyStart: 'what happened' } })
    expect(outcome.invalid).toBeUndefined()
  })

  it('passes on an expected code that is not 2xx', async () => {
    expect(await run({ url: await serve(answer(404)), responseCodes: [404] })).toMatchObject({ passed: true })
  })

  it.each([
    ['"status":"up"', undefined],
    ['/"status":\\s*"UP"/i', undefined],
    ['down', 'the answer does not contain "down"'],
    ['/^up/', 'the answer does not contain "/^up/"'],
  ])('looks for %s in the answer', async (responseContent, error) => {
    const outcome = await run({ url: await serve(answer(200, '{"status":"up"}')), responseContent })
    expect(outcome.error).toBe(error)
    expect(outcome.passed).toBe(error === undefined)
  })

  it('reads no more than its limit of an endless answer', async () => {
    const url = await serve((_request, response) => {
      const write = (): void => {
        while (response.write(Buffer.alloc(64 * 1024, 'a')));
      }
      response.on('drain', write)
      write()
    })
    const outcome = await run({ url, responseContent: 'needle' })
    expect(outcome.error).toContain('only the first 1 MiB was read')
    expect(outcome.details).toMatchObject({ bodyBytes: 1024 * 1024, bodyTruncated: true })
  })

  describe('redirects', () => {
    const serveRedirects = () =>
      serve((request, response) => {
        const left = Number(request.url?.slice(1))
        if (left === 0) response.end('there')
        else response.writeHead(302, { location: `/${left - 1}` }).end()
      })

    it('follows them and counts them', async () => {
      const outcome = await run({ url: `${await serveRedirects()}/3` })
      expect(outcome).toMatchObject({ passed: true, details: { statusCode: 200, redirects: 3 } })
    })

    it('judges the redirect itself when none may be followed', async () => {
      const url = `${await serveRedirects()}/1`
      expect(await run({ url, maxRedirects: 0, responseCodes: [302] })).toMatchObject({ passed: true })
    })

    it('stops at the limit', async () => {
      const outcome = await run({ url: `${await serveRedirects()}/3`, maxRedirects: 2 })
      expect(outcome).toMatchObject({ passed: false, error: 'answered 302 Found, expected 2xx' })
    })

    it('does not carry credentials to another host', async () => {
      let authorization: string | undefined = 'nobody asked'
      const other = await serve((request, response) => {
        ;({ authorization } = request.headers)
        response.end()
      })
      const url = await serve((_request, response) => {
        response.writeHead(302, { location: other }).end()
      })
      expect((await run({ url, username: 'me', password: 'secret' })).passed).toBe(true)
      expect(authorization).toBeUndefined()
    })
  })

  describe('certificates', () => {
    it('refuses a self-signed one in words', async () => {
      const outcome = await run({ url: await serveSecurely(90) })
      expect(outcome).toMatchObject({ passed: false, error: 'the certificate is self-signed' })
    })

    it('accepts any when told so, and reports its life', async () => {
      const outcome = await run({ url: await serveSecurely(90), insecureSkipVerify: true, maxSSLExpiry: 30 })
      expect(outcome).toMatchObject({
        passed: true,
        details: { certificate: { subject: 'localhost', issuer: 'localhost', daysLeft: 89 } },
      })
    })

    it('fails when it expires too soon', async () => {
      const outcome = await run({ url: await serveSecurely(20), insecureSkipVerify: true, maxSSLExpiry: 30 })
      expect(outcome.passed).toBe(false)
      expect(outcome.error).toMatch(/^certificate of localhost expires in 19 d, fewer than 30 d \(20\d\d-/)
    })

    it('fails when it has expired', async () => {
      const outcome = await run({ url: await serveSecurely(-3), insecureSkipVerify: true, maxSSLExpiry: 0 })
      expect(outcome.error).toContain('certificate of localhost has expired')
    })

    it('has nothing to judge without TLS', async () => {
      const outcome = await run({ url: await serve(answer(200)), maxSSLExpiry: 30 })
      expect(outcome.error).toBe('there is no TLS certificate to look at')
    })

    it('says so when the other side does not speak TLS', async () => {
      const url = (await serve(answer(200))).replace('http:', 'https:')
      expect((await run({ url })).error).toContain('TLS handshake failed')
    })
  })

  it('says that nobody listens', async () => {
    const port = await freePort()
    const outcome = await run({ url: `http://127.0.0.1:${port}` })
    expect(outcome).toMatchObject({ passed: false, error: `connection refused (127.0.0.1:${port})` })
  })

  it('says that the connection was cut', async () => {
    const port = await listen(createTcpServer((socket) => socket.once('data', () => socket.destroy())))
    const outcome = await run({ url: `http://127.0.0.1:${port}` })
    expect(outcome.error).toMatch(/connection (closed|reset)/)
  })

  it('says that the host name does not exist', async () => {
    expect((await run({ url: 'http://nowhere.invalid' })).error).toMatch(/host name (not found|cannot be resolved)/)
  })

  it('calls a malformed header invalid, not a failure of the target', async () => {
    const outcome = await run({ url: await serve(answer(200)), headers: { 'a b': 'c' } })
    expect(outcome).toMatchObject({ passed: false, invalid: true })
  })

  it.each([
    ['never answers', () => undefined],
    ['stops in the middle', (_request, response) => void response.writeHead(200).write('half')],
  ] satisfies [string, RequestListener][])(
    'gives up at the deadline on a server that %s, and closes the connection',
    async (_what, listener) => {
      const server = createServer(listener)
      const closed = untilClosed(server)
      const url = `http://127.0.0.1:${await listen(server)}`
      const spec: CheckSpec<'http'> = { url }
      const outcome = await runToDeadline({ type: 'http', name: 'hung', timeoutMs: 200, spec })
      expect(outcome).toMatchObject({ passed: false, error: 'did not finish within 200ms' })
      await closed
    },
  )

  describe('with expressions of its own', () => {
    const judge = (url: string, templates: object) =>
      runCheck(
        { type: 'http', name: 'shop', timeoutMs: 10_000, spec: CheckSpecSchema.http.parse({ url, ...templates }) },
        buildRunDeps(),
      )
    const json: RequestListener = (_request, response) => {
      response.writeHead(503, { 'content-type': 'application/json', 'x-lag': '7' }).end('{"status":"ok","jobs":[1,2]}')
    }

    it('shows them code, headers, content, JSON and the time it took', async () => {
      const expr = `code == 503 && headers['x-lag'] == '7' && headers['X-Lag'] == '7' && content.contains('status')
        && json.status == 'ok' && json.jobs.size() == 2 && elapsed < duration('10s') && sslAge == duration('0s')`
      const outcome = await judge(await serve(json), { test: { expr }, display: { expr: 'json.status' } })
      expect(outcome).toMatchObject({ passed: true, message: 'ok', details: { statusCode: 503 } })
      expect(outcome).not.toHaveProperty('variables')
    })

    it('still asks for the response codes that it names', async () => {
      const outcome = await judge(await serve(json), { responseCodes: [200], test: { expr: 'json.jobs.size() == 3' } })
      expect(outcome.error).toBe(
        'answered 503 Service Unavailable, expected 200; test.expr is false: json.jobs.size() == 3',
      )
    })

    it('has nothing to show of an answer that is not JSON, and says what is missing', async () => {
      const outcome = await judge(await serve(answer(200, '<html>')), { test: { expr: 'json.status == "ok"' } })
      expect(outcome).toMatchObject({ passed: false, error: 'test.expr: No such key: status' })
    })

    it('says why nothing came back, and evaluates nothing', async () => {
      const outcome = await judge(`http://127.0.0.1:${await freePort()}`, {
        test: { expr: 'code == 200' },
      })
      expect(outcome.error).toContain('connection refused')
      expect(outcome.error).not.toContain('test.expr')
    })
  })

  it('never stores the password', async () => {
    const url = await serve((request, response) => {
      const [, encoded = ''] = request.headers.authorization?.split(' ') ?? []
      response.writeHead(401).end(`you said ${Buffer.from(encoded, 'base64').toString()}`)
    })
    const spec: CheckSpec<'http'> = { url: url.replace('://', '://root:hunter2@') }
    const outcome = await runCheck({ type: 'http', name: 'login', timeoutMs: 5_000, spec }, buildRunDeps())
    expect(outcome.details).toMatchObject({ bodyStart: 'you said root:***' })
    expect(JSON.stringify(outcome)).not.toContain('hunter2')
  })
})
