import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'

import { type Role, ROLES } from '@watchroom/shared/access'
import { type ConnectionSummary, ConnectionSummarySchema } from '@watchroom/shared/settings/connections'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'
import { listen } from '#support/listen.ts'

let backend: TestBackend
let gateway: RunningGateway
let target: Server
let targetUrl: string
/** Authorization headers, by path. */
const received: [path: string, authorization: string | undefined][] = []
const sessions = new Map<Role, Readonly<Record<string, string>>>()

interface Answer {
  status: number
  body: unknown
}

beforeAll(async () => {
  backend = await startEmbeddedBackend({})
  gateway = await startGateway({ backend: toGatewayBackend(backend) })
  for (const role of ROLES) sessions.set(role, (await gateway.signInAs(role)).headers)
  target = createServer((request, response) => {
    received.push([request.url ?? '', request.headers.authorization])
    const isKnown = request.headers.authorization === `Basic ${Buffer.from('ada:right').toString('base64')}`
    response.statusCode = isKnown ? 200 : 401
    response.end('{"reason":"no"}')
  })
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  targetUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
})
afterAll(async () => {
  target.close()
  await gateway.stop()
  await backend.stop()
})

async function call(role: Role, path: string, sent?: unknown, method = 'POST'): Promise<Answer> {
  const response = await fetch(`${gateway.url}/api${path}`, {
    method,
    headers: { ...sessions.get(role), 'content-type': 'application/json', prefer: 'return=representation' },
    ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
  })
  const text = await response.text()
  const body: unknown = /^[[{]/.test(text) ? JSON.parse(text) : text
  // Of a refusal its words: the gateway adds how it came about.
  return { status: response.status, body: response.ok ? body : { error: (Object(body) as { error?: unknown }).error } }
}

let names = 0
async function add(values: Record<string, unknown>): Promise<string> {
  names += 1
  const row = { name: `c${names}`, namespace: 'default', source: 'UI', ...values }
  const { status, body } = await call('admin', '/db/connections', row)
  expect(status, JSON.stringify(body)).toBe(201)
  return (body as { id: string }[])[0]?.id ?? ''
}

const http = (password: string) => ({ type: 'http', url: `${targetUrl}/health`, username: 'ada', password })

async function summary(id: string): Promise<ConnectionSummary> {
  const { body } = await call('admin', `/db/connections_with_status?id=eq.${id}`, undefined, 'GET')
  return ConnectionSummarySchema.parse((body as unknown[])[0])
}

const untilGivenUp = ({ socket }: IncomingMessage): Promise<void> =>
  eventually(() => expect(socket.destroyed).toBe(true))

describe('POST /connection/test/{id}', () => {
  it('says ok, keeps when that was, and sends the stored credential', async () => {
    const id = await add(http('right'))
    expect(await call('admin', `/connection/test/${id}`)).toEqual({ status: 200, body: { message: 'ok' } })
    expect(received.at(-1)).toEqual(['/health', `Basic ${Buffer.from('ada:right').toString('base64')}`])
    const { test_outcome: outcome, tested_at: at } = await summary(id)
    expect(outcome).toBe('ok')
    expect(Date.parse(at ?? '')).toBeGreaterThan(Date.now() - 60_000)
  })

  it('says what the other side answered, without the credential', async () => {
    const id = await add(http('wrong-and-secret'))
    const answer = await call('admin', `/connection/test/${id}`)
    expect(answer).toEqual({ status: 400, body: { error: 'it answered 401 Unauthorized' } })
    expect(await summary(id)).toMatchObject({ test_outcome: 'failed', test_message: 'it answered 401 Unauthorized' })
  })

  it('says nothing of a connection whose tester left before the answer', async () => {
    const silent = createServer()
    const id = await add({ ...http('right'), url: `http://127.0.0.1:${await listen(silent)}/` })
    const leaving = new AbortController()
    const asked = once(silent, 'request')
    const left = fetch(`${gateway.url}/api/connection/test/${id}`, {
      method: 'POST',
      headers: { ...sessions.get('admin') },
      signal: leaving.signal,
    }).catch(() => null)
    const [request] = (await asked) as [IncomingMessage]
    leaving.abort()
    expect(await left).toBeNull()
    await untilGivenUp(request)
    const other = await add(http('right'))
    await eventually(async () => expect((await call('admin', `/connection/test/${other}`)).status).toBe(200))
    expect(await summary(id)).toMatchObject({ test_outcome: null, tested_at: null })
  })

  it.each(['sql_server', 'mongo', 'windows', 'jmeter', 'azure', 'google_cloud', 'gcs', 'smb', 'restic', 'of-tomorrow'])(
    'answers 501 for %s',
    async (type) => {
      const id = await add({ type, url: 'https://host.invalid' })
      expect(await call('admin', `/connection/test/${id}`)).toEqual({ status: 501, body: { error: 'not implemented' } })
      expect((await summary(id)).test_outcome).toBe('unsupported')
    },
  )

  it('does not find what is not there', async () => {
    const notFound = { status: 404, body: { error: 'connection was not found' } }
    expect(await call('admin', '/connection/test/00000000-0000-4000-8000-000000000001')).toEqual(notFound)
    expect(await call('admin', '/connection/test/nonsense')).toEqual(notFound)
    const id = await add(http('right'))
    await call('admin', `/db/connections?id=eq.${id}`, { deleted_at: 'now()' }, 'PATCH')
    expect(await call('admin', `/connection/test/${id}`)).toEqual(notFound)
  })

  it.each([
    ['by its number', 'http://169.254.169.254/latest/meta-data'],
    ['by a number in another form', 'http://0xa9fea9fe/latest'],
    ['through IPv6', 'http://[::ffff:169.254.169.254]/latest'],
    ['Azure’s', 'http://168.63.129.16/machine'],
    ['through a network that translates addresses', 'http://[64:ff9b::a9fe:a9fe]/latest'],
    ['Azure’s through such a network', 'http://[64:ff9b::168.63.129.16]/machine'],
    ['through such a network of its own', 'http://[64:ff9b:1::a9fe:a9fe]/latest'],
    ['Alibaba’s through such a network', 'http://[64:ff9b:1:2::100.100.100.200]/latest'],
  ])('goes to no metadata of a cloud, %s', async (_, url) => {
    const id = await add({ ...http('right'), url })
    const { status, body } = await call('admin', `/connection/test/${id}`)
    expect(status).toBe(400)
    expect(body).toEqual({ error: expect.stringContaining('leads to the metadata of a cloud') })
  })
})

describe('a connection to PostgreSQL', () => {
  it('signs in, and says why it cannot', async () => {
    const [, user = '', password = '', name = '', query = ''] =
      /^\w+:\/\/([^:]*):([^@]*)@\/([^?]*)\?(.*)$/.exec(backend.databaseUrl) ?? []
    // The database has a unix socket, which connections do not reach; this leads from a port to it.
    const door = createTcpServer((client) => {
      const socket = connect(join(new URLSearchParams(query).get('host') ?? '', '.s.PGSQL.5432'))
      client.on('error', () => socket.destroy()).on('close', () => socket.destroy())
      socket.on('error', () => client.destroy()).on('close', () => client.destroy())
      client.pipe(socket).pipe(client)
    })
    const url = `postgres://$(username):$(password)@127.0.0.1:${await listen(door)}/${name}`
    const works = await add({
      type: 'postgres',
      url,
      username: decodeURIComponent(user),
      password: decodeURIComponent(password),
    })
    expect(await call('admin', `/connection/test/${works}`)).toEqual({ status: 200, body: { message: 'ok' } })
    const fails = await add({
      type: 'postgres',
      url: `${url}-of-nobody`,
      username: decodeURIComponent(user),
      password: decodeURIComponent(password),
    })
    expect(await call('admin', `/connection/test/${fails}`)).toEqual({
      status: 400,
      body: { error: expect.stringContaining('does not exist') },
    })
  })
})

describe('POST /connection/test', () => {
  const entered = (password: string) => ({ ...http(password), certificate: null, properties: null })

  it('tests what was entered and keeps nothing', async () => {
    expect((await call('admin', '/connection/test', entered('right'))).status).toBe(200)
    expect((await call('admin', '/connection/test', entered('other'))).status).toBe(400)
  })

  it('uses a stored secret where *** stands for it', async () => {
    const id = await add(http('right'))
    const masked = { ...entered('***'), username: '***', id }
    expect(await call('admin', '/connection/test', masked)).toEqual({ status: 200, body: { message: 'ok' } })
  })

  it.each([
    ['of a new connection', {}],
    ['of one that is not there', { id: '00000000-0000-4000-8000-000000000001' }],
  ])('refuses *** %s at its field', async (_, id) => {
    const before = received.length
    const { status, body } = await call('admin', '/connection/test', { ...entered('***'), ...id })
    expect(status).toBe(400)
    expect(body).toEqual({ error: 'password: no secret is stored here that *** could stand for. Enter it.' })
    expect(received.length).toBe(before)
  })

  it('names the field of a body that does not fit', async () => {
    const { status, body } = await call('admin', '/connection/test', { ...entered('x'), insecure_tls: 'yes' })
    expect(status).toBe(400)
    expect(body).toEqual({ error: expect.stringContaining('insecure_tls') })
  })
})

describe('connections_with_status', () => {
  it('says when and by whom each credential was entered, and none of them', async () => {
    const id = await add({ ...http('right'), properties: { accessKey: 'AKIA-secret', region: 'eu' } })
    const row = await summary(id)
    expect(row).toMatchObject({ username: '***', password: '***', properties: { accessKey: '***', region: 'eu' } })
    expect(row.credentials.map(({ place }) => place)).toEqual(['password', 'properties.accessKey', 'username'])
    for (const { set_at: at, set_by: by } of row.credentials) {
      expect(Date.parse(at ?? '')).toBeGreaterThan(Date.now() - 60_000)
      expect(by).toMatch(/admin/i)
    }
  })

  it('moves the moment of a credential that is replaced, and of no other', async () => {
    const id = await add(http('right'))
    const before = await summary(id)
    await call('admin', `/db/connections?id=eq.${id}`, { password: 'new', username: '***' }, 'PATCH')
    const after = await summary(id)
    const at = (row: ConnectionSummary, place: string) => row.credentials.find((one) => one.place === place)?.set_at
    expect(at(after, 'username')).toBe(at(before, 'username'))
    expect(at(after, 'password')).not.toBe(at(before, 'password'))
  })

  it('names who uses a connection', async () => {
    const id = await add({ ...http('right'), name: 'shop', namespace: 'prod' })
    const spec = { http: [{ name: 'a', connection: 'connection://prod/shop' }] }
    await call('admin', '/db/canaries', { name: 'uses shop', namespace: 'default', spec })
    await call('admin', '/db/notifications', {
      title: 'tells shop',
      events: ['check.failed'],
      custom_services: [{ connection: id }],
      source: 'UI',
    })
    const fallback = { title: 'falls back on shop', properties: { fallback_connection: id } }
    await call('admin', '/db/notifications', { ...fallback, events: ['check.failed'], source: 'UI' })
    await call('admin', '/db/teams', {
      name: 'told by shop',
      source: 'UI',
      spec: { notifications: [{ connection: id }] },
    })
    // What is wrong with a rule is said at its column, whoever writes it.
    const bad = await call('admin', '/db/notifications', { events: ['check.failed'], filter: 'check.name ==' })
    expect(bad).toMatchObject({ status: 400, body: { error: expect.stringContaining('filter: ') } })
    const names = (await summary(id)).used_by.map(({ kind, name }) => `${kind} ${name}`)
    expect(names.toSorted()).toEqual([
      'check uses shop',
      'notification falls back on shop',
      'notification tells shop',
      'team told by shop',
    ])
  })
})

describe('rights', () => {
  it.each(ROLES.filter((role) => role !== 'admin'))('gives %s neither rows, nor tests, nor writing', async (role) => {
    // An address of its own: the check of another test is run meanwhile, and asks the same server.
    const url = `${targetUrl}/asked-by-${role}`
    const id = await add({ ...http('right'), url })
    const doors: [path: string, body: unknown, method: string][] = [
      ['/db/connections', undefined, 'GET'],
      ['/db/connections_with_status', undefined, 'GET'],
      [`/db/connections?id=eq.${id}`, { password: 'mine' }, 'PATCH'],
      ['/db/connections', { ...http('x'), name: 'mine' }, 'POST'],
      [`/connection/test/${id}`, undefined, 'POST'],
      ['/connection/test', { ...http('right'), url }, 'POST'],
    ]
    const statuses = await Promise.all(doors.map(async (door) => (await call(role, ...door)).status))
    expect(statuses).toEqual(doors.map(() => 403))
    expect(received.map(([path]) => path)).not.toContain(new URL(url).pathname)
  })
})
