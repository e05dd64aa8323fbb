// Families of scrapers against real servers, a real database and real programs.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

import { SCRAPER_FAMILIES } from '@watchroom/shared/specs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { listen } from '#support/listen.ts'
import { buildExecutor, silentLogger } from '#support/runDeps.ts'
import { type DatabaseRelay, relayDatabase } from '#support/tcpRelay.ts'

import { createExecFamily } from '../../../../../gateway/src/embedded-backend/catalog/families/exec.ts'
import { createHttpFamily } from '../../../../../gateway/src/embedded-backend/catalog/families/http.ts'
import { createSelfFamily } from '../../../../../gateway/src/embedded-backend/catalog/families/self.ts'
import { createSqlFamily } from '../../../../../gateway/src/embedded-backend/catalog/families/sql.ts'
import type { Family } from '../../../../../gateway/src/embedded-backend/catalog/family.ts'
import type { RawItem } from '../../../../../gateway/src/embedded-backend/catalog/item.ts'
import { createCheckOpener } from '../../../../../gateway/src/embedded-backend/checks/createCheckOpener.ts'
import { createNetwork } from '../../../../../gateway/src/embedded-backend/outbound/createNetwork.ts'
import type { Executor } from '../../../../../gateway/src/executor/contract.ts'
import { systemClock } from '../../../../../gateway/src/platform/clock.ts'

let database: TestDatabase
let relay: DatabaseRelay
let executor: Executor

beforeAll(async () => {
  database = await startTestDatabase()
  relay = await relayDatabase(database)
  executor = await buildExecutor()
})
afterAll(async () => {
  await relay.close()
  await database.stop()
})

const network = createNetwork()
const opener = () => createCheckOpener({ ...database, clock: systemClock })

async function readAll(
  name: 'http' | 'sql' | 'exec' | 'self',
  family: Family,
  written: Record<string, unknown>,
  signal = new AbortController().signal,
): Promise<RawItem[]> {
  const element = SCRAPER_FAMILIES[name].parse(written)
  const items: RawItem[] = []
  const context = { scraper: { id: 'a', name: 'test' }, clock: systemClock, signal }
  for await (const batch of family.read(element, context)) items.push(...batch.items)
  return items
}

describe('http', () => {
  const read = (written: Record<string, unknown>) =>
    readAll('http', createHttpFamily({ opener: opener(), network }), written)
  const serve = async (handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> =>
    `http://127.0.0.1:${await listen(createServer(handle))}`
  const json = (response: ServerResponse, body: unknown, headers: Record<string, string> = {}): void => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

  it('takes each member of a list for an item, and follows pages to their end', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/items?page=2') json(response, [{ id: 'c' }])
      else json(response, [{ id: 'a' }, { id: 'b' }], { link: '</first>; rel="prev", </items?page=2>; rel="next"' })
    })
    const items = await read({ url: `${url}/items` })
    expect(items.map(({ config }) => config)).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
    expect(items[0]?.place).toEqual({ source: `${url}/items` })
  })

  it('goes on where the answer says so, and not in a circle', async () => {
    const url = await serve((request, response) =>
      json(response, { at: request.url, next: request.url === '/2' ? '' : '/2' }),
    )
    const pages = await read({ url: `${url}/1`, next: '$.next' })
    expect(pages.map(({ config }) => config)).toMatchObject([{ at: '/1' }, { at: '/2' }])
    const circle = await serve((_request, response) => json(response, { next: '/again' }))
    await expect(read({ url: circle, next: '$.next' })).rejects.toThrow('lead back')
  })

  it('signs in with its connection, whose credentials are in nothing that comes back', async () => {
    const seen: unknown[] = []
    const url = await serve((request, response) => {
      seen.push(request.headers.authorization)
      json(response, { echo: request.headers.authorization, said: 'the password is korrekt-pferd' })
    })
    await database.pool.query(
      `insert into connections (name, namespace, type, source, url, username, password) values ('shop', 'default', 'http', 'UI', $1, 'ada', 'korrekt-pferd')`,
      [url],
    )
    const [item] = await read({ connection: 'connection://default/shop' })
    expect(seen).toEqual([`Basic ${Buffer.from('ada:korrekt-pferd').toString('base64')}`])
    expect(item?.config).toEqual({ echo: 'Basic ***', said: 'the password is ***' })
    await expect(read({ connection: 'connection://default/shop', url: 'http://127.0.0.1:9/' })).rejects.toThrow(
      'this is not the address of the connection',
    )
  })

  it.each<[string, (response: ServerResponse) => void, string]>([
    [
      'a failure',
      (response) => response.writeHead(500).end('{"reason":"no"}'),
      'it answered 500 Internal Server Error',
    ],
    ['a page for people', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'), 'HTML'],
    ['words', (response) => response.end('hello'), 'not a document in JSON'],
    [
      'pages of another server',
      (response) => json(response, {}, { link: '<http://127.0.0.2/>; rel=next' }),
      'another server',
    ],
    ['no end', (response) => endless(response), 'it answered more than 16'],
    ['nothing', () => undefined, 'it took longer than 0.2 s'],
  ])('fails with the reason when a server answers %s', async (_, answer, words) => {
    const url = await serve((_request, response) => answer(response))
    await expect(read({ url, timeout: words.includes('0.2 s') ? '200ms' : '20s' })).rejects.toThrow(words)
  })

  it('is not led to where a cloud keeps the credentials of machines', async () => {
    await expect(read({ url: 'http://169.254.169.254/latest' })).rejects.toThrow('metadata of a cloud')
  })
})

function endless(response: ServerResponse): void {
  const piece = Buffer.alloc(2 ** 20, 'x')
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

describe('sql', () => {
  const read = (query: string, more: Record<string, unknown> = {}) =>
    readAll('sql', createSqlFamily({ opener: opener(), network, logger: silentLogger }), {
      connection: relay.url,
      id: '$.id',
      type: 'Row',
      query,
      ...more,
    })

  it('takes each row for an item, with its columns', async () => {
    const items = await read(`select number as id, now() > 'epoch' as live from generate_series(1, 1203) number;`)
    expect(items).toHaveLength(1_203)
    expect(items[1_202]).toMatchObject({ config: { id: 1_203, live: true }, place: { line: 1_203 } })
  })

  it.each([
    [`insert into properties (name, value) values ('x', 'y') returning name`, 'syntax error'],
    [
      `with made as (insert into properties (name, value) values ('x', 'y') returning name) select * from made`,
      'data-modifying',
    ],
    [`select 1; commit; insert into properties (name, value) values ('x', 'y')`, 'cannot insert multiple commands'],
    [
      `select set_config('transaction_read_only', 'off', true), pg_logical_emit_message(true, 'a', 'b')`,
      'read-write mode',
    ],
    [`select * from generate_series(1, 50001)`, 'more than 50000 rows'],
    [`select nonsense`, 'column "nonsense" does not exist'],
  ])('refuses %s', async (query, words) => {
    await expect(read(query)).rejects.toThrow(words)
    const { rows } = await database.pool.query(`select from properties where name = 'x'`)
    expect(rows).toEqual([])
  })

  it('ends a query that takes too long, also at the server', async () => {
    await expect(read('select pg_sleep(60)', { timeout: '300ms' })).rejects.toThrow('it took longer than 0.3 s')
    await expect
      .poll(async () => {
        const { rows } = await database.pool.query(
          `select from pg_stat_activity where application_name = 'watchroom scraper'`,
        )
        return rows.length
      })
      .toBe(0)
  })

  it('shows no password when it cannot sign in', async () => {
    const wrong = relay.url.replace(/\/\/[^@]*@/, '//nobody:korrekt-pferd@')
    const failure = await read('select 1', { connection: wrong }).catch((error: unknown) => String(error))
    expect(failure).toContain('nobody')
    expect(failure).not.toContain('korrekt')
  })
})

describe('exec', () => {
  const read = (script: string, more: Record<string, unknown> = {}, with_ = executor) =>
    readAll('exec', createExecFamily({ executor: with_ }), { script, ...more })

  it('takes what is printed for items, and hides what the script was given', async () => {
    const items = await read(
      `printf '{"id":"a","type":"Thing","key":"%s"}\\n{"id":"b","type":"Thing"}\\n' "$API_KEY"`,
      {
        env: [{ name: 'API_KEY', value: 'korrekt-pferd' }],
      },
    )
    expect(items.map(({ config }) => config)).toEqual([
      { id: 'a', type: 'Thing', key: '***' },
      { id: 'b', type: 'Thing' },
    ])
  })

  it('leaves plain values of its environment in ids, and hides them in what the script says', async () => {
    const env = [
      { name: 'SITE', value: 'harbour' },
      { name: 'PAT', value: 'ghp_0123456789abcdefghij' },
      { name: 'TOKEN_PATH', value: '/run/token' },
      { name: 'PROXY', value: 'http://ada:korrekt@proxy' },
    ]
    const print = `printf '{"id":"%s-gate-1","type":"Thing","pat":"%s","path":"%s","by":"%s"}' "$SITE" "$PAT" "$TOKEN_PATH" "$PROXY"`
    const [item] = await read(print, { env })
    expect(item?.config).toMatchObject({ id: 'harbour-gate-1', type: 'Thing', pat: '***', path: '/run/token' })
    expect(JSON.stringify(item)).not.toContain('korrekt')
    await expect(read('echo "no $SITE" >&2; exit 3', { env })).rejects.toThrow('code 3: no ***')
  })

  it.each([
    ['echo "no such host" >&2; echo "[]"; exit 3', 'the script ended with code 3: no such host'],
    ['echo hello', 'line 1 of what the script prints is not JSON'],
    [`yes '{"id":1}' | head -c 40000000`, 'prints more than 32 MiB'],
  ])('fails with the reason: %s', async (script, words) => {
    await expect(read(script)).rejects.toThrow(words)
  })

  it('ends a script that takes too long, though it has printed something', async () => {
    await expect(read('echo "[]"; sleep 60', { timeout: '500ms' })).rejects.toThrow('it took longer than 0.5 s')
  })

  it('runs nothing where programs are off', async () => {
    const off = await buildExecutor({ refusal: 'not on this machine' })
    await expect(read('echo "[]"', {}, off)).rejects.toThrow('programs are not run here: not on this machine')
  })
})

describe('self', () => {
  const family = () =>
    createSelfFamily({
      pool: database.pool,
      version: '1.2.3',
      profile: 'empty',
      localFlags: { 'logs.disable': 'false' },
      agentOfflineAfterMs: undefined,
      watchFlags: () => ({ close: () => undefined }),
    })
  const levelOf = (items: ReadonlyMap<string | undefined, RawItem>, item: RawItem): number => {
    const parent = items.get(item.facts.parent?.id)
    return parent === undefined ? 1 : 1 + levelOf(items, parent)
  }

  it('finds more than a hundred things on four levels, related and judged, each under an id of its own', async () => {
    const items = await readAll('self', family(), {})
    const byId = new Map(items.map((item) => [item.facts.id, item]))
    expect(byId.size).toBe(items.length)
    expect(items.length).toBeGreaterThan(100)
    expect(Math.max(...items.map((item) => levelOf(byId, item)))).toBeGreaterThanOrEqual(4)
    // Each points at something that is there.
    const targets = items.flatMap(({ facts }) => [
      facts.parent?.id,
      ...(facts.relationships ?? []).map(({ to }) => to.id),
    ])
    expect(targets.filter((id) => id !== undefined && !byId.has(id))).toEqual([])
    expect(items.filter(({ facts }) => facts.relationships?.length)).not.toHaveLength(0)
    expect(items.filter(({ facts }) => facts.insights?.length)).not.toHaveLength(0)
  })

  it('finds the same when nothing has changed, and a flag that was switched', async () => {
    const same = family()
    const toText = (items: readonly RawItem[]) =>
      // Ports and disks belong to the machine, which does what it wants meanwhile.
      items.filter(({ facts }) => !facts.type?.startsWith('Host::')).map((item) => JSON.stringify(item))
    const before = toText(await readAll('self', same, {}))
    expect(toText(await readAll('self', same, {}))).toEqual(before)
    await database.pool.query(`insert into properties (name, value) values ('incidents.disable', 'true')`)
    const after = toText(await readAll('self', same, {}))
    expect(after.filter((text) => !before.includes(text))).toContainEqual(expect.stringContaining('incidents.disable'))
  })
})
