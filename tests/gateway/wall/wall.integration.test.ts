import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { mayUseRoute, ROLES, type Role, WALL_ROUTES } from '@watchroom/shared/access'
import { checksTopic, CLOSE_CODES, incidentTopic, wallTopic } from '@watchroom/shared/protocol'
import { NewWallLinkSchema, type WallBoard, WallBoardSchema, WallLinksSchema } from '@watchroom/shared/wall'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { eventually } from '#support/eventually.ts'
import { FakeBackend } from '#support/fakeBackend.ts'
import { type RunningGateway, startGateway } from '#support/gateway.ts'
import { buildSummary } from '#support/liveGateway.ts'

import { systemClock } from '../../../gateway/src/platform/clock.ts'
import { createLiveClient, type LiveClient } from '../../../web/src/live/createLiveClient.ts'
import { createOpenSocket, inflateRaw } from '../../../web/src/live/openSocket.ts'

const SUMMARY = 'GET /canary/api/summary'
const NOBODY = '018f0000-0000-7000-8000-00000000dead'

let backend: FakeBackend
let database: TestDatabase
let running: RunningGateway

const until = (assertion: () => void | Promise<void>, timeout = 20_000): Promise<void> =>
  eventually(assertion, { timeout, interval: 20 })

const startOne = (deps: { signInsPerMinute?: number; webRoot?: string } = {}): Promise<RunningGateway> =>
  startGateway({
    backend: { url: backend.url, databaseUrl: database.databaseUrl },
    ...(deps.webRoot === undefined ? {} : { webRoot: deps.webRoot }),
    deps: deps.signInsPerMinute === undefined ? {} : { signInsPerMinute: deps.signInsPerMinute },
  })

beforeAll(async () => {
  backend = await FakeBackend.start()
  database = await startTestDatabase()
  running = await startOne()
  // Until its tables are made.
  await until(async () => {
    const { status } = await call('GET', '/gateway/wall/boards')
    if (status !== 200) throw new Error(`boards answer ${status}`)
  })
})

afterAll(async () => {
  await running?.stop()
  await database?.stop()
  await backend?.stop()
})

beforeEach(async () => {
  await database.pool.query('delete from watchroom.wall_board')
  serve(20)
})

/** Checks of two teams by turns. */
function serve(count: number, change: (index: number) => object = () => ({})): void {
  const rows = buildSummary(count, (index) => ({
    labels: { team: index % 2 ? 'search' : 'payments' },
    ...change(index),
  }))
  backend.json(SUMMARY, { checks_summary: rows })
}

interface CallOptions {
  role?: Role | null
  body?: unknown
  headers?: Record<string, string>
  gateway?: RunningGateway
}

async function call(method: string, path: string, options: CallOptions = {}) {
  const { role = 'admin', body, gateway = running } = options
  const headers = role === null ? { origin: gateway.url } : (await gateway.signInAs(role)).headers
  const answer = await fetch(gateway.url + path, {
    method,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  return {
    status: answer.status,
    json: isJson && text !== '' ? (JSON.parse(text) as { kind?: string; message?: string }) : undefined,
    cookies: answer.headers.getSetCookie(),
  }
}

const PAYMENTS = { name: 'Payments', filter: { labels: { 'canary:team:payments': 1 } } }

async function createBoard(body: object = PAYMENTS): Promise<WallBoard> {
  const answer = await call('POST', '/gateway/wall/boards', { body })
  expect(answer.status).toBe(201)
  return WallBoardSchema.parse(answer.json)
}

async function createLink(boardId: string, body: object = { name: 'Lobby' }) {
  const answer = await call('POST', `/gateway/wall/boards/${boardId}/links`, { body })
  expect(answer.status).toBe(201)
  return NewWallLinkSchema.parse(answer.json)
}

const enter = (token: string, options: CallOptions = {}) =>
  call('POST', '/gateway/wall/device', { role: null, body: { token }, ...options })

/** The cookie a browser would send after it was let in. */
async function enterAs(token: string, options: CallOptions = {}): Promise<string> {
  const { status, cookies } = await enter(token, options)
  expect(status).toBe(200)
  return cookies[0]?.split(';')[0] ?? ''
}

function openDevice(cookie: string, as: 'device' | 'person' = 'device', gateway = running): LiveClient {
  const client = createLiveClient({
    clock: systemClock,
    random: Math.random,
    inflate: inflateRaw,
    openSocket: createOpenSocket(gateway.url, { cookie, origin: gateway.url }, as),
  })
  onTestFinished(() => client.close())
  return client
}

/** Rows of the board as the device sees them, once there are so many. */
async function watchBoard(client: LiveClient, boardId: string, count: number) {
  const watch = client.watch(wallTopic, { boardId })
  await until(() => expect(watch.view()).toMatchObject({ state: 'live', rows: { length: count } }))
  return watch
}

describe('routes', () => {
  const BODIES: Record<string, unknown> = {
    createBoard: { name: 'Someone tries' },
    changeBoard: { name: 'Someone tries' },
    createLink: { name: 'Someone tries' },
  }
  const guarded = Object.entries(WALL_ROUTES).filter(([, { access }]) => access !== 'public')

  it.each(ROLES)('opens exactly those the table opens to a %s', async (role) => {
    for (const [name, rule] of guarded) {
      const { status } = await call(rule.method, rule.path.replace('{id}', NOBODY), { role, body: BODIES[name] })
      expect([name, status === 403]).toEqual([name, !mayUseRoute(rule.access, [role])])
    }
  })

  it('opens none of them without a session', async () => {
    for (const [name, rule] of guarded) {
      const { status } = await call(rule.method, rule.path.replace('{id}', NOBODY), { role: null, body: BODIES[name] })
      expect([name, status]).toEqual([name, 401])
    }
  })

  it('has nothing else below its prefix', async () => {
    expect((await call('GET', '/gateway/wall/tokens')).status).toBe(404)
    expect((await call('GET', '/gateway/wall/boards', { headers: { accept: 'text/html' } })).status).toBe(200)
    expect((await call('GET', '/gateway/else', { headers: { accept: 'text/html' } })).status).toBe(404)
  })

  it('refuses changes asked for by a foreign page', async () => {
    const headers = { origin: 'https://elsewhere.example' }
    expect((await call('POST', '/gateway/wall/boards', { body: PAYMENTS, headers })).status).toBe(403)
    expect((await enter('x', { headers })).status).toBe(403)
  })
})

describe('boards', () => {
  it('are saved, changed and deleted', async () => {
    const board = await createBoard()
    expect(board).toMatchObject({ name: 'Payments', groupBy: 'no-group', filter: { query: '' } })
    const path = `/gateway/wall/boards/${board.id}`
    const changed = await call('PUT', path, { role: 'editor', body: { ...PAYMENTS, name: ' Money ', groupBy: 'type' } })
    expect(changed.json).toMatchObject({ id: board.id, name: 'Money', groupBy: 'type' })
    expect((await call('GET', '/gateway/wall/boards', { role: 'viewer' })).json).toEqual({ boards: [changed.json] })
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', '/gateway/wall/boards')).json).toEqual({ boards: [] })
    expect((await call('DELETE', path)).json?.kind).toBe('WALL_BOARD_UNKNOWN')
    expect((await call('PUT', path, { body: PAYMENTS })).json?.kind).toBe('WALL_BOARD_UNKNOWN')
  })

  it.each([
    ['name', { ...PAYMENTS, name: 'a\u0000b' }],
    ['filter', { ...PAYMENTS, filter: { query: '\u0000' } }],
    ['filter', { ...PAYMENTS, filter: { namespace: '\ud800' } }],
  ])('hold nothing in their %s that no table takes', async (field, body) => {
    const { status, json } = await call('POST', '/gateway/wall/boards', { role: 'editor', body })
    expect([status, json]).toMatchObject([400, { kind: 'WALL_INPUT_INVALID', details: [{ field }] }])
  })

  it('have names of their own', async () => {
    await createBoard()
    const again = await call('POST', '/gateway/wall/boards', { body: { ...PAYMENTS, name: 'PAYMENTS' } })
    expect([again.status, again.json?.kind]).toEqual([409, 'WALL_BOARD_NAME_TAKEN'])
  })

  it.each([
    [{}, 'name'],
    [{ name: '  ' }, 'name: This field is required'],
    [{ name: 'x'.repeat(81) }, 'name'],
    [{ name: 'x', filter: { query: 'q'.repeat(201) } }, 'filter.query'],
    [{ name: 'x', filter: { labels: { a: 7 } } }, 'filter.labels.a'],
    [{ name: 'x', color: 'red' }, 'color'],
    ['text', ''],
  ])('refuse %j and name the field', async (body, field) => {
    const { status, json } = await call('POST', '/gateway/wall/boards', { body })
    expect([status, json?.kind]).toEqual([400, 'WALL_INPUT_INVALID'])
    expect(json?.message).toContain(field)
  })
})

describe('links', () => {
  it('show their token once; the database holds no way in', async () => {
    const board = await createBoard()
    const { token, link } = await createLink(board.id)
    expect(token.length).toBeGreaterThanOrEqual(43)
    const cookie = await enterAs(token)
    const listed = await call('GET', '/gateway/wall/links')
    expect(WallLinksSchema.parse(listed.json).links).toEqual([{ ...link, lastSeenAt: expect.any(String) }])
    const { rows } = await database.pool.query(
      'select l::text || d::text as text from watchroom.wall_link l join watchroom.wall_device d on d.link_id = l.id',
    )
    expect(rows).toHaveLength(1)
    for (const secret of [token, cookie.split('=')[1]]) {
      expect(JSON.stringify([listed.json, rows])).not.toContain(secret)
    }
  })

  it('give the browser a cookie that scripts cannot read and that goes nowhere else', async () => {
    const board = await createBoard()
    const { token } = await createLink(board.id)
    const { json, cookies } = await enter(token)
    expect(json).toMatchObject({ name: 'Lobby', board: { id: board.id, name: 'Payments' } })
    expect(cookies.map((cookie) => cookie.replace(/=[^;]+;/, '=*;'))).toEqual(
      ['/socket.io/', '/gateway/wall/device'].map(
        (path) => `watchroom_device=*; Path=${path}; Max-Age=34560000; HttpOnly; SameSite=Strict`,
      ),
    )
    expect(cookies.join()).not.toContain(token)
  })

  it('keep the cookie of a browser that opens them again, and give a new one for another link', async () => {
    const board = await createBoard()
    const { token } = await createLink(board.id)
    const cookie = await enterAs(token)
    expect((await enter(token, { headers: { cookie } })).cookies).toEqual([])
    const other = await createLink(board.id, { name: 'Canteen' })
    expect((await enter(other.token, { headers: { cookie } })).cookies).toHaveLength(2)
    expect((await enter(token, { headers: { cookie: 'watchroom_device=guessed' } })).cookies).toHaveLength(2)
  })

  it('refuse a wrong, an empty and a missing token, and count the attempts', async () => {
    expect((await enter('guessed')).json?.kind).toBe('WALL_LINK_UNKNOWN')
    expect((await enter('')).json?.kind).toBe('WALL_INPUT_INVALID')
    expect((await enter('x', { body: {} })).json?.kind).toBe('WALL_INPUT_INVALID')
    const strict = await startOne({ signInsPerMinute: 3 })
    onTestFinished(() => strict.stop())
    const statuses: number[] = []
    for (let attempt = 0; attempt < 4; attempt += 1) {
      statuses.push((await enter('guessed', { gateway: strict })).status)
    }
    expect(statuses.at(-1)).toBe(429)
  })

  it('refuse whoever comes after the end, and say which end', async () => {
    const board = await createBoard()
    const withdrawn = await createLink(board.id)
    expect((await call('DELETE', `/gateway/wall/links/${withdrawn.link.id}`)).status).toBe(204)
    expect((await enter(withdrawn.token)).json?.kind).toBe('WALL_LINK_WITHDRAWN')
    const expired = await createLink(board.id, { name: 'Fair', expiresAt: '2020-01-01T00:00:00Z' })
    expect((await enter(expired.token)).json?.kind).toBe('WALL_LINK_EXPIRED')
    const { links } = WallLinksSchema.parse((await call('GET', '/gateway/wall/links')).json)
    expect(links.map(({ name, state }) => [name, state])).toEqual([
      ['Fair', 'expired'],
      ['Lobby', 'withdrawn'],
    ])
  })

  it('end at a moment that a table takes, in whatever zone it is told', async () => {
    const { id } = await createBoard()
    const { link } = await createLink(id, { name: 'Lobby', expiresAt: '2126-01-01T00:00:00+23:59' })
    expect(link.expiresAt).toBe('2125-12-31T00:01:00.000Z')
    const body = { name: 'Lobby', expiresAt: '0000-01-01T00:00:00Z' }
    const refused = await call('POST', `/gateway/wall/boards/${id}/links`, { body })
    expect([refused.status, refused.json]).toMatchObject([400, { details: [{ field: 'expiresAt' }] }])
  })

  it('are made for boards that exist', async () => {
    for (const id of [NOBODY, 'nonsense']) {
      const answer = await call('POST', `/gateway/wall/boards/${id}/links`, { body: { name: 'Lobby' } })
      expect(answer.json?.kind).toBe('WALL_BOARD_UNKNOWN')
    }
  })
})

describe('a device', () => {
  it('[LIVE-58] reads the checks of its board, filtered by the gateway, and changes as they happen', async () => {
    const board = await createBoard()
    const client = openDevice(await enterAs((await createLink(board.id)).token))
    const watch = await watchBoard(client, board.id, 10)
    expect(watch.view().rows.every(({ labels }) => labels['team'] === 'payments')).toBe(true)

    serve(20, (index) => (index === 2 ? { status: 'unhealthy' } : {}))
    watch.view().refresh()
    await until(() => expect(watch.view().rows.filter(({ status }) => status === 'unhealthy')).toHaveLength(1))
    // A check that changed teams leaves the board.
    serve(20, (index) => (index === 2 ? { labels: { team: 'search' } } : {}))
    watch.view().refresh()
    await until(() => expect(watch.view().rows).toHaveLength(9))
  })

  it('[LIVE-58] sees another filter as soon as someone changes it, and nothing when the board is gone', async () => {
    const board = await createBoard()
    const client = openDevice(await enterAs((await createLink(board.id)).token))
    const watch = await watchBoard(client, board.id, 10)
    await call('PUT', `/gateway/wall/boards/${board.id}`, { body: { name: 'All of it', filter: {} } })
    await until(() => expect(watch.view().rows).toHaveLength(20))
    await call('DELETE', `/gateway/wall/boards/${board.id}`)
    await until(() => expect(client.link()).toMatchObject({ kind: 'ended', code: CLOSE_CODES.accessRemoved.code }))
  })

  it('shows what administrators decide: nobody else changes the filter of a board with a link', async () => {
    const board = await createBoard()
    const path = `/gateway/wall/boards/${board.id}`
    const { link } = await createLink(board.id)
    const wider = { name: 'Payments', filter: {} }
    const refused = await call('PUT', path, { role: 'editor', body: wider })
    expect([refused.status, refused.json?.kind]).toEqual([403, 'WALL_FILTER_SHOWN'])
    const renamed = { ...PAYMENTS, name: 'Money', groupBy: 'type' }
    expect((await call('PUT', path, { role: 'editor', body: renamed })).status).toBe(200)
    expect((await call('PUT', path, { body: wider })).status).toBe(200)
    await call('DELETE', `/gateway/wall/links/${link.id}`)
    expect((await call('PUT', path, { role: 'editor', body: PAYMENTS })).status).toBe(200)
  })

  it('[LIVE-58] reads no other board and no other topic, and opens none of them', async () => {
    const board = await createBoard()
    const other = await createBoard({ name: 'Search', filter: { labels: { 'canary:team:search': 1 } } })
    const client = openDevice(await enterAs((await createLink(board.id)).token))
    await watchBoard(client, board.id, 10)
    const asked = backend.requests.length
    const denied = [
      client.watch(wallTopic, { boardId: other.id }),
      client.watch(checksTopic, {}),
      client.watch(incidentTopic, { id: NOBODY }),
    ]
    for (const watch of denied) {
      await until(() =>
        expect(watch.view()).toMatchObject({ state: 'denied', error: { code: 'LIVE_TOPIC_FORBIDDEN' } }),
      )
      expect(watch.view().rows).toEqual([])
    }
    expect(backend.requests.slice(asked).filter(({ url }) => url.includes('incident'))).toEqual([])
  })

  it('[LIVE-58] is no person: not on a socket, not on any route of the backend, not in a document', async () => {
    const board = await createBoard()
    const cookie = await enterAs((await createLink(board.id)).token)
    const asPerson = openDevice(cookie, 'person')
    await until(() => expect(asPerson.link()).toMatchObject({ kind: 'ended', code: CLOSE_CODES.loginNeeded.code }))
    const asked = backend.requests.length
    for (const path of ['/api/canary/api/summary', '/api/db/checks', '/api/auth/whoami', '/gateway/wall/boards']) {
      const { status } = await call('GET', path, { role: null, headers: { cookie } })
      expect([path, status]).toEqual([path, 401])
    }
    expect(backend.requests.slice(asked).filter(({ url }) => !url.startsWith('/canary/api/summary'))).toEqual([])

    const document = new WebSocket(`${running.url.replace('http', 'ws')}/collab/incident/${NOBODY}`, {
      headers: { cookie, origin: running.url },
    })
    const code = await new Promise((resolve) => document.on('close', resolve))
    expect(code).toBe(CLOSE_CODES.loginNeeded.code)
  })

  it('[LIVE-58] is what it says: a session does not count where a device was announced', async () => {
    const { session } = await running.signInAs('admin')
    const client = openDevice(`ory_kratos_session=${session}`)
    await until(() => expect(client.link()).toMatchObject({ kind: 'ended', code: CLOSE_CODES.accessRemoved.code }))
  })

  it('[LIVE-59] is cut off when its link is withdrawn, on every gateway, and told why', async () => {
    const second = await startOne()
    onTestFinished(() => second.stop())
    const board = await createBoard()
    const { token, link } = await createLink(board.id)
    const cookie = await enterAs(token)
    const clients = [openDevice(cookie), openDevice(cookie, 'device', second)]
    for (const client of clients) await watchBoard(client, board.id, 10)

    await call('DELETE', `/gateway/wall/links/${link.id}`)
    for (const client of clients) {
      await until(() => expect(client.link()).toMatchObject({ kind: 'ended', code: CLOSE_CODES.accessRemoved.code }))
    }
    const told = await call('GET', '/gateway/wall/device', { role: null, headers: { cookie } })
    expect([told.status, told.json?.kind]).toEqual([410, 'WALL_LINK_WITHDRAWN'])
  })

  it('[LIVE-65] is cut off when whoever made its link may not see checks any more, and is told why', async () => {
    const own = await FakeBackend.start()
    onTestFinished(() => own.stop())
    own.json(SUMMARY, { checks_summary: [] })
    const gateway = await startGateway({ backend: { url: own.url, databaseUrl: database.databaseUrl } })
    onTestFinished(() => gateway.stop())
    await until(async () => {
      expect((await call('GET', '/gateway/wall/boards', { gateway })).status).toBe(200)
    })
    const board = await createBoard()
    const { token } = NewWallLinkSchema.parse(
      (await call('POST', `/gateway/wall/boards/${board.id}/links`, { body: { name: 'Hall' }, gateway })).json,
    )
    const cookie = await enterAs(token, { gateway })
    const client = openDevice(cookie, 'device', gateway)
    await until(() => expect(client.link().kind).toBe('open'))
    own.json('GET /db/identities', [{ state: 'inactive' }])
    gateway.gateway.access.invalidate('all')
    // Sooner than at the next regular look.
    await until(
      () => expect(client.link()).toMatchObject({ kind: 'ended', code: CLOSE_CODES.accessRemoved.code }),
      12_000,
    )
    const told = await call('GET', '/gateway/wall/device', { role: null, headers: { cookie }, gateway })
    expect([told.status, told.json?.kind]).toEqual([410, 'WALL_LINK_MAKER_GONE'])
    expect((await enter(token, { gateway })).json?.kind).toBe('WALL_LINK_MAKER_GONE')
  })

  it('[LIVE-65] gets no link where nobody can tell who may see what, or from someone who is shown less', async () => {
    const own = await FakeBackend.start()
    onTestFinished(() => own.stop())
    const gateway = await startGateway({ backend: { url: own.url, databaseUrl: database.databaseUrl } })
    onTestFinished(() => gateway.stop())
    await until(async () => {
      expect((await call('GET', '/gateway/wall/boards', { gateway })).status).toBe(200)
    })
    const board = await createBoard()
    const ask = () => call('POST', `/gateway/wall/boards/${board.id}/links`, { body: { name: 'Hall' }, gateway })
    own.shows = (caller) => (caller === 'service' ? 10 : 9)
    expect(await ask()).toMatchObject({ status: 403, json: { kind: 'WALL_RIGHTS_SCOPED' } })
    gateway.gateway.access.invalidate('all')
    own.on('GET /db/identities', (_request, response) => void response.writeHead(403).end('Access Denied'))
    expect(await ask()).toMatchObject({ status: 409, json: { kind: 'WALL_RIGHTS_UNREADABLE' } })
  })

  it('[LIVE-59] is cut off when its time is over', async () => {
    const board = await createBoard()
    const { token, link } = await createLink(board.id)
    const client = openDevice(await enterAs(token))
    await watchBoard(client, board.id, 10)
    // As if the time had come; no write of ours tells anyone.
    await database.pool.query(`update watchroom.wall_link set expires_at = now() where id = $1`, [link.id])
    await until(() => expect(client.link()).toMatchObject({ kind: 'ended', code: CLOSE_CODES.accessRemoved.code }))
  })

  it('learns which board it shows; a browser that was never let in learns nothing', async () => {
    const board = await createBoard()
    const cookie = await enterAs((await createLink(board.id)).token)
    const read = (headers: Record<string, string>) => call('GET', '/gateway/wall/device', { role: null, headers })
    expect((await read({ cookie })).json).toMatchObject({ name: 'Lobby', board: { name: 'Payments' } })
    expect((await read({})).json?.kind).toBe('WALL_DEVICE_REQUIRED')
    expect((await read({ cookie: 'watchroom_device=guessed' })).json?.kind).toBe('WALL_DEVICE_REQUIRED')
  })
})

describe('release', () => {
  it('names the build that is served, read anew each time, and nothing while there is none', async () => {
    const webRoot = await mkdtemp(join(tmpdir(), 'watchroom-web-'))
    onTestFinished(() => rm(webRoot, { recursive: true, force: true }))
    const gateway = await startOne({ webRoot })
    onTestFinished(() => gateway.stop())
    const read = async () => (await call('GET', '/gateway/release', { role: null, gateway })).json
    expect(await read()).toEqual({ build: null })
    for (const build of ['/assets/index-a1.js', '/assets/index-b2.js']) {
      await writeFile(join(webRoot, 'index.html'), `<script type="module" crossorigin src="${build}"></script>`)
      expect(await read()).toEqual({ build })
    }
  })
})
