import {
  agentsTopic,
  checksTopic,
  CLOSE_CODES,
  PACKED_ENCODING,
  type Topic,
  topologyTopic,
} from '@watchroom/shared/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'

import { eventually } from '#support/eventually.ts'
import { sendJson } from '#support/fakeBackend.ts'
import { buildSummary, type LiveGateway, useLiveGateway } from '#support/liveGateway.ts'
import { measureLongestTurn } from '#support/longestTurn.ts'
import { startTcpRelay, type TcpRelay } from '#support/tcpRelay.ts'

import { SESSION_WATCH_SETTINGS } from '../../../gateway/src/platform/createSessionWatch.ts'
import type { LiveClient } from '../../../web/src/live/createLiveClient.ts'

const SUMMARY = 'GET /canary/api/summary'

function serveRows(gateway: LiveGateway, rows: unknown[]): void {
  gateway.backend.json(SUMMARY, { checks_summary: rows })
  gateway.live.wake('checks')
}

const until = (assertion: () => void, timeout = 20_000): Promise<void> =>
  eventually(assertion, { timeout, interval: 20 })

async function watchRows(client: LiveClient, count: number, timeout?: number) {
  const watch = client.watch(checksTopic, {})
  await until(() => expect(watch.view().rows).toHaveLength(count), timeout)
  return watch
}

const TOPOLOGY = 'GET /canary/api/topology'
const SHOP = '018f0000-0000-7000-8000-0000000000a1'

function serveShop(gateway: LiveGateway, health: string): void {
  gateway.backend.json(TOPOLOGY, { components: [{ id: SHOP, name: 'shop', health }] })
  gateway.live.wake('topology')
}

async function watchShop(client: LiveClient, id = '') {
  const watch = client.watch(topologyTopic, { id })
  await until(() => expect(watch.view().rows).toHaveLength(1))
  return watch
}

async function useTcpRelay(targetPort: number): Promise<TcpRelay> {
  const relay = await startTcpRelay(targetPort)
  onTestFinished(relay.close)
  return relay
}

/** A socket without our client, to say what our client never would. */
async function openRaw(gateway: LiveGateway, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${gateway.port}/socket.io/?EIO=4&transport=websocket`, {
    headers: { cookie: 'ory_kratos_session=session-viewer', origin: gateway.url, ...headers },
  })
  const received: string[] = []
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
  })
  socket.on('message', (data: Buffer) => received.push(data.toString()))
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })
  return { socket, received, closed }
}

/** The same, past Socket.IO's handshake. */
async function openGreeted(gateway: LiveGateway, hello: object = { versions: [1] }) {
  const raw = await openRaw(gateway)
  raw.socket.send(`40${JSON.stringify(hello)}`)
  await until(() => expect(raw.received.length).toBeGreaterThanOrEqual(2))
  return raw
}

const refusedStatus = async (gateway: LiveGateway, headers: Record<string, string | undefined>): Promise<number> => {
  const url = `ws://127.0.0.1:${gateway.port}/socket.io/?EIO=4&transport=websocket`
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const socket = new WebSocket(url, { headers: Object.fromEntries(given) })
  return new Promise((resolve) => {
    socket.on('open', () => {
      socket.close()
      resolve(101)
    })
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('error', () => resolve(0))
  })
}

describe('admission', () => {
  it('[LIVE-51] refuses upgrades with a foreign Origin, and without one unless a program brings its token', async () => {
    const gateway = await useLiveGateway()
    const cookie = 'ory_kratos_session=session-viewer'
    expect(await refusedStatus(gateway, { cookie, origin: gateway.url })).toBe(101)
    expect(await refusedStatus(gateway, { cookie, origin: 'https://elsewhere.example' })).toBe(400)
    expect(await refusedStatus(gateway, { cookie, origin: `http://127.0.0.1:${gateway.port + 1}` })).toBe(400)
    expect(await refusedStatus(gateway, { cookie, origin: 'null' })).toBe(400)
    expect(await refusedStatus(gateway, { cookie })).toBe(400)
    expect(await refusedStatus(gateway, { 'x-session-token': 'session-viewer' })).toBe(101)
    expect(
      await refusedStatus(gateway, { 'x-session-token': 'session-viewer', origin: 'https://elsewhere.example' }),
    ).toBe(400)
  })

  it('[LIVE-52] tells a socket without a session to sign in, and ends it', async () => {
    const gateway = await useLiveGateway()
    const client = gateway.openClient({ session: 'nobody' })
    await until(() => expect(client.link()).toMatchObject({ kind: 'ended', reaction: 'signIn', code: 4401 }))
    const raw = await openRaw(gateway, { cookie: 'ory_kratos_session=nobody' })
    raw.socket.send('40{"versions":[1]}')
    await raw.closed
    expect(raw.received.at(-1)).toContain('"code":4401')
  })

  it('[LIVE-50] refuses a client that speaks only unknown versions', async () => {
    const gateway = await useLiveGateway()
    for (const hello of ['{"versions":[99]}', '{}', '{"versions":"1"}']) {
      const raw = await openRaw(gateway)
      raw.socket.send(`40${hello}`)
      await raw.closed
      expect(raw.received.at(-1)).toContain(`"code":${CLOSE_CODES.versionUnknown.code}`)
    }
  })

  it('[LIVE-52] says come back when nobody can tell whether the session holds', async () => {
    const gateway = await useLiveGateway()
    gateway.backend.on('GET /kratos/sessions/whoami', (_request, response) => sendJson(response, 503, {}))
    const raw = await openRaw(gateway)
    raw.socket.send('40{"versions":[1]}')
    await raw.closed
    expect(raw.received.at(-1)).toContain('"code":4501')
  })

  it('[LIVE-55] bounds sockets without a session, in number and in time', async () => {
    // Longer than a busy machine takes to open four.
    const gateway = await useLiveGateway({ settings: { maxPendingSockets: 3, handshakeMs: 3_000 } })
    const waiting = await Promise.all([openRaw(gateway), openRaw(gateway), openRaw(gateway)])
    expect(await refusedStatus(gateway, { origin: gateway.url })).toBe(400)
    await Promise.all(waiting.map(({ closed }) => closed))
    expect(await refusedStatus(gateway, { origin: gateway.url })).toBe(101)
  })

  it('answers neither long polling nor requests for the client library', async () => {
    const gateway = await useLiveGateway()
    const polling = await fetch(`${gateway.url}/socket.io/?EIO=4&transport=polling`)
    expect(polling.status).toBe(404)
    const library = await fetch(`${gateway.url}/socket.io/socket.io.js`)
    expect(library.status).toBe(404)
  })
})

describe('other upgrades on the same server', () => {
  it('leaves them to their owner, however long that one thinks', async () => {
    const gateway = await useLiveGateway()
    gateway.upgrades.add('/elsewhere', (_request, socket) => {
      setTimeout(() => socket.end('HTTP/1.1 418 Teapot\r\nConnection: close\r\n\r\n'), 1_300)
    })
    const socket = new WebSocket(`ws://127.0.0.1:${gateway.port}/elsewhere`)
    const status = await new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
      socket.on('error', () => resolve('ended'))
    })
    expect(status).toBe(418)
  })
})

describe('rights', () => {
  it('[LIVE-53] denies a topic that the person may not read', async () => {
    const gateway = await useLiveGateway({ can: () => false })
    serveRows(gateway, buildSummary(3))
    const watch = gateway.openClient({ session: 'session-viewer' }).watch(checksTopic, {})
    await until(() => expect(watch.view()).toMatchObject({ state: 'denied', error: { code: 'LIVE_TOPIC_FORBIDDEN' } }))
    expect(watch.view().rows).toEqual([])
  })

  it('[LIVE-53] takes a topic away when the role is lowered, and nothing else arrives', async () => {
    const gateway = await useLiveGateway({ can: ({ roles }) => roles.includes('admin') })
    serveRows(gateway, buildSummary(3))
    const client = gateway.openClient()
    const watch = await watchRows(client, 3)
    gateway.backend.sessions.set('session-admin', ['viewer'])
    gateway.access.invalidate('all')
    await until(() => expect(watch.view().state).toBe('denied'))
    expect(watch.view().rows).toEqual([])
    serveRows(gateway, buildSummary(4))
    gateway.live.wake('checks')
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(watch.view()).toMatchObject({ state: 'denied', rows: [] })
    expect(client.link().kind).toBe('open')
  })

  it('[LIVE-67] says that the roles of its person changed, once for each change', async () => {
    const gateway = await useLiveGateway({})
    const client = gateway.openClient()
    let told = 0
    client.onRights(() => (told += 1))
    await until(() => expect(client.link().kind).toBe('open'))
    gateway.access.invalidate('all')
    gateway.backend.sessions.set('session-admin', ['viewer'])
    gateway.access.invalidate('all')
    await until(() => expect(told).toBe(1))
    gateway.access.invalidate('all')
    gateway.backend.sessions.set('session-admin', ['editor'])
    gateway.access.invalidate('all')
    await until(() => expect(told).toBe(2))
  })

  it('[LIVE-60] judges a subscription by a fresh answer where nobody announces what changed', async () => {
    const gateway = await useLiveGateway({
      settings: { watch: { ...SESSION_WATCH_SETTINGS, confirmMs: 0 } },
      can: ({ roles }) => roles.includes('editor'),
    })
    gateway.backend.sessions.set('session-viewer', ['editor'])
    serveRows(gateway, buildSummary(2))
    const { socket, received } = await openGreeted(gateway)
    const subscribe = (id: string): void =>
      socket.send(`42${JSON.stringify(['live', { type: 'subscribe', id, topic: 'checks', params: {} }])}`)
    subscribe('before')
    await until(() => expect(received.join()).toContain('snapshot'))
    gateway.backend.sessions.set('session-viewer', ['viewer'])
    // Answers about rights are shared for a second; the next regular look is seconds away.
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    subscribe('after')
    await until(() => expect(received.join()).toContain('LIVE_TOPIC_FORBIDDEN'))
    socket.terminate()
  })

  it('[LIVE-54] ends the socket of a session that ended, found by the regular look-up', async () => {
    const gateway = await useLiveGateway({
      settings: { watch: { ...SESSION_WATCH_SETTINGS, lookEveryMs: 200, sessionHoldsMs: 1_000 } },
    })
    serveRows(gateway, buildSummary(1))
    const client = gateway.openClient({ session: 'session-editor' })
    await watchRows(client, 1)
    gateway.backend.sessions.delete('session-editor')
    await until(() => expect(client.link()).toMatchObject({ kind: 'ended', code: 4401 }))
    expect(await gateway.metric('watchroom_auth_recheck_total{result="ended"}')).toBeGreaterThanOrEqual(1)
  })

  it('[LIVE-54] asks about each session once in its time, about the roles of all together, and not at all where changes are told', async () => {
    const watch = { ...SESSION_WATCH_SETTINGS, lookEveryMs: 140, rightsHoldMs: 300, sessionHoldsMs: 600 }
    const roles = ['admin', 'editor', 'commander', 'responder', 'viewer']
    const silent = await useLiveGateway({ settings: { watch }, isAnnounced: false })
    const telling = await useLiveGateway({ settings: { watch }, isAnnounced: true })
    const countFor3s = async (gateway: LiveGateway): Promise<{ sessions: number; roles: number }> => {
      serveRows(gateway, buildSummary(1))
      for (const role of roles) await watchRows(gateway.openClient({ session: `session-${role}` }), 1)
      const count = (route: string): number => gateway.backend.received(route).length
      const before = { sessions: count('GET /kratos/sessions/whoami'), roles: count('GET /db/people_roles') }
      await new Promise((resolve) => setTimeout(resolve, 3_000))
      return {
        sessions: count('GET /kratos/sessions/whoami') - before.sessions,
        roles: count('GET /db/people_roles') - before.roles,
      }
    }
    const [asked, told] = await Promise.all([countFor3s(silent), countFor3s(telling)])
    // Each socket looks 21 times, and a session holds for four looks. Late timers ask more often, and never half as often as all would.
    const looks = roles.length * 21
    expect(asked.sessions).toBeGreaterThanOrEqual(roles.length * 3)
    expect(asked.sessions).toBeLessThan(looks / 2)
    expect(asked.roles).toBeGreaterThanOrEqual(5)
    expect(asked.roles).toBeLessThan(looks / 2)
    expect(told).toEqual({ sessions: 0, roles: 0 })
  })

  it('[LIVE-54] keeps sockets while the backend cannot say whether sessions hold, but not for ever', async () => {
    const gateway = await useLiveGateway({
      settings: { watch: { ...SESSION_WATCH_SETTINGS, lookEveryMs: 100, unconfirmedMs: 1_000 } },
    })
    serveRows(gateway, buildSummary(1))
    const client = gateway.openClient()
    await watchRows(client, 1)
    gateway.backend.on('GET /kratos/sessions/whoami', (_request, response) => sendJson(response, 503, {}))
    gateway.access.invalidate('all')
    const failedAt = Date.now()
    await until(() => expect(client.link().kind).not.toBe('open'))
    expect(Date.now() - failedAt).toBeGreaterThanOrEqual(1_000)
    expect(await gateway.metric('watchroom_socket_cut_total{code="4501"}')).toBe(1)
  })

  it('[LIVE-64] gives everyone the one shared feed to whom the backend shows as much as to the gateway', async () => {
    const gateway = await useLiveGateway()
    serveRows(gateway, buildSummary(1))
    for (const role of ['viewer', 'editor', 'viewer'])
      await watchRows(gateway.openClient({ session: `session-${role}` }), 1)
    const questions = gateway.backend.received('GET /db/checks')
    expect(questions.filter(({ headers }) => headers.cookie?.includes('session-viewer'))).toHaveLength(1)
    for (const { headers, url } of questions) {
      expect(url).toBe('/db/checks?select=id&limit=0')
      expect(headers.authorization === undefined).toBe(headers.cookie !== undefined)
    }
    expect(gateway.backend.received(SUMMARY).every(({ headers }) => headers.cookie === undefined)).toBe(true)
    expect(await gateway.metric('watchroom_personal_topics')).toBe(0)
  })

  it('[LIVE-64] denies what the backend refuses the person, with its reason', async () => {
    const gateway = await useLiveGateway()
    gateway.backend.shows = (caller) =>
      caller === 'session-viewer' ? { status: 403, text: 'Access Denied: incident' } : 10
    serveRows(gateway, buildSummary(1))
    const denied = gateway.openClient({ session: 'session-viewer' }).watch(checksTopic, {})
    await until(() =>
      expect(denied.view()).toMatchObject({ state: 'denied', rows: [], error: { code: 'LIVE_TOPIC_FORBIDDEN' } }),
    )
    expect(denied.view().error?.message).toContain('Access Denied: incident')
    await watchRows(gateway.openClient({ session: 'session-editor' }), 1)
  })

  it('[LIVE-64] denies for good what the backend does not have, and says that it is not the person', async () => {
    const gateway = await useLiveGateway()
    gateway.backend.shows = () => ({ status: 404, text: '{"code":"PGRST205","message":"no such table"}' })
    const denied = gateway.openClient({ session: 'session-admin' }).watch(checksTopic, {})
    await until(() =>
      expect(denied.view()).toMatchObject({ state: 'denied', rows: [], error: { code: 'LIVE_TOPIC_NOT_OFFERED' } }),
    )
  })

  it('[LIVE-64] reads with the credential of a person who is shown fewer rows, once for all of their tabs', async () => {
    const gateway = await useLiveGateway()
    gateway.backend.shows = (caller) => (caller === 'session-viewer' ? 1 : 2)
    gateway.backend.on(SUMMARY, ({ headers }, response) => {
      sendJson(response, 200, { checks_summary: buildSummary(headers.cookie === undefined ? 2 : 1) })
    })
    gateway.live.wake('checks')
    const tabs = [0, 1].map(() => gateway.openClient({ session: 'session-viewer' }))
    const watches = await Promise.all(tabs.map((tab) => watchRows(tab, 1)))
    await watchRows(gateway.openClient({ session: 'session-editor' }), 2)
    expect(await gateway.metric('watchroom_personal_topics')).toBe(1)
    for (const watch of watches) expect(watch.view().rows.map(({ name }) => name)).toEqual(['check-0'])
    gateway.live.wake('checks')
    const personal = (): number =>
      gateway.backend.received(SUMMARY).filter(({ headers }) => headers.cookie !== undefined).length
    await until(() => expect(personal()).toBeGreaterThan(1))
    for (const tab of tabs) tab.close()
    await eventually(async () => expect(await gateway.metric('watchroom_personal_topics')).toBe(0))
  })

  it('[LIVE-64] has a page without room for rows of its own read by itself, says so, and is live as soon as there is room', async () => {
    const gateway = await useLiveGateway({ settings: { maxPersonalTopics: 1, sightRetryMs: 50 } })
    gateway.backend.shows = (caller) => (caller === 'service' ? 2 : 1)
    gateway.backend.on(SUMMARY, ({ headers }, response) => {
      sendJson(response, 200, { checks_summary: buildSummary(headers.cookie === undefined ? 2 : 1) })
    })
    gateway.live.wake('checks')
    const first = gateway.openClient({ session: 'session-viewer' })
    await watchRows(first, 1)
    const watch = gateway.openClient({ session: 'session-editor' }).watch(checksTopic, {})
    watch.setOptions({ fetchRows: () => Promise.resolve(buildSummary(1).map((row) => checksTopic.row.parse(row))) })
    await until(() => expect(watch.view()).toMatchObject({ state: 'offline', via: 'polling' }))
    expect(watch.view().rows).toHaveLength(1)
    expect(watch.view().downMs()).toBeGreaterThanOrEqual(0)
    first.close()
    await until(() => expect(watch.view()).toMatchObject({ state: 'live', via: 'socket' }))
    expect(watch.view().rows).toHaveLength(1)
    expect(watch.view().error).toBeUndefined()
  })

  it('[LIVE-64] leaves room for others, however many rows of their own someone asks for', async () => {
    const gateway = await useLiveGateway({ settings: { maxPersonalTopicsPerOwner: 1, sightRetryMs: 50 } })
    gateway.backend.shows = (caller) => (caller === 'service' ? 2 : 1)
    gateway.backend.on(SUMMARY, ({ headers }, response) => {
      sendJson(response, 200, { checks_summary: buildSummary(headers.cookie === undefined ? 2 : 1) })
    })
    gateway.live.wake('checks')
    const greedy = gateway.openClient({ session: 'session-viewer' })
    await watchRows(greedy, 1)
    const second = greedy.watch(agentsTopic, {})
    await until(() => expect(second.view().error?.code).toBe('LIVE_NO_ROOM'))
    await watchRows(gateway.openClient({ session: 'session-editor' }), 1)
  })

  it('[LIVE-64] never turns to the shared rows while someone’s own feed fails', async () => {
    const gateway = await useLiveGateway({ polling: { retryMs: 20, maxDelayMs: 50, failingGapMs: 20 } })
    gateway.backend.shows = (caller) => (caller === 'session-viewer' ? 1 : 2)
    gateway.backend.on(SUMMARY, ({ headers }, response) => {
      if (headers.cookie === undefined) sendJson(response, 200, { checks_summary: buildSummary(2) })
      else sendJson(response, 500, {})
    })
    gateway.live.wake('checks')
    await watchRows(gateway.openClient({ session: 'session-editor' }), 2)
    const watch = gateway.openClient({ session: 'session-viewer' }).watch(checksTopic, {})
    const failures = (): number =>
      gateway.backend.received(SUMMARY).filter(({ headers }) => headers.cookie !== undefined).length
    await until(() => expect(failures()).toBeGreaterThan(3))
    // Asked again meanwhile, with the same answer.
    gateway.access.invalidate('all')
    const asked = (): number =>
      gateway.backend.received('GET /db/checks').filter(({ headers }) => headers.cookie?.includes('viewer')).length
    const before = asked()
    await until(() => expect(asked()).toBeGreaterThan(before))
    await until(() => expect(failures()).toBeGreaterThan(6))
    expect(watch.view()).toMatchObject({ state: 'failed', rows: [], error: { code: 'POLLING_UPSTREAM_REFUSED' } })
  })

  it('[LIVE-64] follows the backend when it shows someone less from now on, and nothing of the rest comes any more', async () => {
    const gateway = await useLiveGateway()
    let shown = 2
    gateway.backend.shows = (caller) => (caller === 'session-viewer' ? shown : 2)
    gateway.backend.on(SUMMARY, ({ headers }, response) => {
      sendJson(response, 200, { checks_summary: buildSummary(headers.cookie === undefined ? 2 : shown) })
    })
    gateway.live.wake('checks')
    const watch = await watchRows(gateway.openClient({ session: 'session-viewer' }), 2)
    shown = 1
    gateway.access.invalidate('all')
    await until(() => expect(watch.view().rows.map(({ name }) => name)).toEqual(['check-0']))
    shown = 2
    gateway.access.invalidate('all')
    await until(() => expect(watch.view().rows).toHaveLength(2))
    expect(await gateway.metric('watchroom_personal_topics')).toBe(0)
  })
})

describe('hostile sockets', () => {
  it('[LIVE-10] denies an unknown topic and unknown parameters', async () => {
    const gateway = await useLiveGateway()
    serveRows(gateway, [])
    const client = gateway.openClient()
    const unknown = client.watch({ ...checksTopic, name: 'nothing' } as Topic<Record<string, never>, never>, {})
    await until(() => expect(unknown.view()).toMatchObject({ state: 'denied', error: { code: 'LIVE_TOPIC_UNKNOWN' } }))
    const prototype = client.watch({ ...checksTopic, name: 'constructor' }, {})
    await until(() => expect(prototype.view()).toMatchObject({ state: 'denied' }))
    const withParams: Topic<Record<string, string>, never> = {
      ...checksTopic,
      params: z.record(z.string(), z.string()),
    } as never
    const params = client.watch(withParams, { extra: 'x' })
    await until(() => expect(params.view()).toMatchObject({ state: 'denied' }))
  })

  it.each([
    ['no object', '42["live",7]'],
    ['no type', '42["live",{}]'],
    ['another type', '42["live",{"type":"snapshot"}]'],
    ['another event', '42["other",{}]'],
    ['wrong fields', '42["live",{"type":"subscribe","id":5,"topic":"checks"}]'],
    ['an endless id', `42["live",{"type":"unsubscribe","id":"${'x'.repeat(100)}"}]`],
    ['broken JSON', '42["live",{'],
    ['no Socket.IO packet', '4xyz'],
    ['no engine packet', 'hello'],
    ['binary', Buffer.from([1, 2, 3])],
    ['binary in place of an object', '451-["live",{"_placeholder":true,"num":0}]'],
  ])('[LIVE-56] ends a socket that sends %s, and no other', async (_name, frame) => {
    const gateway = await useLiveGateway()
    serveRows(gateway, buildSummary(2))
    const client = gateway.openClient()
    const watch = await watchRows(client, 2)
    const raw = await openGreeted(gateway)
    raw.socket.send(frame)
    if (frame.toString().startsWith('451-')) raw.socket.send(Buffer.from([1]))
    await raw.closed
    serveRows(gateway, buildSummary(3))
    watch.view().refresh()
    await until(() => expect(watch.view().rows).toHaveLength(3))
    expect(client.link().kind).toBe('open')
  })

  it('[LIVE-55] ends a socket that sends more than 8 KiB at once', async () => {
    const gateway = await useLiveGateway()
    const raw = await openGreeted(gateway)
    raw.socket.send(`42["live",{"type":"refresh","id":"${'x'.repeat(9_000)}"}]`)
    await raw.closed
    expect(raw.socket.readyState).toBe(WebSocket.CLOSED)
  })

  it('[LIVE-55] ends a socket that sends too often, with 4429', async () => {
    const gateway = await useLiveGateway()
    const raw = await openGreeted(gateway)
    for (let index = 0; index < 70; index++) raw.socket.send('42["live",{"type":"refresh","id":"a"}]')
    await raw.closed
    expect(raw.received.join()).toContain('"code":4429')
  })

  it('[LIVE-55] ends a connection that floods before it has a session', async () => {
    const gateway = await useLiveGateway()
    const raw = await openRaw(gateway)
    for (let index = 0; index < 400; index++) raw.socket.send('40/other,')
    await raw.closed
    // The refusals stop with the connection.
    expect(raw.received.length).toBeLessThan(250)
  })

  it('[LIVE-55] denies the subscription beyond the limit', async () => {
    const gateway = await useLiveGateway({ settings: { maxSubscriptions: 2 } })
    serveRows(gateway, [])
    const raw = await openGreeted(gateway)
    for (const id of ['a', 'b', 'c']) {
      raw.socket.send(`42["live",{"type":"subscribe","id":"${id}","topic":"checks"}]`)
    }
    await until(() => expect(raw.received.join()).toContain('LIVE_TOO_MANY_TOPICS'))
    expect(raw.received.join()).toContain('"id":"c","code":"LIVE_TOO_MANY_TOPICS"')
  })
})

describe('delivery', () => {
  it('[LIVE-20] brings a change to every socket, changed fields only, and reads the backend once for all', async () => {
    const gateway = await useLiveGateway()
    serveRows(gateway, buildSummary(50))
    const watches = await Promise.all(Array.from({ length: 5 }, () => watchRows(gateway.openClient(), 50)))
    const before = watches.map((watch) => watch.view().rows)
    const requests = gateway.backend.received(SUMMARY).length
    serveRows(
      gateway,
      buildSummary(50, (index) => (index === 7 ? { status: 'unhealthy' } : {})),
    )
    gateway.live.wake('checks')
    await until(() => {
      for (const watch of watches) expect(watch.view().rows[7]).toMatchObject({ status: 'unhealthy' })
    })
    // Another one may have been under way; one for each socket would be as many as there are.
    expect(gateway.backend.received(SUMMARY).length).toBeLessThan(requests + watches.length)
    watches.forEach((watch, client) => {
      const same = watch.view().rows.filter((row, index) => row === before[client]?.[index])
      expect(same).toHaveLength(49)
    })
  })

  it.each([1, 100])('[LIVE-30] reads the topology once for each change, for %i viewers', async (viewers) => {
    const gateway = await useLiveGateway()
    serveShop(gateway, 'healthy')
    const watches = await Promise.all(Array.from({ length: viewers }, () => watchShop(gateway.openClient())))
    for (const health of ['warning', 'unhealthy', 'healthy']) {
      serveShop(gateway, health)
      await until(() => {
        for (const watch of watches) expect(watch.view().rows).toMatchObject([{ health }])
      })
    }
    expect(gateway.backend.received(TOPOLOGY)).toHaveLength(4)
  })

  it('[LIVE-32] keeps the cards of those at the top for the next reader, and closes the page of one component', async () => {
    const gateway = await useLiveGateway({ settings: { idleTopicMs: 10 } })
    serveShop(gateway, 'healthy')
    const visit = async (id: string): Promise<void> => {
      const client = gateway.openClient()
      await watchShop(client, id)
      client.close()
    }
    const reads = (id: string): number =>
      gateway.backend.received(TOPOLOGY).filter(({ url }) => url.includes(`&id=${SHOP}`) === (id === SHOP)).length
    await visit('')
    await visit(SHOP)
    // When its page was closed, that of those at the top would have been as well.
    await eventually(async () => {
      await visit(SHOP)
      expect(reads(SHOP)).toBe(2)
    })
    await visit('')
    expect(reads('')).toBe(1)
  })

  it('[LIVE-42] resumes by offset over a new socket, without a snapshot', async () => {
    const gateway = await useLiveGateway()
    serveRows(gateway, buildSummary(20))
    const relay = await useTcpRelay(gateway.port)
    const client = gateway.openClient({ port: relay.port })
    const watch = await watchRows(client, 20)
    const rows = watch.view().rows
    relay.setRefusing(true)
    relay.cut()
    await until(() => expect(client.link().kind).not.toBe('open'))
    serveRows(
      gateway,
      buildSummary(21, (index) => (index === 3 ? { name: 'renamed' } : {})),
    )
    gateway.live.wake()
    relay.setRefusing(false)
    client.nudge()
    await until(() => expect(watch.view().rows).toHaveLength(21))
    expect(watch.view().rows.filter((row, index) => row === rows[index])).toHaveLength(19)
    expect(await gateway.metric('watchroom_resume_total{result="delta"}')).toBe(1)
    expect(await gateway.metric('watchroom_resume_total{result="snapshot"}')).toBe(1)
  })

  it('[LIVE-41] notices a gateway that went silent', async () => {
    const gateway = await useLiveGateway()
    serveRows(gateway, buildSummary(1))
    const relay = await useTcpRelay(gateway.port)
    const client = gateway.openClient({ port: relay.port })
    await watchRows(client, 1)
    relay.setSilent(true)
    await until(() => expect(client.link().kind).not.toBe('open'))
  })

  it('[LIVE-22] cuts a socket that stops reading with bounded memory; the others notice nothing', async () => {
    const gateway = await useLiveGateway({ settings: { cutMs: 1_500 }, polling: { minGapMs: 10 } })
    let version = 0
    gateway.backend.on(SUMMARY, (_request, response) => {
      version += 1
      const text = 'x'.repeat(500)
      sendJson(response, 200, {
        checks_summary: buildSummary(1_000, () => ({ description: `${version} ${text}` })),
      })
    })
    const healthy = await watchRows(gateway.openClient(), 1_000)
    const raw = await openGreeted(gateway)
    raw.socket.send('42["live",{"type":"subscribe","id":"a","topic":"checks"}]')
    await until(() => expect(raw.received.join()).toContain('snapshot'))
    raw.socket.pause()
    let peak = 0
    const startedAt = Date.now()
    while ((await gateway.metric('watchroom_socket_cut_total{code="4508"}')) === 0 && Date.now() - startedAt < 20_000) {
      gateway.live.wake('checks')
      await new Promise((resolve) => setTimeout(resolve, 50))
      peak = Math.max(peak, await gateway.metric('watchroom_socket_queue_bytes'))
    }
    expect(await gateway.metric('watchroom_socket_cut_total{code="4508"}')).toBe(1)
    // One message beyond the high-water mark, not one per change.
    expect(peak).toBeGreaterThan(64 * 1024)
    expect(peak).toBeLessThan(2 * 1024 * 1024)
    expect(await gateway.metric('watchroom_live_sockets')).toBe(1)
    const seen = healthy.view().rows[0]?.description ?? ''
    gateway.live.wake('checks')
    await until(() => expect(healthy.view().rows[0]?.description).not.toBe(seen))
  })

  it('[LIVE-21] [LIVE-36] carries 10,000 rows without holding the event loop; a bad row is left out', async () => {
    const gateway = await useLiveGateway()
    const rows = (version: number): unknown[] => [
      ...buildSummary(10_000, () => ({ updated_at: `2026-01-01T00:00:0${version}Z`, last_error: `at ${version}` })),
      { id: 'broken', uptime: 'none' },
      'nonsense',
    ]
    const bodies = [1, 2, 3, 4, 5, 6].map((version) => Buffer.from(JSON.stringify({ checks_summary: rows(version) })))
    let reads = 0
    gateway.backend.on(SUMMARY, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(bodies[reads++ % bodies.length])
    })
    gateway.live.wake()
    const client = gateway.openClient()
    const watch = client.watch(checksTopic, {})
    await until(() => expect(watch.view().rows).toHaveLength(10_000), 20_000)
    expect(await gateway.metric('watchroom_poll_dropped_rows_total{source="checks"}')).toBeGreaterThanOrEqual(2)
    // The client shares this process and parses 10,000 rows itself: only the gateway shall be measured.
    client.close()

    const blocksMs: number[] = []
    for (let round = 0; round < 3; round++) {
      const raw = await openGreeted(gateway, { versions: [1], encodings: [PACKED_ENCODING] })
      const stop = measureLongestTurn()
      raw.socket.send('42["live",{"type":"subscribe","id":"a","topic":"checks"}]')
      raw.socket.send('42["live",{"type":"refresh","id":"a"}]')
      // The snapshot has ten pages; the read that follows changes every row.
      await until(
        () => expect(raw.received.filter((text) => text.startsWith('451-')).length).toBeGreaterThan(15),
        20_000,
      )
      blocksMs.push(stop())
      raw.socket.close()
    }
    // A collection of garbage may fall into one round; a block of ours would be in every one.
    expect(Math.min(...blocksMs)).toBeLessThan(50)
  }, 90_000)

  it('[LIVE-40] sends rows as they are to a page of a build that packed them in another way', async () => {
    const gateway = await useLiveGateway()
    serveRows(gateway, buildSummary(2))
    const raw = await openGreeted(gateway, { versions: [1], encodings: ['deflate-raw'] })
    raw.socket.send('42["live",{"type":"subscribe","id":"a","topic":"checks"}]')
    await until(() => expect(raw.received.at(-1)).toContain('"type":"snapshot"'))
    expect(raw.received.at(-1)).toContain('"name":"check-1"')
  })

  it('[LIVE-34] shows the age of the data and the failure while the backend fails, and recovers', async () => {
    const gateway = await useLiveGateway({ polling: { retryMs: 200, failingGapMs: 100 } })
    serveRows(gateway, buildSummary(2))
    const watch = await watchRows(gateway.openClient(), 2)
    gateway.backend.json(SUMMARY, { message: 'no' }, 500)
    watch.view().refresh()
    await until(() => expect(watch.view().error?.code).toBe('POLLING_UPSTREAM_REFUSED'))
    expect(watch.view()).toMatchObject({ state: 'live', rows: [{ name: 'check-0' }, { name: 'check-1' }] })
    const { asOf } = watch.view()
    await until(() => expect(watch.view().state).toBe('delayed'))
    expect(watch.view().asOf).toBe(asOf)
    expect(watch.view().ageMs()).toBeGreaterThan(9_000)
    serveRows(gateway, buildSummary(3))
    watch.view().refresh()
    await until(() => expect(watch.view()).toMatchObject({ state: 'live', via: 'socket' }))
    expect(watch.view().rows).toHaveLength(3)
    expect(watch.view().error).toBeUndefined()
  })

  it('[LIVE-34] says why there are no rows yet', async () => {
    const gateway = await useLiveGateway()
    gateway.backend.json(SUMMARY, 'not an object')
    const watch = gateway.openClient().watch(checksTopic, {})
    gateway.live.wake()
    await until(() =>
      expect(watch.view()).toMatchObject({ state: 'failed', error: { code: 'POLLING_UPSTREAM_UNREADABLE' }, rows: [] }),
    )
  })

  it('[LIVE-57] tells sockets when to come back while it drains, and refuses newcomers', async () => {
    const gateway = await useLiveGateway()
    serveRows(gateway, buildSummary(1))
    const client = gateway.openClient()
    await watchRows(client, 1)
    const raw = await openGreeted(gateway)
    await gateway.live.drain()
    await raw.closed
    expect(raw.received.join()).toMatch(/"type":"bye","code":4503,.*"retryMs":\d+/)
    await until(() => expect(client.link().kind).not.toBe('open'))
    expect(await refusedStatus(gateway, { origin: gateway.url })).toBe(400)
  })
})
