import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type CheckSummary, CheckSummaryResponseSchema, CheckSummarySchema } from '@watchroom/shared/health'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { buildExecutor } from '#support/runDeps.ts'

import {
  createHealthEngine,
  type HealthEngine,
} from '../../../../gateway/src/embedded-backend/checks/createHealthEngine.ts'
import type { Profile } from '../../../../gateway/src/embedded-backend/contract.ts'
import { prepareHealthData } from '../../../../gateway/src/embedded-backend/demo/prepareHealthData.ts'
import type { Executor } from '../../../../gateway/src/executor/contract.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

let database: TestDatabase
let dataDirectory: string
const closers: (() => Promise<void>)[] = []

beforeEach(async () => {
  database = await startTestDatabase()
  dataDirectory = mkdtempSync(join(tmpdir(), 'watchroom-demo-'))
})
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
  await database.stop()
  rmSync(dataDirectory, { recursive: true, force: true })
})

const build = (profile: Profile) => ({
  pool: database.pool,
  channels: database.channels,
  vault: database.vault,
  clock: systemClock,
  logger: pino({ level: 'silent' }),
  random: Math.random,
  options: { adminEmail: 'admin@test.local', dataDirectory, profile, publicUrl: 'http://127.0.0.1:1' },
})

const OFF: Executor = {
  confinement: { kind: 'off', reason: 'this machine has no namespaces' },
  run: () => Promise.reject(new Error('nothing runs here')),
}

async function prepare(profile: Profile, executor?: Executor): Promise<{ close: () => Promise<void> }> {
  const data = await prepareHealthData(build(profile), executor ?? (await buildExecutor()))
  closers.push(() => data.close())
  return data
}

async function startEngine(profile: Profile, executor?: Executor): Promise<HealthEngine> {
  const engine = createHealthEngine({
    context: build(profile),
    postgrestSocketPath: () => '/nowhere',
    version: '0',
    executor: executor ?? (await buildExecutor()),
    folders: { roots: [dataDirectory], hidden: [], own: [] },
  })
  closers.push(() => engine.close())
  await engine.start()
  return engine
}

const rowsOf = (engine: HealthEngine): CheckSummary[] =>
  CheckSummaryResponseSchema.parse(JSON.parse(engine.summary.read())).checks_summary.map((row) =>
    CheckSummarySchema.parse(row),
  )

const countCanaries = async (where: string): Promise<number> =>
  (await database.pool.query<{ count: number }>(`select count(*)::int as count from canaries where ${where}`)).rows[0]
    ?.count ?? 0

describe('the demo profile', { timeout: 60_000 }, () => {
  it('shows a full board at the first look, something of it not passing, by real checks of a real server', async () => {
    await prepare('demo')
    const engine = await startEngine('demo')
    engine.pause()
    const demo = rowsOf(engine).filter((row) => row.labels['demo'] === 'true' && row.type === 'http')
    expect(demo.length).toBeGreaterThan(50)
    // An hour at 10, 15 or 30 s
    expect(demo.every((row) => row.uptime.passed + row.uptime.failed >= 119)).toBe(true)
    expect(demo.every((row) => (row.latency.p95 ?? 0) > 0)).toBe(true)
    // Some services come and go by the time of day, and may have gone just now; these have been down for a while.
    const failing = demo.filter(
      ({ status, last_transition_time: since }) =>
        status === 'unhealthy' && Date.parse(since ?? '') < Date.now() - 5 * 60_000,
    )
    expect(failing.length).toBeGreaterThanOrEqual(4)
    expect(new Set(failing.map((row) => row.canary_name)).size).toBeGreaterThanOrEqual(3)
    expect(new Set(failing.map((row) => row.canary_namespace)).size).toBeGreaterThanOrEqual(3)
    expect(rowsOf(engine).some((row) => row.canary_namespace === 'self')).toBe(true)

    const checkout = rowsOf(engine).find((row) => row.name === 'checkout')
    const gate = rowsOf(engine).find((row) => row.name === 'savannah/gate')
    expect(await engine.runNow(checkout?.id ?? '')).toMatchObject({ passed: true })
    expect(await engine.runNow(gate?.id ?? '')).toMatchObject({
      passed: false,
      error: expect.stringContaining('503') as string,
    })
  })

  it('lets a newcomer break a check and fix it', async () => {
    await prepare('demo')
    const engine = await startEngine('demo')
    const readBreakMe = (): CheckSummary | undefined => rowsOf(engine).find((row) => row.canary_name === 'break me')
    await expect.poll(() => readBreakMe()?.status).toBe('healthy')
    const file = /touch '([^']+)'/.exec(readBreakMe()?.description ?? '')?.[1] ?? ''
    writeFileSync(file, '')
    await expect.poll(() => readBreakMe()?.status).toBe('unhealthy')
    rmSync(file)
    await expect.poll(() => readBreakMe()?.status).toBe('healthy')
    // Who has no shell there edits it.
    expect(readBreakMe()?.description).toContain('Fewest files: 1')
    await database.pool.query(
      `update canaries set spec = jsonb_set(spec, '{folder,0,minCount}', '1') where name = 'break me'`,
    )
    await expect.poll(() => readBreakMe()?.status).toBe('unhealthy')
  })
})

describe('seeding again', () => {
  it('adds nothing and no past, keeps what was edited and leaves out what was deleted', async () => {
    await (await prepare('demo')).close()
    const readRuns = async (): Promise<unknown[]> =>
      (await database.pool.query('select check_id, count(*) from check_statuses group by check_id order by check_id'))
        .rows
    const runs = await readRuns()
    const total = await countCanaries('true')
    await database.pool.query(`update canaries set spec = '{"interval": 99}' where name = 'ledger'`)
    await database.pool.query(`update canaries set deleted_at = now() where name in ('web shop', 'host')`)
    await prepare('demo')
    expect(await countCanaries('true')).toBe(total)
    expect(await readRuns()).toEqual(runs)
    expect(await countCanaries(`name = 'ledger' and spec = '{"interval": 99}'`)).toBe(1)
    expect(await countCanaries(`name in ('web shop', 'host') and deleted_at is not null`)).toBe(2)
  })

  it('keeps the port of the target, and moves untouched checks when someone else has taken it', async () => {
    await (await prepare('demo')).close()
    const readPort = async (): Promise<number> =>
      Number(await readFile(join(dataDirectory, 'demo-target-port'), 'utf8'))
    const first = await readPort()
    await (await prepare('demo')).close()
    expect(await readPort()).toBe(first)
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(first, '127.0.0.1', resolve))
    closers.push(async () => {
      squatter.close()
    })
    await prepare('demo')
    const second = await readPort()
    expect(second).not.toBe(first)
    expect(await countCanaries(`spec::text like '%127.0.0.1:${first}/%'`)).toBe(0)
    expect(await countCanaries(`spec::text like '%127.0.0.1:${second}/%'`)).toBeGreaterThan(5)
  })
})

describe('where programs are not run', { timeout: 60_000 }, () => {
  it('does not complain about that, also in an installation that ran them before', async () => {
    await (await prepare('demo')).close()
    await prepare('demo', OFF)
    const engine = await startEngine('demo', OFF)
    expect(rowsOf(engine).filter(({ type }) => type === 'exec')).toEqual([])
    const runner = rowsOf(engine).find(({ name }) => name === 'exec-no-op')
    expect(await engine.runNow(runner?.id ?? '')).toMatchObject({
      passed: true,
      message: expect.stringContaining('this machine has no namespaces') as string,
    })
    const backup = rowsOf(engine).find(({ name }) => name === 'backup')
    expect(await engine.runNow(backup?.id ?? '')).toMatchObject({
      passed: false,
      error: expect.stringContaining('there is no file') as string,
    })
  })

  it('runs them again once it can', async () => {
    await (await prepare('empty', OFF)).close()
    expect(await countCanaries(`name = 'runner' and spec ? 'exec'`)).toBe(0)
    await prepare('empty')
    expect(await countCanaries(`name = 'runner' and spec ? 'exec' and not spec ? 'self'`)).toBe(1)
  })
})

describe('the other profiles', { timeout: 60_000 }, () => {
  it('empty: only the product itself', async () => {
    await prepare('empty')
    expect(await countCanaries(`source <> 'self'`)).toBe(0)
    expect(await countCanaries(`source = 'self'`)).toBeGreaterThanOrEqual(8)
  })

  it('large: ten thousand checks that run', async () => {
    await prepare('large')
    const engine = await startEngine('large')
    expect(engine.metrics().checks).toBeGreaterThan(10_000)
    await expect.poll(() => engine.metrics().written).toBeGreaterThan(50)
    expect(engine.summary.size).toBe(engine.metrics().checks)
  })
})
