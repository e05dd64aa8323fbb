import { createServer } from 'node:http'
import { tmpdir } from 'node:os'

import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { listen } from '#support/listen.ts'

import { createConnectionTests } from '../../../../gateway/src/embedded-backend/connections/createConnectionTests.ts'
import { createRegularTests } from '../../../../gateway/src/embedded-backend/connections/regularTests.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

const MINUTE_MS = 60_000

let database: TestDatabase
/** Authorization headers, by path. */
let asked: [path: string, authorization: string | undefined][]
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())
beforeEach(() => {
  asked = []
})
afterEach(() => database.pool.query('delete from connections'))

/** Answers who knows the password, and nobody at `/silent`. @returns its address */
async function startTarget(): Promise<string> {
  const server = createServer((request, response) => {
    asked.push([request.url ?? '', request.headers.authorization])
    if (request.url === '/silent') return
    const isKnown = request.headers.authorization === `Basic ${Buffer.from('ada:right').toString('base64')}`
    response.writeHead(isKnown ? 200 : 401).end()
  })
  return `http://127.0.0.1:${await listen(server)}`
}

let names = 0
async function add(values: Record<string, unknown>): Promise<string> {
  names += 1
  const row = { name: `c${names}`, type: 'http', username: 'ada', password: 'right', ...values }
  const columns = Object.keys(row)
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into connections (${columns.join(', ')}) values (${columns.map((_, at) => `$${at + 1}`).join(', ')}) returning id`,
    Object.values(row),
  )
  return rows[0]?.id ?? ''
}

const every = (testEvery: string) => ({ properties: JSON.stringify({ testEvery }) })

/** Runs the job. @returns what it reported */
async function run({ inMs = 0, signal = new AbortController().signal } = {}) {
  const report = { successes: 0, failures: [] as string[] }
  const { pool, vault } = database
  const tests = createConnectionTests({
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    folders: { roots: [tmpdir()], hidden: [], own: [] },
  })
  await createRegularTests({ context: { pool, vault }, tests }).run({
    pool,
    signal,
    now: Date.now() + inMs,
    report: {
      success: (count = 1) => {
        report.successes += count
      },
      failure: (message) => report.failures.push(message),
    },
  })
  return report
}

const outcomes = async (): Promise<Record<string, unknown>> => {
  const { rows } = await database.pool.query<{ id: string; test_outcome: unknown; test_message: unknown }>(
    'select id, test_outcome, test_message from connections_with_status where test_outcome is not null',
  )
  return Object.fromEntries(rows.map((row) => [row.id, [row.test_outcome, row.test_message]]))
}

describe('tests of connections by the clock', () => {
  it('keeps how each that is due ended, and says so to those who watch', async () => {
    const heard: string[] = []
    const listener = database.channels.listen({
      channel: 'watchroom_topic',
      onNotification: (payload) => heard.push(payload),
      onConnected: () => heard.push('+'),
    })
    onTestFinished(() => listener.close())
    await expect.poll(() => heard).toEqual(['+'])
    const url = await startTarget()
    const [works, fails] = [
      await add({ url: `${url}/works`, ...every('5m') }),
      await add({ url: `${url}/fails`, password: 'wrong-and-secret', ...every('1d') }),
    ]
    await listener.hasHeard()
    heard.length = 0
    const report = await run()
    expect(await outcomes()).toEqual({ [works]: ['ok', null], [fails]: ['failed', 'it answered 401 Unauthorized'] })
    expect(report).toEqual({ successes: 1, failures: [`the connection ${fails} failed its test`] })
    await listener.hasHeard()
    expect(heard).toEqual(['settings:connections', 'settings:connections'])
    const { rows } = await database.pool.query('select tested_by from watchroom_internal.connection_tests')
    expect(rows).toEqual([{ tested_by: null }, { tested_by: null }])
  })

  it('tests again when its time has come, and not before', async () => {
    const id = await add({ url: await startTarget(), ...every('15m') })
    await run()
    await run({ inMs: 14 * MINUTE_MS })
    expect(asked).toHaveLength(1)
    await database.pool.query(`update connections set password = 'changed' where id = $1`, [id])
    await run({ inMs: 16 * MINUTE_MS })
    expect(asked).toHaveLength(2)
    expect(await outcomes()).toEqual({ [id]: ['failed', 'it answered 401 Unauthorized'] })
  })

  it('sends no message, and tests nothing that nobody switched on or that was deleted', async () => {
    const url = await startTarget()
    await add({ type: 'generic_webhook', url: url.replace('http', 'generic+http'), ...every('5m') })
    await add({ type: 'sql_server', url, ...every('5m') })
    await add({ type: 'of-tomorrow', url, ...every('5m') })
    await add({ url, properties: JSON.stringify({ region: 'eu' }) })
    await add({ url, properties: null })
    for (const nonsense of ['1s', '', 'constructor']) await add({ url, ...every(nonsense) })
    await add({ url, deleted_at: new Date(), ...every('5m') })
    expect(await run()).toEqual({ successes: 0, failures: [] })
    expect(asked).toEqual([])
    expect(await outcomes()).toEqual({})
  })

  it('goes to no metadata of a cloud', async () => {
    const id = await add({ url: 'http://169.254.169.254/latest', ...every('5m') })
    await run()
    expect(await outcomes()).toEqual({ [id]: ['failed', expect.stringContaining('leads to the metadata of a cloud')] })
  })

  it('says nothing of a connection whose test was given up', async () => {
    await add({ url: `${await startTarget()}/silent`, ...every('5m') })
    const stop = new AbortController()
    const done = run({ signal: stop.signal })
    await expect.poll(() => asked).toHaveLength(1)
    stop.abort(new Error('the server stops'))
    await expect(done).rejects.toThrow('the server stops')
    expect(await outcomes()).toEqual({})
  })
})
