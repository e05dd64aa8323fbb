// One caller must not be felt by others: size, depth, number and time of what anyone sends are bounded.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

import { ApiErrorSchema } from '@watchroom/shared/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FakeBackend } from '#support/fakeBackend.ts'
import { type RunningGateway, startGateway, type StartGatewayOptions } from '#support/gateway.ts'

import { BODY_SETTINGS } from '../../gateway/src/proxy/callLimits.ts'

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

async function restart(deps: StartGatewayOptions['deps'], env: Record<string, string> = {}): Promise<void> {
  await gateway.stop()
  gateway = await startGateway({ backend, env, ...(deps ? { deps } : {}) })
}

const kindOf = async (response: Response): Promise<[number, string]> => [
  response.status,
  ApiErrorSchema.parse(await response.json()).kind,
]
const KIB = 1_024

describe('bodies', () => {
  it.each([
    ['/api/canary/api/summary', 16],
    ['/api/db/rpc/config_path', 16],
    ['/api/catalog/summary', 64],
    ['/api/.ory/self-service/login?flow=1', 64],
    ['/api/db/canaries', 1_024],
    ['/api/playbook/run', 1_024],
  ])('of %s are read up to %d KiB, with or without their length', async (path, kib) => {
    const { headers } = await gateway.signInAs('admin')
    const send = (bytes: number, isStream: boolean): Promise<Response> => {
      const body = Buffer.alloc(bytes, ' ')
      const init = { method: 'POST', headers, body: isStream ? new Blob([body]).stream() : body, duplex: 'half' }
      return fetch(gateway.url + path, init)
    }
    for (const isStream of [false, true]) {
      expect((await send(kib * KIB, isStream)).status).toBe(200)
      expect(await kindOf(await send(kib * KIB + 1, isStream))).toEqual([413, 'REQUEST_TOO_LARGE'])
    }
  })

  it('that are large are read one or two at a time of one person, and others are not kept', async () => {
    const held: (() => void)[] = []
    backend.on('POST /db/canaries', (_request, response) => void held.push(() => response.end('[]')))
    const [greedy, other] = await Promise.all([gateway.signInAs('admin'), gateway.signInAs('editor')])
    const send = ({ headers }: typeof greedy, kib: number): Promise<Response> =>
      fetch(`${gateway.url}/api/db/canaries`, { method: 'POST', headers, body: Buffer.alloc(kib * KIB, ' ') })
    const large = Array.from({ length: 4 }, () => send(greedy, 1_000))
    await expect.poll(() => held.length).toBe(BODY_SETTINGS.person.perCaller)
    // A small one goes by, and so does someone else's.
    const past = [send(greedy, 1), send(other, 1_000)]
    await expect.poll(() => held.length).toBe(BODY_SETTINGS.person.perCaller + past.length)
    const all = Promise.all([...large, ...past])
    await expect
      .poll(() => {
        for (const answer of held.splice(0)) answer()
        return backend.received('POST /db/canaries').length
      })
      .toBe(large.length + past.length)
    for (const answer of held.splice(0)) answer()
    expect(new Set((await all).map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('that were large are counted: after some megabytes the next one of this person waits unread', async () => {
    const [greedy, other] = await Promise.all([gateway.signInAs('admin'), gateway.signInAs('editor')])
    const send = ({ headers }: typeof greedy): Promise<Response> =>
      fetch(`${gateway.url}/api/db/canaries`, { method: 'POST', headers, body: Buffer.alloc(1_024 * KIB, ' ') })
    const { burst } = BODY_SETTINGS.person.budget
    const bodies = Array.from({ length: (2 * burst) / (1_024 * KIB) }, () => send(greedy))
    await expect.poll(() => backend.received('POST /db/canaries').length).toBeGreaterThanOrEqual(16)
    expect((await send(other)).status).toBe(200)
    expect(backend.received('POST /db/canaries').length).toBeLessThan(bodies.length)
    gateway.gateway.app.server.closeAllConnections()
    await Promise.allSettled(bodies)
  })

  it('are not read at all from someone who may not send them', async () => {
    const { hostname, port } = new URL(gateway.url)
    const socket = connect(Number(port), hostname)
    // A megabyte is announced and never comes: an answer that waited for it would never come either.
    socket.write('POST /api/db/canaries HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /)
    socket.destroy()
  })

  it.each([
    ['the proxy', '/api/db/canaries'],
    ['the gateway', '/gateway/wall/boards'],
  ])('that nest too deeply are refused by %s before anything parses them', async (_name, path) => {
    const { headers } = await gateway.signInAs('admin')
    const body = '['.repeat(1_000) + ']'.repeat(1_000)
    for (const type of ['application/json', 'application/json; charset=utf-8']) {
      const response = await fetch(gateway.url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': type },
        body,
      })
      expect(await kindOf(response)).toEqual([400, 'REQUEST_INVALID'])
    }
    expect(backend.received('POST /db/canaries')).toEqual([])
  })
})

describe('calls at once', () => {
  /** Answers only when told to. */
  function hold(route: string): () => void {
    const held: (() => void)[] = []
    backend.on(route, (_request, response) => void held.push(() => response.end('[]')))
    return () => {
      for (const answer of held.splice(0)) answer()
    }
  }

  it('of one person wait for each other, and others do not wait for them', async () => {
    const release = hold('GET /db/checks')
    const [greedy, other] = await Promise.all([gateway.signInAs('viewer'), gateway.signInAs('editor')])
    const calls = Array.from({ length: 20 }, () => fetch(`${gateway.url}/api/db/checks`, { headers: greedy.headers }))
    await expect.poll(() => backend.received('GET /db/checks').length).toBe(4)
    expect((await fetch(`${gateway.url}/api/db/agents`, { headers: other.headers })).status).toBe(200)
    expect(backend.received('GET /db/checks')).toHaveLength(4)
    for (let done = 4; done <= 20; done += 4) {
      await expect.poll(() => backend.received('GET /db/checks').length).toBe(done)
      release()
    }
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(20).fill(200))
  })

  it('whose rows stand within rows within rows go one by one, and simple ones do not wait for them', async () => {
    const release = hold('GET /db/incidents')
    const { headers } = await gateway.signInAs('viewer')
    const nested = 'select=id,hypotheses(id,comments(id))'
    const calls = Array.from({ length: 3 }, () => fetch(`${gateway.url}/api/db/incidents?${nested}`, { headers }))
    for (let done = 1; done <= 3; done++) {
      await expect.poll(() => backend.received('GET /db/incidents').length).toBe(done)
      expect((await fetch(`${gateway.url}/api/db/agents`, { headers })).status).toBe(200)
      expect(backend.received('GET /db/incidents')).toHaveLength(done)
      release()
    }
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('are refused when too many wait, with the time to come back', async () => {
    const release = hold('GET /db/checks')
    const { headers } = await gateway.signInAs('viewer')
    const calls = Array.from({ length: 80 }, () => fetch(`${gateway.url}/api/db/checks`, { headers }))
    const refused = await Promise.race(
      calls.map(async (call) => ((await call).status === 429 ? call : new Promise<never>(() => undefined))),
    )
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await kindOf(refused)).toEqual([429, 'PROXY_TOO_MANY_CALLS'])
    expect(backend.received('GET /db/checks')).toHaveLength(4)
    const statuses: number[] = []
    const all = Promise.all(calls.map(async (call) => statuses.push((await call).status)))
    while (statuses.length < 80) {
      release()
      await Promise.race([all, new Promise((resolve) => setImmediate(resolve))])
    }
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })

  it('end for the backend when the browser leaves, also those that still wait', async () => {
    const ended: string[] = []
    backend.on('GET /db/checks', (request, response) => void response.on('close', () => ended.push(request.url)))
    const { headers } = await gateway.signInAs('viewer')
    const gone = new AbortController()
    const calls = Array.from({ length: 12 }, () =>
      fetch(`${gateway.url}/api/db/checks`, { headers, signal: gone.signal }).catch(() => null),
    )
    await expect.poll(() => backend.received('GET /db/checks').length).toBe(4)
    gone.abort()
    await Promise.all(calls)
    // One that waited may get its place a moment before its own caller is known to be gone.
    await expect.poll(() => backend.received('GET /db/checks').length - ended.length).toBe(0)
    expect((await fetch(`${gateway.url}/api/db/agents`, { headers })).status).toBe(200)
  })

  it('of one address are bounded where nobody signs in', async () => {
    await restart(undefined, { WATCHROOM_AUTH: 'none' })
    const release = hold('GET /db/checks')
    const calls = Array.from({ length: 70 }, () => fetch(`${gateway.url}/api/db/checks`))
    await expect.poll(() => backend.received('GET /db/checks').filter(isOfAPerson).length).toBe(64)
    const statuses: number[] = []
    const all = Promise.all(calls.map(async (call) => statuses.push((await call).status)))
    while (statuses.length < 70) {
      release()
      await Promise.race([all, new Promise((resolve) => setImmediate(resolve))])
    }
    expect(statuses).toEqual(Array(70).fill(200))
  })

  const isOfAPerson = ({ headers }: { headers: object }): boolean => 'x-forwarded-for' in headers
})

describe('connections', () => {
  const healthz = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n'

  /** What comes on a new connection first: an answer, or its end. */
  async function open(text: string): Promise<{ socket: Socket; first: string }> {
    const { hostname, port } = new URL(gateway.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.write(text)
    const first = await Promise.race([
      once(socket, 'data').then(([chunk]) => (chunk as Buffer).toString()),
      once(socket, 'close').then(() => 'closed'),
    ])
    return { socket, first }
  }

  it('of one address are bounded, and come back when others end', async () => {
    await restart({ connectionLimits: { perAddress: 3, perProxy: 3 } })
    const opened = [await open(`${healthz}\r\n`), await open(`${healthz}\r\n`), await open(`${healthz}\r\n`)]
    expect(opened.map(({ first }) => first.slice(0, 12))).toEqual(Array(3).fill('HTTP/1.1 200'))
    expect((await open(`${healthz}\r\n`)).first).toBe('closed')
    opened[0]?.socket.destroy()
    await expect
      .poll(async () => {
        const { socket, first } = await open(`${healthz}\r\n`)
        socket.destroy()
        return first
      })
      .toMatch(/^HTTP\/1\.1 200/)
    for (const { socket } of opened) socket.destroy()
  })

  it.each([
    ['headers', healthz],
    ['a body', 'POST /api/.ory/self-service/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{'],
  ])('that never finish %s are ended', async (_name, half) => {
    await restart({ serverTimeouts: { headersMs: 100, requestMs: 200, checkEveryMs: 20 } })
    expect((await open(half)).first).toMatch(/^HTTP\/1\.1 408 /)
    expect(backend.received('POST /kratos/self-service/login')).toEqual([])
  })

  it('bear a header line only as long as a real one', async () => {
    expect((await open(`${healthz}X: ${'x'.repeat(17_000)}\r\n\r\n`)).first).toMatch(/^HTTP\/1\.1 431 /)
    expect((await open(`GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).first).toMatch(
      /^HTTP\/1\.1 431 /,
    )
  })
})

describe('refusals', () => {
  it('come late to whoever had many, and answers do not', async () => {
    const free = { burst: 2, perSecond: 1 / 3_600 }
    await restart({ refusalSettings: { free, delayMs: 60_000, maxHeld: 10 } })
    const [greedy, other] = await Promise.all([gateway.signInAs('viewer'), gateway.signInAs('editor')])
    const refused = ({ headers }: typeof greedy): Promise<Response> =>
      fetch(`${gateway.url}/api/db/canaries`, { method: 'POST', headers, body: Buffer.from('{'.repeat(1_000)) })
    expect([(await refused(greedy)).status, (await refused(greedy)).status]).toEqual([403, 403])
    let isHeld = true
    const held = refused(greedy).finally(() => (isHeld = false))
    expect((await fetch(`${gateway.url}/api/db/agents`, { headers: greedy.headers })).status).toBe(200)
    expect((await refused(other)).status).toBe(400)
    expect(isHeld).toBe(true)
    await gateway.gateway.app.close()
    expect((await held).status).toBe(403)
  })
})
