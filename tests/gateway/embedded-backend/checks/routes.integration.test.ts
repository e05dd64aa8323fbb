import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Role } from '@watchroom/shared/access'
import { CheckSummaryResponseSchema, CheckSummarySchema } from '@watchroom/shared/health'
import { fastify, type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { buildExecutor, buildRunDeps } from '#support/runDeps.ts'

import {
  createHealthEngine,
  type HealthEngine,
} from '../../../../gateway/src/embedded-backend/checks/createHealthEngine.ts'
import { healthRoutes } from '../../../../gateway/src/embedded-backend/checks/routes.ts'
import type { Principal } from '../../../../gateway/src/embedded-backend/server/principal.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

let database: TestDatabase
let engine: HealthEngine
let app: FastifyInstance
let directory: string
/** Role of the caller, as authentication would have found it. */
let role: Role = 'viewer'
let checkId: string
let canaryId: string

const HOUR = 3_600_000

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'watchroom-routes-'))
  database = await startTestDatabase()
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into canaries (name, namespace, labels, spec) values ('disk', 'host', '{"tier": "data"}', $1) returning id`,
    [JSON.stringify({ interval: 3600, folder: [{ name: 'data', path: directory, labels: { team: 'ops' } }] })],
  )
  canaryId = rows[0]?.id ?? ''
  const { pool, channels, vault } = database
  const deps = { pool, channels, vault, clock: systemClock, logger: pino({ level: 'silent' }), random: Math.random }
  const executor = await buildExecutor()
  engine = createHealthEngine({
    executor,
    folders: buildRunDeps().folders ?? { roots: [], hidden: [], own: [] },
    context: { ...deps, options: { dataDirectory: directory } },
    postgrestSocketPath: () => '/nowhere',
    version: '1.2.3',
  })
  engine.pause()
  await engine.start()
  checkId = engine.summary.ids()[0] ?? ''
  app = fastify()
  app.decorateRequest('principal', null)
  app.addHook('onRequest', async (request) => {
    const person: Principal = {
      kind: 'person',
      id: 'person-1',
      email: 'a@b.c',
      name: 'A',
      roles: [role],
      roleNames: [role],
    }
    request.principal = person
  })
  await app.register(healthRoutes, {
    context: deps,
    engine,
    version: '1.2.3',
    programs: { savers: 'editor', executor },
  })
})

afterAll(async () => {
  await app.close()
  await engine.close()
  await database.stop()
  rmSync(directory, { recursive: true, force: true })
})

describe('GET /canary/about', () => {
  it('tells time and version, and who may save what executes programs', async () => {
    const body = (await app.inject('/canary/about')).json<Record<string, string>>()
    expect(Object.keys(body)).toEqual(['Timestamp', 'Version', 'programs', 'can'])
    expect(body['programs']).toEqual({ savers: 'editor', refusal: null })
    expect(body['Version']).toBe('1.2.3')
    expect(Math.abs(Date.parse(body['Timestamp'] ?? '') - Date.now())).toBeLessThan(10_000)
  })
})

describe('POST /canary/run/check/{id}', () => {
  it.each<Role>(['admin', 'editor', 'commander', 'responder'])(
    'lets a %s run a check, and stores the result',
    async (who) => {
      role = who
      const before = Date.now()
      const response = await app.inject({ method: 'POST', url: `/canary/run/check/${checkId}` })
      expect(response.statusCode).toBe(200)
      expect(response.json()).toMatchObject({ pass: true, duration: expect.any(Number) as number })
      const start = Date.parse(response.json<{ start: string }>().start)
      expect(start).toBeGreaterThanOrEqual(before)
      const { rows } = await database.pool.query(
        `select status from check_statuses where check_id = $1 and time = $2`,
        [checkId, new Date(start)],
      )
      expect(rows).toEqual([{ status: true }])
    },
  )

  it('refuses a viewer', async () => {
    role = 'viewer'
    const response = await app.inject({ method: 'POST', url: `/canary/run/check/${checkId}` })
    expect(response.statusCode).toBe(403)
    expect(response.json()).toEqual({ error: expect.stringContaining('role') as string })
  })

  it.each(['11111111-1111-4111-8111-111111111111', 'nonsense'])('answers 404 for %s', async (id) => {
    role = 'admin'
    const response = await app.inject({ method: 'POST', url: `/canary/run/check/${id}` })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toEqual({ error: expect.stringContaining(id) as string })
  })
})

describe('/canary/api/summary', () => {
  it('answers all rows, and with a cursor only what changed', async () => {
    const full = await app.inject('/canary/api/summary')
    expect(full.headers['content-type']).toContain('application/json')
    const body = CheckSummaryResponseSchema.parse(full.json())
    expect(body.runnerName).toBe('local')
    expect(body.checks_summary.map((row) => CheckSummarySchema.parse(row).name)).toEqual(['data'])
    const since = await app.inject(`/canary/api/summary?since=${body.cursor}`)
    expect(since.json()).toMatchObject({ checks_summary: [], partial: true, removed: [], cursor: body.cursor })
    role = 'admin'
    await app.inject({ method: 'POST', url: `/canary/run/check/${checkId}` })
    const changed = CheckSummaryResponseSchema.parse(
      (await app.inject(`/canary/api/summary?since=${body.cursor}`)).json(),
    )
    expect(changed.checks_summary).toHaveLength(1)
  })

  it.each([
    [{ Labels: { tier: 'data', team: 'ops' } }, 1],
    [{ Labels: { tier: 'web' } }, 0],
    [{ CheckID: '11111111-1111-4111-8111-111111111111' }, 0],
    [{ SortBy: '-name' }, 1],
    [{}, 1],
  ])('filters by %j', async (payload, count) => {
    const response = await app.inject({ method: 'POST', url: '/canary/api/summary', payload })
    expect(response.json<{ checks_summary: unknown[] }>().checks_summary).toHaveLength(count)
  })

  it('adds checks deleted after a moment on request', async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into checks (canary_id, type, name, deleted_at) values ($1, 'http', 'gone', now()) returning id`,
      [canaryId],
    )
    const ask = async (deletedFrom: number): Promise<string[]> => {
      const payload = { DeleteFrom: new Date(deletedFrom).toISOString() }
      const response = await app.inject({ method: 'POST', url: '/canary/api/summary', payload })
      return response.json<{ checks_summary: { id: string }[] }>().checks_summary.map(({ id }) => id)
    }
    expect(await ask(Date.now() - HOUR)).toContain(rows[0]?.id)
    expect(await ask(Date.now() + HOUR)).not.toContain(rows[0]?.id)
  })

  it('refuses a request that it does not understand', async () => {
    const response = await app.inject({ method: 'POST', url: '/canary/api/summary', payload: { SortBy: 'color' } })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({ error: expect.stringContaining('SortBy') as string })
  })
})

describe('GET /canary/api/graph', () => {
  interface Graph {
    status: { time: string; status?: boolean; duration: number; passed?: number; failed?: number }[] | null
    latency: Record<string, number>
    uptime: { passed: number; failed: number }
  }
  const ask = async (query: string): Promise<Graph> => (await app.inject(`/canary/api/graph?${query}`)).json<Graph>()
  let id: string

  beforeAll(async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into checks (canary_id, type, name) values ($1, 'http', 'charted') returning id`,
      [canaryId],
    )
    id = rows[0]?.id ?? ''
    // Buckets of one minute go to the nearest minute: 11:59:29 belongs to 11:59, 11:59:31 and 12:00:29 to 12:00.
    await database.pool.query(
      `insert into check_statuses (check_id, time, status, duration) values
         ($1, '2026-01-01T11:59:29Z', true, 10),
         ($1, '2026-01-01T11:59:31Z', true, 20),
         ($1, '2026-01-01T12:00:29Z', false, 31),
         ($1, '2026-01-01T12:05:00Z', false, 50)`,
      [id],
    )
  })

  it('puts runs into the nearest minute for a range of two hours', async () => {
    const graph = await ask(`check=${id}&count=300&start=2026-01-01T11:00:00Z&end=2026-01-01T13:00:00Z`)
    expect(graph.status).toEqual([
      { time: '2026-01-01T11:59:00.000Z', status: true, duration: 10, passed: 1 },
      // (20 + 31) / 2 = 25.5, rounded 26
      { time: '2026-01-01T12:00:00.000Z', duration: 26, passed: 1, failed: 1 },
      { time: '2026-01-01T12:05:00.000Z', duration: 50, failed: 1 },
    ])
    expect(graph.uptime).toEqual({ passed: 2, failed: 2 })
    // Of 10, 20, 31 and 50 the smallest that 95 % do not exceed
    expect(graph.latency).toEqual({ p95: 50, p97: 50, p99: 50, rolling1h: 0 })
  })

  it('uses wider buckets for longer ranges', async () => {
    const day = await ask(`check=${id}&since=2026-01-01T00:00:00Z&until=2026-01-02T00:00:00Z`)
    // All four within 11:52:30 to 12:07:30, the quarter around 12:00: (10 + 20 + 31 + 50) / 4 = 27.75
    expect(day.status).toEqual([{ time: '2026-01-01T12:00:00.000Z', duration: 28, passed: 2, failed: 2 }])
    const month = await ask(`check=${id}&start=2026-01-01T00:00:00Z&end=2026-01-31T00:00:00Z`)
    expect(month.status?.map(({ time }) => time)).toEqual(['2026-01-01T12:00:00.000Z'])
  })

  it('reads range keys back from now, an hour by default', async () => {
    role = 'admin'
    await app.inject({ method: 'POST', url: `/canary/run/check/${checkId}` })
    for (const query of ['', '&start=15m', '&start=1mo', '&since=1h&until=0s']) {
      expect((await ask(`check=${checkId}${query}`)).uptime.passed).toBeGreaterThan(0)
    }
    expect((await ask(`check=${checkId}&start=2h&end=1h`)).status).toBeNull()
  })

  it('goes on with sums per hour and per day where results are no longer kept, counting nothing twice', async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into checks (canary_id, type, name, deleted_at) values ($1, 'http', 'old', now()) returning id`,
      [canaryId],
    )
    const old = rows[0]?.id ?? ''
    await database.pool.query(
      `insert into check_statuses (check_id, time, status, duration) values ($1, '2026-01-03T12:10:00Z', true, 10)`,
      [old],
    )
    await database.pool.query(
      `insert into check_statuses_1h (check_id, created_at, duration, total, passed, failed) values
         ($1, '2026-01-02T18:00:00Z', 60, 3, 2, 1),
         ($1, '2026-01-03T12:00:00Z', 10, 1, 1, 0)`,
      [old],
    )
    await database.pool.query(
      `insert into check_statuses_1d (check_id, created_at, duration, total, passed, failed) values
         ($1, '2026-01-01T00:00:00Z', 400, 8, 8, 0),
         ($1, '2026-01-02T00:00:00Z', 60, 3, 2, 1)`,
      [old],
    )
    const graph = await ask(`check=${old}&start=2025-12-01T00:00:00Z&end=2026-01-31T00:00:00Z`)
    // The day of the 1st, the hour from 18:00 of the 2nd, the result of the 3rd, each in its bucket of four hours.
    expect(graph.status).toEqual([
      { time: '2026-01-01T12:00:00.000Z', status: true, duration: 50, passed: 8 },
      { time: '2026-01-02T20:00:00.000Z', duration: 20, passed: 2, failed: 1 },
      { time: '2026-01-03T12:00:00.000Z', status: true, duration: 10, passed: 1 },
    ])
    expect(graph.uptime).toEqual({ passed: 11, failed: 1 })
  })

  it('takes the checks of a canary together', async () => {
    const graph = await ask(`canary_id=${canaryId}&start=2026-01-01T11:00:00Z&end=2026-01-01T13:00:00Z`)
    expect(graph.uptime).toEqual({ passed: 2, failed: 2 })
  })

  it.each([
    ['', 'check or canary_id is required'],
    ['check=nonsense', 'check'],
    ['check=11111111-1111-4111-8111-111111111111&start=yesterday', 'start and end'],
    ['check=11111111-1111-4111-8111-111111111111&start=1h&end=2h', 'start is after end'],
  ])('answers 400 for %j', async (query, text) => {
    const response = await app.inject(`/canary/api/graph?${query}`)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({ error: expect.stringContaining(text) as string })
  })
})
