import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type CheckSummary, CheckSummaryResponseSchema, CheckSummarySchema } from '@watchroom/shared/health'
import type { Clock } from '@watchroom/shared/kernel'
import { Client, type Pool } from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { startTestDatabase, TEST_SECRET_KEY, type TestDatabase } from '#support/database.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { copyPreparedData } from '#support/preparedData.ts'
import { signalProcess } from '#support/processes.ts'

import {
  createHealthEngine,
  type HealthEngine,
} from '../../../../gateway/src/embedded-backend/checks/createHealthEngine.ts'
import { createChannels } from '../../../../gateway/src/embedded-backend/postgres/createChannels.ts'
import { createPool } from '../../../../gateway/src/embedded-backend/postgres/createPool.ts'
import { createPostgres } from '../../../../gateway/src/embedded-backend/postgres/createPostgres.ts'
import { createVault } from '../../../../gateway/src/embedded-backend/secrets/createVault.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

const logger = pino({ level: 'silent' })

/** Waits for the world to become as described, minutes less than until the next look at all canaries. Fails with the last value. */
async function until<Value>(
  read: () => Value | Promise<Value>,
  accepts: (value: Value) => boolean,
  timeoutMs = 20_000,
): Promise<Value> {
  const giveUpAt = Date.now() + timeoutMs
  for (;;) {
    const value = await read()
    if (accepts(value)) return value
    if (Date.now() > giveUpAt) throw new Error(`still ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

let database: TestDatabase
let dataDirectory: string
let target: Server
let targetUrl: string
/** What the HTTP server answers, by path. */
const answers = new Map<string, number>()
const engines: HealthEngine[] = []
/** That the HTTP server received. */
let requests = 0

beforeAll(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'watchroom-engine-'))
  target = createServer((request, response) => {
    requests++
    response.writeHead(answers.get(request.url ?? '') ?? 200).end('hello')
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  targetUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
})

afterAll(async () => {
  await new Promise((resolve) => {
    target.close(resolve)
    target.closeAllConnections()
  })
  rmSync(dataDirectory, { recursive: true, force: true })
})

beforeEach(async () => {
  database = await startTestDatabase()
})

afterEach(async () => {
  answers.clear()
  for (const engine of engines.splice(0)) await engine.close()
  await database.stop()
})

async function startEngine(pool: Pool = database.pool, clock: Clock = systemClock): Promise<HealthEngine> {
  const engine = createHealthEngine({
    context: {
      pool,
      channels: createChannels({ pool, clock, logger }),
      vault: createVault({ pool, key: TEST_SECRET_KEY }),
      clock,
      logger,
      random: Math.random,
      options: { dataDirectory },
    },
    postgrestSocketPath: () => '/nowhere',
    version: '0.0.0-test',
  })
  engines.push(engine)
  await engine.start()
  return engine
}

async function insertCanary(name: string, spec: unknown, labels: Record<string, string> = {}): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into canaries (name, namespace, spec, labels, source) values ($1, 'shop', $2, $3, 'UI') returning id`,
    [name, JSON.stringify(spec), JSON.stringify(labels)],
  )
  return rows[0]?.id ?? ''
}

const rowsOf = (engine: HealthEngine): CheckSummary[] =>
  CheckSummaryResponseSchema.parse(JSON.parse(engine.summary.read())).checks_summary.map((row) =>
    CheckSummarySchema.parse(row),
  )

const rowOf = (engine: HealthEngine, name: string): CheckSummary | undefined =>
  rowsOf(engine).find((row) => row.name === name)

const http = (name: string, path = '/', more: Record<string, unknown> = {}): Record<string, unknown> => ({
  name,
  url: `${targetUrl}${path}`,
  ...more,
})

describe('canaries become checks', () => {
  it('runs what is there at the start and stores what came out', async () => {
    answers.set('/broken', 503)
    await insertCanary(
      'storefront',
      {
        interval: 30,
        severity: 'high',
        http: [http('fine', '/', { labels: { tier: 'web', region: 'eu' } }), http('down', '/broken')],
      },
      { region: 'any', team: 'shop' },
    )
    const engine = await startEngine()
    const down = await until(
      () => rowOf(engine, 'down'),
      (row) => row?.status === 'unhealthy',
    )
    expect(down).toMatchObject({
      canary_name: 'storefront',
      canary_namespace: 'shop',
      namespace: 'shop',
      type: 'http',
      severity: 'high',
      endpoint: `${targetUrl}/broken`,
      labels: { region: 'any', team: 'shop' },
      uptime: { passed: 0, failed: 1 },
    })
    expect(down?.last_error).toContain('503')
    const fine = await until(
      () => rowOf(engine, 'fine'),
      (row) => row?.status === 'healthy',
    )
    expect(fine).toMatchObject({
      labels: { region: 'eu', team: 'shop', tier: 'web' },
      uptime: { passed: 1, failed: 0 },
    })
    expect(fine?.latency.p95).toBeGreaterThan(0)

    const { rows: checks } = await database.pool.query(
      'select name, status, next_runtime > last_runtime as planned from checks order by name',
    )
    expect(checks).toEqual([
      { name: 'down', status: 'unhealthy', planned: true },
      { name: 'fine', status: 'healthy', planned: true },
    ])
    const { rows: statuses } = await database.pool.query(
      `select checks.name, check_statuses.status, invalid, duration > 0 as lasted, error is null as clean
       from check_statuses join checks on checks.id = check_id order by name`,
    )
    expect(statuses).toEqual([
      { name: 'down', status: false, invalid: false, lasted: true, clean: false },
      { name: 'fine', status: true, invalid: false, lasted: true, clean: true },
    ])
  })

  it('announces a new canary, its result and its end to the gateway at once', async () => {
    const engine = await startEngine()
    const gateway = new Client({ connectionString: database.databaseUrl })
    onTestFinished(() => gateway.end())
    await gateway.connect()
    const heard: string[] = []
    gateway.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await gateway.query('listen watchroom_topic')
    const canaryId = await insertCanary('new', { http: [http('fresh')] })
    await until(
      () => rowOf(engine, 'fresh'),
      (row) => row?.status === 'healthy',
    )
    await until(
      () => heard.includes('checks'),
      (isHeard) => isHeard,
    )
    const { cursor } = CheckSummaryResponseSchema.parse(JSON.parse(engine.summary.read()))

    await database.pool.query('update canaries set deleted_at = now() where id = $1', [canaryId])
    await until(
      () => rowOf(engine, 'fresh'),
      (row) => row === undefined,
    )
    const partial = CheckSummaryResponseSchema.parse(JSON.parse(engine.summary.read(cursor)))
    expect(partial).toMatchObject({ partial: true, checks_summary: [], removed: [expect.any(String) as string] })
  })

  it('follows an edit at once: the edited check runs again, a vanished one goes, one that comes back keeps its history', async () => {
    const canaryId = await insertCanary('shop', { interval: 3600, http: [http('kept'), http('leaver')] })
    const engine = await startEngine()
    const leaver = await until(
      () => rowOf(engine, 'leaver'),
      (row) => row?.status === 'healthy',
    )
    await until(
      () => rowOf(engine, 'kept'),
      (row) => row?.status === 'healthy',
    )
    answers.set('/moved', 500)
    const edit = (spec: unknown): Promise<unknown> =>
      database.pool.query('update canaries set spec = $2 where id = $1', [canaryId, JSON.stringify(spec)])
    await edit({ interval: 3600, http: [http('kept', '/moved')] })
    await until(
      () => rowOf(engine, 'kept'),
      (row) => row?.status === 'unhealthy',
    )
    expect(rowOf(engine, 'leaver')).toBeUndefined()
    await edit({ interval: 3600, http: [http('kept'), http('leaver')] })
    const back = await until(
      () => rowOf(engine, 'leaver'),
      (row) => row !== undefined,
    )
    expect(back?.id).toBe(leaver?.id)
    expect(back?.uptime.passed).toBeGreaterThanOrEqual(1)
  })

  it('shows a malformed check as broken and runs the others', async () => {
    await insertCanary('mixed', { interval: 60, http: [http('fine'), { name: 'no address' }], telepathy: [{}] })
    await insertCanary('unreadable', 'not a spec')
    const engine = await startEngine()
    await until(
      () => rowsOf(engine).filter((row) => row.status).length,
      (count) => count === 4,
    )
    expect(rowOf(engine, 'fine')?.status).toBe('healthy')
    expect(rowOf(engine, 'no address')).toMatchObject({ status: 'unhealthy', type: 'http' })
    expect(rowOf(engine, 'no address')?.last_error).toContain('url: expected one of url and connection')
    const others = rowsOf(engine).filter((row) => row.type !== 'http')
    expect(Object.fromEntries(others.map((row) => [row.canary_name, row.status]))).toEqual({
      mixed: 'unhealthy',
      unreadable: 'unhealthy',
    })
    const { rows } = await database.pool.query('select count(*)::int as count from check_statuses where invalid')
    expect(rows).toEqual([{ count: 3 }])
  })

  it('takes a check off the board that someone deleted or silenced in its row', async () => {
    await insertCanary('shop', { interval: 3600, http: [http('deleted'), http('silenced')] })
    const clock = new FakeClock(Date.now())
    const engine = await startEngine(database.pool, clock)
    await database.pool.query(`update checks set deleted_at = now() where name = 'deleted'`)
    await database.pool.query(`update checks set silenced_at = now() where name = 'silenced'`)
    const rows = await until(
      async () => {
        await clock.advance(1_000)
        return rowsOf(engine)
      },
      ([row, more]) => more === undefined && typeof row?.silenced_at === 'string',
    )
    expect(rows.map(({ name }) => name)).toEqual(['silenced'])
    expect(engine.metrics().checks).toBe(1)
  })

  it('leaves the checks of other agents to them and shows what they pushed', async () => {
    const { rows: agents } = await database.pool.query<{ id: string }>(
      `insert into agents (name) values ('edge') returning id`,
    )
    const { rows: canaries } = await database.pool.query<{ id: string }>(
      `insert into canaries (agent_id, name, namespace, spec) values ($1, 'remote', 'edge', $2) returning id`,
      [agents[0]?.id, JSON.stringify({ http: [http('theirs')] })],
    )
    const { rows: checks } = await database.pool.query<{ id: string }>(
      `insert into checks (canary_id, agent_id, type, name, status, last_runtime)
       values ($1, $2, 'http', 'theirs', 'unhealthy', now()) returning id`,
      [canaries[0]?.id, agents[0]?.id],
    )
    await database.pool.query(
      `insert into check_statuses (check_id, time, status, duration, error) values ($1, now(), false, 7, 'refused')`,
      [checks[0]?.id],
    )
    const engine = await startEngine()
    expect(rowOf(engine, 'theirs')).toMatchObject({
      agent_id: agents[0]?.id,
      status: 'unhealthy',
      uptime: { failed: 1 },
      last_error: 'refused',
      latency: { p95: 7 },
    })
    expect(engine.metrics().checks).toBe(0)
    expect(await engine.runNow(checks[0]?.id ?? '')).toBeNull()
  })
})

describe('the summary', () => {
  it('agrees with the view of the database, before and after a restart', async () => {
    const canaryId = await insertCanary('history', { interval: 3600, http: [http('a'), http('b')] })
    const first = await startEngine()
    await until(
      () => rowsOf(first).filter((row) => row.status).length,
      (count) => count === 2,
    )
    await first.close()
    // 120 runs of the last hour, durations 1 to 120 ms, each tenth failed
    await database.pool.query(
      `insert into check_statuses (check_id, time, status, duration)
       select checks.id, now() - make_interval(secs => 20 + n * 29), n % 10 <> 0, n
       from checks, generate_series(1, 120) n where canary_id = $1`,
      [canaryId],
    )
    const second = await startEngine()
    const { rows } = await database.pool.query<{
      id: string
      uptime: { passed: number; failed: number }
      latency: Record<string, number>
    }>('select id, uptime, latency from check_summary where canary_id = $1', [canaryId])
    expect(rows).toHaveLength(2)
    for (const view of rows) {
      const row = rowsOf(second).find(({ id }) => id === view.id)
      expect(row?.uptime).toMatchObject({ passed: view.uptime.passed, failed: view.uptime.failed })
      expect(row?.latency).toMatchObject({
        p95: view.latency['p95'],
        p97: view.latency['p97'],
        p99: view.latency['p99'],
      })
      expect(row?.latency.rolling1h).toBeCloseTo(view.latency['avg'] ?? Number.NaN, 1)
    }
    // It ran minutes ago and is due in an hour: a restart is no reason to run it.
    expect(second.metrics().started).toBe(0)
  })

  it('records a transition once, with its event', async () => {
    await insertCanary('flip', { interval: 3600, http: [http('flipping', '/flip')] })
    const engine = await startEngine()
    const up = await until(
      () => rowOf(engine, 'flipping'),
      (row) => row?.status === 'healthy',
    )
    answers.set('/flip', 500)
    await engine.runNow(up?.id ?? '')
    const down = rowOf(engine, 'flipping')
    expect(down).toMatchObject({ status: 'unhealthy', uptime: { passed: 1, failed: 1 } })
    await engine.runNow(up?.id ?? '')
    expect(rowOf(engine, 'flipping')?.last_transition_time).toBe(down?.last_transition_time)
    const { rows } = await database.pool.query(
      `select name from event_queue where properties->>'id' = $1 order by name`,
      [up?.id],
    )
    expect(rows).toEqual([{ name: 'check.failed' }, { name: 'check.passed' }])
  })
})

describe('when PostgreSQL dies and comes back', () => {
  it('loses no result and hears of canaries again', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'watchroom-restart-'))
    // As root the server runs as "nobody", who must be able to walk to its data.
    chmodSync(directory, 0o711)
    copyPreparedData(directory)
    // What was acknowledged before the kill is there after it.
    const postgres = createPostgres(
      { dataDirectory: directory, settings: { fsync: 'off' } },
      { clock: systemClock, logger },
    )
    const { databaseUrl } = await postgres.start()
    const pool = createPool(databaseUrl, logger)
    onTestFinished(async () => {
      for (const engine of engines.splice(0)) await engine.close()
      await pool.end()
      await postgres.close()
      rmSync(directory, { recursive: true, force: true })
    })
    const insert = (name: string, spec: unknown): Promise<unknown> =>
      pool.query(`insert into canaries (name, namespace, spec) values ($1, 'shop', $2)`, [name, JSON.stringify(spec)])
    const names = Array.from({ length: 20 }, (_, index) => `check ${index}`)
    await insert('many', { interval: 1, http: names.map((name) => http(name)) })
    requests = 0
    const engine = await startEngine(pool)
    await until(
      () => engine.metrics().written,
      (written) => written > 20,
    )

    const firstPid = postgres.pid()
    signalProcess(firstPid, 'SIGKILL')
    await until(
      () => engine.metrics().buffered,
      (buffered) => buffered > 0,
    )
    await until(
      () => postgres.pid(),
      (pid) => pid !== null && pid !== firstPid,
    )
    await until(
      () => engine.metrics().buffered,
      (buffered) => buffered === 0,
    )
    await insert('late', { interval: 3600, http: [http('after the restart')] })
    await until(
      () => rowOf(engine, 'after the restart'),
      (row) => row?.status === 'healthy',
    )

    engine.pause()
    await until(
      () => engine.metrics(),
      ({ running, buffered }) => running === 0 && buffered === 0,
    )
    const { rows } = await pool.query('select count(*)::int as count from check_statuses')
    expect(rows).toEqual([{ count: requests }])
    expect(engine.metrics()).toMatchObject({ written: requests, dropped: 0, rejected: 0 })
  })
})
