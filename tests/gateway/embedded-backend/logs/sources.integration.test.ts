// `POST /logs` over every kind of place that holds logs: real files, a real program, and HTTP servers that note what they were asked.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { LogLine, LogPage } from '@watchroom/shared/logs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { callTable } from '#support/incidentGateway.ts'
import { createLogComponents } from '#support/logComponents.ts'

const NAMES = [
  'files',
  'escape',
  'masked',
  'exec',
  'own',
  'index',
  'loki',
  'busy-index',
  'busy-loki',
  'long-loki',
  'small-loki',
  'short-loki',
  'small-index',
  'two',
  'nothing',
] as const
type Name = (typeof NAMES)[number]

interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

let backend: TestBackend
let root: string
let session: Record<string, string>
let admin: Record<string, string>
let server: Server
let address: string
/** What the server was asked, and what it answers next: the same to everything, or what it finds. */
const asked: Asked[] = []
let answer: { status: number; body: unknown; headers?: Record<string, string> } = { status: 200, body: {} }
let find: ((question: Asked) => unknown) | null = null
/** What a server refuses with, as it says it. */
class Refused {
  readonly words: string

  constructor(words: string) {
    this.words = words
  }
}
const components = new Map<Name, string>()

const STARTED_AT = Date.now() - 60_000
const at = (seconds: number): string => new Date(STARTED_AT + seconds * 1_000).toISOString()

async function ask(
  name: Name,
  body: object = {},
  headers = session,
): Promise<{ status: number; page: LogPage; text: string }> {
  const { status, text } = await backend.call('/logs', {
    method: 'POST',
    headers,
    body: { id: components.get(name), ...body },
  })
  return { status, text, page: (status === 200 ? JSON.parse(text) : {}) as LogPage }
}
const messagesOf = ({ page }: { page: LogPage }): string[] => (page.results ?? []).map(({ message }) => message)

async function createBackendRow(name: string, place: object): Promise<string> {
  const answer = await backend.call('/db/logging_backends', {
    method: 'POST',
    headers: { ...admin, prefer: 'return=representation' },
    body: { name, source: 'UI', spec: { backends: [place] } },
  })
  expect(answer.status, answer.text).toBe(201)
  return (answer.json() as { id: string }[])[0]?.id ?? ''
}
const routes = (name: Name) => [{ type: 'Service', labels: { of: name } }]

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'wr-log-root-'))
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const question = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
      asked.push(question)
      const found = find?.(question)
      if (found instanceof Refused) return response.writeHead(400).end(found.words)
      response.writeHead(find ? 200 : answer.status, { 'content-type': 'application/json', ...answer.headers })
      return response.end(JSON.stringify(find ? found : answer.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  backend = await startEmbeddedBackend({ logRoots: [root] })
  const [viewer, administrator] = [await backend.createPerson('viewer'), await backend.createPerson('admin')]
  session = await backend.signIn(viewer.email, viewer.password)
  admin = await backend.signIn(administrator.email, administrator.password)
  const ids = await createLogComponents(
    backend,
    NAMES.map((name) => ({ name, selectors: [{ name: 'all', labels: { of: name, app: 'shop' } }] })),
  )
  NAMES.forEach((name, index) => components.set(name, ids[index] ?? ''))
})
afterAll(async () => {
  await backend?.stop()
  server?.close()
  rmSync(root, { recursive: true, force: true })
})

describe('files', () => {
  let folder: string
  beforeAll(async () => {
    folder = join(backend.dataDirectory, 'logs', 'shop')
    mkdirSync(folder)
    writeFileSync(join(folder, 'a.log'), [0, 2, 4].map((n) => `${at(n)} a${n}\n`).join(''))
    writeFileSync(
      join(root, 'b.log'),
      [1, 3].map((n) => `{"time":"${at(n)}","msg":"b${n}","level":"error"}\n`).join(''),
    )
    const file = { path: ['shop/*.log', join(root, 'b.log')], routes: routes('files'), labels: { zone: 'eu' } }
    await createBackendRow('files', { file })
  })

  it('are one log, newest first, in pages that lose nothing', async () => {
    const all = await ask('files')
    expect(messagesOf(all)).toEqual(['a4', 'b3', 'a2', 'b1', 'a0'])
    expect(all.page.results?.[1]?.labels).toEqual({ level: 'error', zone: 'eu', file: 'b.log' })
    expect(all.page).not.toHaveProperty('nextPage')
    const first = await ask('files', { limit: 2 })
    appendFileSync(join(folder, 'a.log'), `${at(5)} late\n`)
    const second = await ask('files', { limit: 2, page: first.page.nextPage })
    const third = await ask('files', { limit: 2, page: second.page.nextPage })
    expect([first, second, third].flatMap(messagesOf)).toEqual(['a4', 'b3', 'a2', 'b1', 'a0'])
    expect((await ask('files')).page.results?.map(({ id }) => id)).toEqual(
      expect.arrayContaining(all.page.results?.map(({ id }) => id) ?? []),
    )
  })

  it('are answered with the names of places that would be asked if they could be', async () => {
    const place = { address: 'http://127.0.0.1:9', index: 'shop', query: '{{.name}}', routes: routes('files') }
    const id = await createBackendRow('templated', { elasticsearch: place })
    const { page } = await ask('files', { limit: 1 })
    expect([page.results?.length, page.notAsked]).toEqual([1, ['templated']])
    await backend.call(`/db/logging_backends?id=eq.${id}`, { method: 'DELETE', headers: admin })
    expect((await ask('files', { limit: 1 })).page).not.toHaveProperty('notAsked')
  })

  it('are searched by words and range, and tell what stands around a line', async () => {
    expect(messagesOf(await ask('files', { query: 'LEVEL=error b3' }))).toEqual(['b3'])
    expect(messagesOf(await ask('files', { query: '.*' }))).toEqual([])
    expect(messagesOf(await ask('files', { start: at(0.5), end: at(2.5) }))).toEqual(['a2', 'b1'])
    const [line] = (await ask('files', { query: 'a2' })).page.results as LogLine[]
    expect(messagesOf(await ask('files', { query: 'a2', around: line?.id, limit: 3 }))).toEqual(['b3', 'a2', 'b1'])
    expect((await ask('files', { around: 'gone.0' })).status).toBe(404)
  })

  it('tell what is older than what stands around a line', async () => {
    const [line] = (await ask('files', { query: 'a2' })).page.results as LogLine[]
    const around = { query: 'a2', around: line?.id, limit: 3 }
    const first = await ask('files', around)
    expect(messagesOf(first)).toEqual(['b3', 'a2', 'b1'])
    const older = await ask('files', { ...around, page: first.page.nextPage })
    expect(messagesOf(older)).toEqual(['a0'])
  })

  it('show no password of an address, in whatever field it stands', async () => {
    const line = { time: at(0), msg: 'no postgres://u:pw-one@db/x', url: 'postgres://u:pw-two@db/x' }
    writeFileSync(join(folder, 'json.txt'), `${JSON.stringify(line)}\n`)
    await createBackendRow('masked', { file: { path: ['shop/json.txt'], routes: routes('masked') } })
    const { page, text } = await ask('masked')
    expect(page.results?.[0]).toMatchObject({
      message: 'no postgres://***@db/x',
      labels: { url: 'postgres://***@db/x' },
    })
    expect(text).not.toContain('pw-')
  })

  it.each([
    ['page', 'bm9uZQ', /^page: /],
    ['follow', '%%%', /^follow: /],
  ])('name the field of a %s that is none', async (field, value, words) => {
    const { status, text } = await ask('files', { [field]: value })
    expect([status, (JSON.parse(text) as { error: string }).error]).toEqual([400, expect.stringMatching(words)])
  })

  it('are followed: the answer comes with the line, and an idle one comes empty', async () => {
    const begun = await ask('files', { follow: '' })
    expect(begun.page.results?.length).toBeGreaterThan(0)
    let { tail } = begun.page
    let round = 0
    const follow = async (): Promise<number> => {
      const line = `while waiting ${(round += 1)}`
      const startedAt = performance.now()
      const waiting = ask('files', { follow: tail })
      setTimeout(() => appendFileSync(join(folder, 'a.log'), `${at(6)} ${line}\n`), 300)
      const news = await waiting
      expect(messagesOf(news)).toEqual([line])
      tail = news.page.tail
      return performance.now() - startedAt
    }
    // Of a wait of 2 s. A busy machine may be late once.
    await expect.poll(follow, { timeout: 20_000 }).toBeLessThan(1_900)
    const idle = await ask('files', { follow: tail })
    expect(messagesOf(idle)).toEqual([])
    expect(idle.page.tail).toBe(tail)
  })

  it('elsewhere are not read, whatever the definition says', async () => {
    const secret = join(backend.dataDirectory, 'secret.log')
    writeFileSync(secret, `${at(0)} secret\n`)
    symlinkSync(secret, join(folder, 'link.txt'))
    const id = await createBackendRow('escape', { file: { path: ['shop/link.txt'], routes: routes('escape') } })
    expect((await ask('escape')).text).toBe('{}')
    const spec = { backends: [{ file: { path: ['../secret.log'], routes: routes('escape') } }] }
    await callTable(backend, `logging_backends?id=eq.${id}`, { method: 'PATCH', body: { spec } })
    const { status, text } = await ask('escape')
    expect(status).toBe(502)
    expect(text).toContain('outside of the folders')
    expect(text).not.toContain(backend.dataDirectory)
  })
})

describe('a program', () => {
  it('runs while someone asks, is followed, and ends with its log backend', async () => {
    const script = 'echo "begun with $WORD at 11"; while true; do sleep 0.2; echo tick; done'
    const id = await createBackendRow('exec', {
      exec: {
        script,
        env: [
          { name: 'WORD', value: 'hello' },
          // What is so short is in every line.
          { name: 'TAIL', value: '1' },
        ],
        routes: routes('exec'),
      },
    })
    const first = await ask('exec')
    // What it is given is sealed in the row, and masked in what it prints.
    expect(messagesOf(first).at(-1)).toBe('begun with *** at 11')
    const { page } = await ask('exec', { follow: '' })
    expect(messagesOf(await ask('exec', { follow: page.tail }))).toContain('tick')
    const again = await ask('exec')
    expect(again.page.results?.at(-1)).toEqual(first.page.results?.at(-1))
    await callTable(backend, `logging_backends?id=eq.${id}`, { method: 'PATCH', body: { deleted_at: 'now()' } })
    expect((await ask('exec')).text).toBe('{}')
  })

  it("is an administrator's to save", async () => {
    const { email, password } = await backend.createPerson('editor')
    const headers = { ...(await backend.signIn(email, password)), prefer: 'return=minimal' }
    const save = (place: object) =>
      backend.call('/db/logging_backends', {
        method: 'POST',
        headers,
        body: { name: 'mine', source: 'UI', spec: { backends: [place] } },
      })
    expect((await save({ exec: { script: 'id', routes: [{}] } })).status).toBe(403)
    expect((await save({ file: { path: ['none.log'], routes: routes('nothing') } })).status).toBe(201)
  })
})

describe("the product's own log", () => {
  it('is a log like others, from where it was written', async () => {
    writeFileSync(
      join(backend.dataDirectory, 'own-log/gateway.log'),
      `{"time":"${at(1)}","level":"info","msg":"listening"}\n`,
    )
    await createBackendRow('own', { watchroom: { routes: routes('own') } })
    const [line] = (await ask('own')).page.results ?? []
    expect(line).toMatchObject({ message: 'listening', labels: { level: 'info', file: 'gateway.log' } })
  })
})

describe('Elasticsearch and OpenSearch', () => {
  const hit = (n: number) => ({
    _index: 'logs-1',
    _id: `id ${n}`,
    _source: {
      '@timestamp': new Date(1_795_428_000_000 + Math.floor(n / 2) * 1_000).toISOString(),
      message: `m${n}`,
      kubernetes: { pod: 'p' },
      host: 'h',
    },
  })
  let id: string

  it('are asked by their documented search, with their credential', async () => {
    id = await createBackendRow('index', {
      opensearch: {
        address: `${address}/`,
        index: 'logs-*,more',
        username: 'reader',
        password: 'pass-of-the-index',
        fields: { exclusions: ['host'] },
        routes: routes('index'),
      },
    })
    const [row] = await callTable(backend, `logging_backends?id=eq.${id}&select=spec`)
    expect(JSON.stringify(row)).not.toContain('pass-of-the-index')
    asked.length = 0
    answer = { status: 200, body: { hits: { total: { value: 4, relation: 'eq' }, hits: [hit(3), hit(2)] } } }
    const { page, text } = await ask('index', {
      limit: 2,
      query: 'Timeout $(password)',
      start: '2026-11-23T09:00:00Z',
      end: '2026-11-23T11:00:00Z',
    })
    expect(page.total, text).toBe(4)
    expect(page.results?.[0]).toMatchObject({
      timestamp: '2026-11-23T10:00:01.000Z',
      message: 'm3',
      labels: { 'kubernetes.pod': 'p' },
    })
    expect(page.results?.[0]?.labels).not.toHaveProperty('host')
    const [request] = asked
    expect([request?.method, request?.url]).toEqual(['POST', '/logs-*%2Cmore/_search'])
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('reader:pass-of-the-index').toString('base64')}`)
    expect(JSON.parse(request?.body ?? '')).toEqual({
      size: 2,
      track_total_hits: true,
      sort: [{ '@timestamp': { order: 'desc', unmapped_type: 'date' } }],
      query: {
        bool: {
          filter: [
            {
              range: {
                '@timestamp': {
                  gte: '2026-11-23T09:00:00.000Z',
                  lt: '2026-11-23T11:00:00.001Z',
                  format: 'strict_date_optional_time',
                },
              },
            },
            { match_phrase: { app: 'shop' } },
            { match: { message: { query: 'timeout $(password)', operator: 'and' } } },
          ],
        },
      },
    })
    answer = { status: 200, body: { hits: { hits: [hit(1)] } } }
    const next = await ask('index', { limit: 2, page: page.nextPage })
    expect(messagesOf(next)).toEqual(['m1'])
    expect(next.page).not.toHaveProperty('nextPage')
    expect(JSON.parse(asked[1]?.body ?? '')).not.toHaveProperty('track_total_hits')
    expect(JSON.parse(asked[1]?.body ?? '')).toMatchObject({
      query: {
        bool: {
          must_not: [{ ids: { values: ['id 3', 'id 2'] } }],
          filter: [{ range: { '@timestamp': { lt: '2026-11-23T10:00:01.001Z' } } }, {}],
        },
      },
    })
  })

  it('are asked for fewer lines where an answer is longer than what is read', async () => {
    asked.length = 0
    const { _source: source, ...long } = hit(1)
    answer = {
      status: 200,
      body: { hits: { hits: [{ ...long, _source: { ...source, message: 'x'.repeat(1_100_000) } }] } },
    }
    const { status, text } = await ask('index', { limit: 40 })
    expect(asked.map(({ body }) => (JSON.parse(body) as { size: number }).size)).toEqual([40, 20, 10])
    expect([status, text.length < 500]).toEqual([502, true])
  })

  it.each([
    ['refuses', { status: 401, body: { error: 'no entry for reader' } }, /answered 401/],
    ['sends elsewhere', { status: 302, body: {}, headers: { location: 'http://127.0.0.1:9/' } }, /answered 302/],
    ['says nonsense', { status: 200, body: ['no hits'] }, /cannot be read/],
  ])('that %s are told by the name of the log backend, without their words', async (_what, given, words) => {
    answer = given
    const { status, text } = await ask('index')
    expect(status).toBe(502)
    expect(text).toMatch(words)
    expect(text).toContain('The log backend index cannot be read')
    expect(text).not.toMatch(/no entry|pass-of-the-index/)
  })

  it('have no tail of their own: whoever follows asks again', async () => {
    answer = { status: 200, body: { hits: { hits: [hit(1)] } } }
    const { page } = await ask('index', { follow: '' })
    expect(messagesOf({ page })).toEqual(['m1'])
    expect(page).not.toHaveProperty('tail')
  })
})

describe('Loki', () => {
  it('is asked by its documented range query, through a connection', async () => {
    await callTable(backend, 'connections', {
      method: 'POST',
      body: {
        name: 'loki',
        namespace: 'default',
        type: 'http',
        url: `${address}/sub/`,
        username: 'u',
        password: 'pass-of-loki',
        source: 'UI',
      },
    })
    await createBackendRow('loki', {
      loki: {
        connection: 'connection://default/loki',
        stream: { job: 'sh"op' },
        tenant: 'acme',
        routes: routes('loki'),
      },
    })
    asked.length = 0
    const values = (moments: string[]) => moments.map((moment) => [moment, `line of ${moment}`])
    answer = {
      status: 200,
      body: {
        status: 'success',
        data: {
          resultType: 'streams',
          result: [
            { stream: { job: 'shop', pod: 'a' }, values: values(['1795428002000000001', '1795428001000000000']) },
            { stream: { job: 'shop', pod: 'b' }, values: values(['1795428001000000000']) },
          ],
        },
      },
    }
    const range = { start: '2026-11-23T09:00:00Z', end: '2026-11-23T11:00:00Z' }
    const { page, text } = await ask('loki', { limit: 2, query: 'A.b "c"', ...range })
    expect(page.results, text).toHaveLength(2)
    expect(page.results?.[0]).toMatchObject({
      message: 'line of 1795428002000000001',
      labels: { job: 'shop', pod: 'a' },
    })
    const [request] = asked
    const url = new URL(request?.url ?? '', address)
    expect([request?.method, url.pathname]).toEqual(['GET', '/sub/loki/api/v1/query_range'])
    expect(Object.fromEntries(url.searchParams)).toEqual({
      query: String.raw`{job="sh\"op", app="shop"} |~ "(?i)a\\.b" |~ "(?i)\\\"c\\\""`,
      start: '1795424400000000000',
      end: '1795431600001000000',
      limit: '2',
      direction: 'backward',
    })
    expect(request?.headers['x-scope-orgid']).toBe('acme')
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('u:pass-of-loki').toString('base64')}`)
    const next = await ask('loki', { limit: 2, page: page.nextPage })
    expect(messagesOf(next)).toEqual(['line of 1795428001000000000'])
    expect(new Set([...(page.results ?? []), ...(next.page.results ?? [])].map(({ id }) => id)).size).toBe(3)
  })
  it('is asked month by month for a range that is longer than it searches at once', async () => {
    asked.length = 0
    const moment = (day: number) => `${Date.parse('2026-11-23T10:00:00Z') - day * 86_400_000}000000`
    answer = {
      status: 200,
      body: {
        status: 'success',
        data: {
          resultType: 'streams',
          result: [{ stream: { job: 'shop' }, values: [0, 45, 420].map((day) => [moment(day), `${day} days ago`]) }],
        },
      },
    }
    const messages: (string | undefined)[] = []
    let nextPage: unknown
    do {
      const question = nextPage === undefined ? { start: '2025-09-01T00:00:00Z', end: '2026-11-23T11:00:00Z' } : {}
      const { page, text } = await ask('loki', { limit: 10, ...question, page: nextPage })
      expect(text).not.toContain('error')
      messages.push(...(page.results ?? []).map(({ message }) => message))
      nextPage = page.nextPage
    } while (nextPage !== undefined && nextPage !== null)
    expect(messages).toEqual(['0 days ago', '45 days ago', '420 days ago'])
    const ranges = asked.map(({ url }) => {
      const { searchParams } = new URL(url ?? '', address)
      return ['start', 'end'].map((name) => BigInt(searchParams.get(name) ?? ''))
    })
    for (const [start = 0n, end = 0n] of ranges) expect(end - start).toBeLessThanOrEqual(30n * 86_400_000_000_000n)
    expect(ranges.slice(1).map(([, end]) => end)).toEqual(ranges.slice(0, -1).map(([start]) => start))
    expect(ranges).toHaveLength(15)
  })
})

interface Entry {
  readonly at: number
  readonly id: string
  readonly app: string
}
const BUSY_AT = 1_795_428_000_000
const BUSY = 1_500
const entries: readonly Entry[] = [
  ...Array.from({ length: 3 }, (_, n) => ({ at: BUSY_AT - 3_000 + n * 1_000, id: `older ${n}`, app: 'shop' })),
  ...Array.from({ length: BUSY }, (_, n) => ({ at: BUSY_AT, id: `of a busy moment ${n}`, app: 'shop' })),
  ...Array.from({ length: 5 }, (_, n) => ({ at: BUSY_AT + 1_000 + n * 1_000, id: `newer ${n}`, app: 'shop' })),
  { at: BUSY_AT + 7_000, id: 'of another', app: 'till' },
]

interface IndexLimits {
  readonly maxWindow?: number
  /** How it refuses to give more. */
  readonly refuse?: (size: number, maxWindow: number) => string
}
const refuseWindow = (size: number, maxWindow: number): string =>
  JSON.stringify({
    error: {
      type: 'search_phase_execution_exception',
      root_cause: [
        {
          type: 'illegal_argument_exception',
          reason: `Result window is too large, from + size must be less than or equal to: [${maxWindow}] but was [${size}].`,
        },
      ],
    },
    status: 400,
  })

/** What a search of an index finds among them, as far as it is asked for here. */
function searchIndex({ body }: Asked, { maxWindow = 10_000, refuse = refuseWindow }: IndexLimits = {}): unknown {
  interface Condition {
    readonly range?: { '@timestamp': { gte: string; lt?: string } }
    readonly ids?: { values: string[] }
    readonly match_phrase?: { app: string }
  }
  const { size, sort, query } = JSON.parse(body) as {
    size: number
    sort: [{ '@timestamp': { order: string } }]
    query: { bool: { filter: Condition[]; must_not?: [{ ids: { values: string[] } }] } }
  }
  if (size > maxWindow) return new Refused(refuse(size, maxWindow))
  const known = new Set(query.bool.must_not?.[0].ids.values)
  const fits = ({ at: moment, id, app }: Entry): boolean =>
    !known.has(id) &&
    query.bool.filter.every(({ range, ids, match_phrase: phrase }) => {
      const { gte = '1970-01-01', lt = '2100-01-01' } = range?.['@timestamp'] ?? {}
      const isWithin = moment >= Date.parse(gte) && moment < Date.parse(lt)
      return isWithin && (ids?.values.includes(id) ?? true) && app === (phrase?.app ?? app)
    })
  const sign = sort[0]['@timestamp'].order === 'desc' ? -1 : 1
  const found = entries.filter(fits).toSorted((a, b) => sign * (a.at - b.at))
  const hits = found.slice(0, size).map(({ at: moment, id, app }) => ({
    _id: id,
    _source: { '@timestamp': new Date(moment).toISOString(), message: id, app },
  }))
  return { hits: { total: { value: found.length }, hits } }
}

interface LokiLimits {
  readonly maxEntries?: number
  readonly maxDays?: number
  /** How it refuses to give more. */
  readonly refuse?: (limit: number, maxEntries: number) => string
}
const refuseEntries = (limit: number, maxEntries: number): string =>
  `max entries limit per query exceeded, limit > max_entries_limit_per_query (${limit} > ${maxEntries})`

const refuseRange = (hours: number, days: number): string =>
  `the query time range exceeds the limit (query length: ${hours}h0m0s, limit: ${days * 24}h0m0s)`

/** What a range query of Loki finds among them, or among others. Backward, lines of one moment come the last written first. */
function searchLoki(
  { url }: Asked,
  held = entries,
  { maxEntries = 5_000, maxDays = 31, refuse = refuseEntries }: LokiLimits = {},
): unknown {
  const { searchParams } = new URL(url, address)
  const [start, end] = ['start', 'end'].map((name) => BigInt(searchParams.get(name) ?? '')) as [bigint, bigint]
  const limit = Number(searchParams.get('limit'))
  if (limit > maxEntries) return new Refused(refuse(limit, maxEntries))
  const hours = Number((end - start) / 3_600_000_000_000n)
  if (hours > maxDays * 24) return new Refused(refuseRange(hours, maxDays))
  const found = held
    .filter(({ app }) => app === 'shop')
    .filter(({ at: moment }) => BigInt(moment) * 1_000_000n >= start && BigInt(moment) * 1_000_000n < end)
    .toSorted((a, b) => a.at - b.at)
  const ordered = searchParams.get('direction') === 'backward' ? found.toReversed() : found
  const values = ordered.slice(0, limit).map(({ at: moment, id }) => [`${moment}000000`, id])
  return { data: { resultType: 'streams', result: [{ stream: { app: 'shop' }, values }] } }
}

describe('a moment of Loki that is longer than an answer', () => {
  const older = entries.filter(({ at: moment }) => moment < BUSY_AT)
  const long = Array.from({ length: 400 }, (_, n) => ({ at: BUSY_AT, id: `${n} ${'x'.repeat(4_000)}`, app: 'shop' }))
  beforeAll(async () => {
    await createBackendRow('long-loki', { loki: { address, routes: routes('long-loki') } })
    find = (question) => searchLoki(question, [...older, ...long], { maxEntries: 1_000 })
  })
  afterAll(() => {
    find = null
  })

  it('is left at its end for what is older', async () => {
    const results: LogLine[] = []
    let page: string | undefined
    do {
      const range = { start: '2026-11-23T09:00:00Z', end: '2026-11-23T11:00:00Z' }
      const answered = await ask('long-loki', { ...range, page })
      expect(answered.status, answered.text.slice(0, 200)).toBe(200)
      results.push(...(answered.page.results ?? []))
      page = answered.page.nextPage
    } while (page !== undefined && results.length < 500)
    expect(results.slice(-3).map(({ message }) => message)).toEqual(['older 2', 'older 1', 'older 0'])
    expect(new Set(results.map(({ id }) => id)).size).toBe(results.length)
    // And its own lines, as far as one sees them, have what stands around them.
    expect(results.length).toBeGreaterThan(100)
    const { status, text } = await ask('long-loki', { around: results[0]?.id, limit: 20 })
    expect(status, text.slice(0, 200)).toBe(200)
  })
})

describe('a Loki that gives few lines at once', () => {
  const MOST = 50
  const range = { start: '2026-11-23T09:00:00Z', end: '2026-11-23T11:00:00Z', limit: 100 }
  const line = (at: number, id: string): Entry => ({ at, id, app: 'shop' })
  const spread = Array.from({ length: 120 }, (_, n) => line(BUSY_AT - 200_000 + n * 1_000, `spread ${n}`))
  const last = line(BUSY_AT + 1_000, 'last')
  /** Of one moment. */
  const many = (count: number) => Array.from({ length: count }, (_, n) => line(BUSY_AT, `of a moment ${n}`))
  const limitsOf = () => asked.map(({ url }) => Number(new URL(url, address).searchParams.get('limit')))
  const readAll = async (): Promise<LogLine[]> => {
    const results: LogLine[] = []
    let page: string | undefined
    do {
      asked.length = 0
      const answered = await ask('small-loki', { ...range, page })
      expect(answered.status, answered.text.slice(0, 200)).toBe(200)
      // It refuses once, and is asked no more than it gives from then on.
      expect(limitsOf().filter((limit) => limit > MOST).length).toBeLessThanOrEqual(1)
      results.push(...(answered.page.results ?? []))
      page = answered.page.nextPage
    } while (page !== undefined && results.length < 500)
    return results
  }
  beforeAll(async () => {
    await createBackendRow('small-loki', { loki: { address, routes: routes('small-loki') } })
  })
  afterAll(() => {
    find = null
  })

  type Refuse = NonNullable<LokiLimits['refuse']>
  const refuseAsOlder: Refuse = (...numbers) => refuseEntries(...numbers).replace('_per_query (', ' (')
  const refuseInJson: Refuse = (...numbers) =>
    JSON.stringify({ code: 400, message: refuseEntries(...numbers), status: 'error' }).replaceAll(
      '>',
      String.raw`\u003e`,
    )

  it.each([
    ['as it says', refuseEntries],
    ['as older ones say', refuseAsOlder],
    ['in JSON', refuseInJson],
  ])('is asked for as many, %s, and read to its end', async (_how, refuse) => {
    const held = [...spread, ...many(MOST - 5), last]
    find = (question) => searchLoki(question, held, { maxEntries: MOST, refuse })
    const results = await readAll()
    expect(results.map(({ message }) => message).toSorted()).toEqual(held.map(({ id }) => id).toSorted())
    expect(messagesOf(await ask('small-loki', { around: results.at(-1)?.id, limit: 1_000 }))).toContain('spread 0')
  })

  it('is left at the end of a moment that is longer, and every line that was shown leads to what stands around it', async () => {
    const held = [...spread, ...many(3 * MOST), last]
    find = (question) => searchLoki(question, held, { maxEntries: MOST })
    const results = await readAll()
    expect(results.filter(({ message }) => message.startsWith('of a moment'))).toHaveLength(MOST)
    expect(results.slice(MOST + 1).map(({ message }) => message)).toEqual(spread.toReversed().map(({ id }) => id))
    const older = results.find(({ message }) => message === 'spread 119')
    const newer = await ask('small-loki', { around: older?.id, limit: 1_000 })
    for (const { id } of [...results.slice(0, 3), ...(newer.page.results ?? []).slice(0, 3)]) {
      const { status, page, text } = await ask('small-loki', { around: id, limit: 20 })
      expect(status, text.slice(0, 200)).toBe(200)
      expect(page.results?.map((each) => each.id)).toContain(id)
    }
  })

  it.each([
    ['says no number', () => 'max entries limit per query exceeded'],
    ['says one that is not smaller', (limit: number) => refuseEntries(limit, limit)],
    ['says 0', (limit: number) => refuseEntries(limit, 0)],
  ])('and %s, is named with the setting', async (_what, refuse) => {
    asked.length = 0
    find = (question) => searchLoki(question, spread, { maxEntries: MOST, refuse })
    const { status, text } = await ask('small-loki', range)
    expect([status, asked.length]).toEqual([502, 1])
    expect(text).toContain(
      'The log backend small-loki cannot be read: it gives fewer lines at once (max_entries_limit_per_query)',
    )
    expect(text).not.toContain('exceeded')
  })
})

describe('a Loki that searches a short time at once', () => {
  const DAY_MS = 86_400_000
  const held = [0, 1, 6, 8, 20, 50].map((day) => ({ at: BUSY_AT - day * DAY_MS, id: `${day} days ago`, app: 'shop' }))
  const range = { start: '2026-09-01T00:00:00Z', end: '2026-11-24T11:00:00Z', limit: 100 }
  const lengths = () =>
    asked.map(({ url }) => {
      const { searchParams } = new URL(url, address)
      const [start, end] = ['start', 'end'].map((name) => Number(searchParams.get(name))) as [number, number]
      return (end - start) / 1_000_000 / DAY_MS
    })
  beforeAll(async () => {
    await createBackendRow('short-loki', { loki: { address, routes: routes('short-loki') } })
    find = (question) => searchLoki(question, held, { maxDays: 7 })
  })
  afterAll(() => {
    find = null
  })

  it('is asked for as long as it says, and read to its end', async () => {
    asked.length = 0
    const results = messagesOf(await ask('short-loki', range))
    expect(results).toEqual(held.map(({ id }) => id))
    // It refuses once.
    expect(lengths().filter((days) => days > 7.001)).toHaveLength(1)
  })

  it('shows what stands around a line, also days later', async () => {
    const { page } = await ask('short-loki', range)
    const { page: around } = await ask('short-loki', { around: page.results?.at(-1)?.id, limit: 20 })
    expect(around.results?.map(({ message }) => message)).toEqual(['20 days ago', '50 days ago'])
    const { page: later } = await ask('short-loki', { around: page.results?.at(-2)?.id, limit: 20 })
    expect(later.results?.map(({ message }) => message)).toEqual(held.map(({ id }) => id))
  })
})

describe('an index that gives few documents at once', () => {
  const MOST = 600
  const range = { start: '2026-11-23T09:00:00Z', end: '2026-11-23T11:00:00Z', limit: 1_000 }
  const all = entries.filter(({ app }) => app === 'shop').map(({ id }) => id)
  const sizes = () => asked.map(({ body }) => (JSON.parse(body) as { size: number }).size)
  beforeAll(async () => {
    const place = { address, index: 'small', routes: routes('small-index') }
    await createBackendRow('small-index', { opensearch: place })
  })
  afterAll(() => {
    find = null
  })

  it('is asked for as many, and read to its end', async () => {
    find = (question) => searchIndex(question, { maxWindow: MOST })
    const messages: string[] = []
    let page: string | undefined
    do {
      asked.length = 0
      const answered = await ask('small-index', { ...range, page })
      expect(answered.status, answered.text.slice(0, 200)).toBe(200)
      expect(sizes().filter((size) => size > MOST).length).toBeLessThanOrEqual(1)
      messages.push(...messagesOf(answered))
      page = answered.page.nextPage
    } while (page !== undefined && messages.length < 3_000)
    expect(messages.toSorted()).toEqual(all.toSorted())
  })

  it('and says no number, is named with the setting', async () => {
    asked.length = 0
    find = (question) => searchIndex(question, { maxWindow: 5, refuse: () => 'Result window is too large' })
    const { status, text } = await ask('small-index', range)
    expect([status, asked.length]).toEqual([502, 1])
    expect(text).toContain('it gives fewer documents at once (index.max_result_window)')
  })
})

describe.each([
  ['an index', 'busy-index', searchIndex],
  ['Loki', 'busy-loki', searchLoki],
] as const)('a moment of %s that has more lines than a page', (_server, name, search) => {
  const all = entries.filter(({ app }) => app === 'shop').map(({ id }) => id)
  beforeAll(async () => {
    const place = { address, routes: routes(name) }
    await createBackendRow(name, name === 'busy-loki' ? { loki: place } : { opensearch: { ...place, index: 'busy' } })
    find = (question) => search(question)
  })
  afterAll(() => {
    find = null
  })

  it.each([500, 1_000])('is read to its end, and what is older after it (%s at once)', async (limit) => {
    const range = { start: '2026-11-23T09:00:00Z', end: '2026-11-23T11:00:00Z', limit }
    const messages: string[] = []
    let page: string | undefined
    do {
      const answered = await ask(name, { ...range, page })
      expect(answered.status, answered.text.slice(0, 200)).toBe(200)
      messages.push(...messagesOf(answered))
      page = answered.page.nextPage
    } while (page !== undefined && messages.length < 2 * all.length)
    expect(messages).toHaveLength(all.length)
    expect(messages.toSorted()).toEqual(all.toSorted())
  })

  it('is gone on behind from line to line, each of which comes once', async () => {
    const first = await ask(name, { start: '2026-11-23T09:00:00Z', end: '2026-11-23T09:59:57.500Z' })
    expect(messagesOf(first)).toEqual(['older 0'])
    const shown = first.page.results ?? []
    for (let last = shown.at(-1); last;) {
      const { id } = last
      const { status, page, text } = await ask(name, { around: id })
      expect(status, text.slice(0, 200)).toBe(200)
      const results = page.results ?? []
      expect(new Set(results.map((line) => line.id)).size).toBe(results.length)
      const newer = results.slice(
        0,
        results.findIndex((line) => line.id === id),
      )
      shown.push(...newer.toReversed())
      last = newer[0]
    }
    const messages = shown.map(({ message }) => message)
    expect(messages).toHaveLength(all.length)
    expect(messages.toSorted()).toEqual(all.toSorted())
  })
})

describe('a line of an index that its selector does not mean', () => {
  it('leads nowhere', async () => {
    find = searchIndex
    const line = (await ask('busy-index', { start: '2026-11-23T09:00:00Z', limit: 1 })).page.results?.[0]
    expect((await ask('busy-index', { around: line?.id })).status).toBe(200)
    const [key = ''] = line?.id.split('.') ?? []
    expect((await ask('busy-index', { around: `${key}.${BUSY_AT + 7_000}~of another` })).status).toBe(404)
    find = null
  })
})

describe('several log backends', () => {
  it('answer together, in one order; an additive one answers alone', async () => {
    for (const [name, moment] of [
      ['x', 1],
      ['y', 2],
    ] as const) {
      writeFileSync(join(root, `${name}.log`), `${at(moment)} ${name}\n`)
      await createBackendRow(name, { file: { path: [join(root, `${name}.log`)], routes: routes('two') } })
    }
    expect(messagesOf(await ask('two'))).toEqual(['y', 'x'])
    const id = await createBackendRow('alone', {
      file: { path: [join(root, 'x.log')], routes: [{ labels: { of: 'two,!one', app: 'sh*' }, is_additive: true }] },
    })
    expect(messagesOf(await ask('two'))).toEqual(['x'])
    await callTable(backend, `logging_backends?id=eq.${id}`, { method: 'PATCH', body: { deleted_at: 'now()' } })
    expect(messagesOf(await ask('two'))).toEqual(['y', 'x'])
  })

  it('have a schema for editors', async () => {
    const { status, text } = await backend.call('/schemas/logging_config.schema.json', { headers: session })
    expect(status).toBe(200)
    expect(Object.keys((JSON.parse(text) as { properties: object }).properties)).toEqual(['backends'])
    expect((await backend.call('/schemas/logging_config.schema.json')).status).toBe(401)
  })
})
