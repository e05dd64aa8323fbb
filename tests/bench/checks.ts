// The health engine under load: real HTTP checks against a small server, results in a real PostgreSQL.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { pino } from 'pino'

import { createHealthEngine, type HealthEngine } from '../../gateway/src/embedded-backend/checks/createHealthEngine.ts'
import { createChannels } from '../../gateway/src/embedded-backend/postgres/createChannels.ts'
import { createPool } from '../../gateway/src/embedded-backend/postgres/createPool.ts'
import { createPostgres } from '../../gateway/src/embedded-backend/postgres/createPostgres.ts'
import { migrate } from '../../gateway/src/embedded-backend/schema/migrate.ts'
import { createVault } from '../../gateway/src/embedded-backend/secrets/createVault.ts'
import { createPrivateKey } from '../../gateway/src/embedded-backend/secrets/openPgp.ts'
import { toSecretKey } from '../../gateway/src/embedded-backend/secrets/secretKey.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'
import type { BenchTable } from './table.ts'

const BENCH_KEY = toSecretKey(createPrivateKey())
const CHECKS = 2_000
const CHECKS_PER_CANARY = 50
const logger = pino({ level: 'warn' })
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A process of its own, so that its work is not counted as ours. */
const TARGET = `require('node:http').createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1', function () {
  console.log(this.address().port) })`

async function startTarget(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['-e', TARGET], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (!child.stdout) throw new Error('stdout is a pipe')
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, url: `http://127.0.0.1:${chunk.toString().trim()}` }
}

interface Measured {
  runsPerSecond: number
  latenessMs: { p50: number; p99: number; max: number }
  /** Share of one core. */
  cpu: number
  rssBytes: number
  metrics: ReturnType<HealthEngine['metrics']>
}

async function measure(engine: HealthEngine, durationMs: number): Promise<Measured> {
  const before = engine.metrics().written
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  await sleep(durationMs)
  const elapsedMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpuBefore)
  const metrics = engine.metrics()
  return {
    runsPerSecond: ((metrics.written - before) * 1_000) / elapsedMs,
    latenessMs: metrics.latenessMs,
    cpu: (user + system) / 1_000 / elapsedMs,
    rssBytes: process.memoryUsage().rss,
    metrics,
  }
}

export async function run(): Promise<BenchTable> {
  const directory = mkdtempSync(join(tmpdir(), 'watchroom-bench-'))
  // As root the server runs as "nobody", who must be able to walk to its data.
  chmodSync(directory, 0o711)
  const postgres = createPostgres({ dataDirectory: directory }, { clock: systemClock, logger })
  const { databaseUrl } = await postgres.start()
  const pool = createPool(databaseUrl, logger)
  const target = await startTarget()
  const rows: (string | number)[][] = []
  try {
    await migrate(pool, { logger, authenticatorPassword: 'authenticator' })
    for (const { intervalS, warmUpMs, durationMs } of [
      { intervalS: 30, warmUpMs: 45_000, durationMs: 60_000 },
      { intervalS: 5, warmUpMs: 10_000, durationMs: 20_000 },
      { intervalS: 2, warmUpMs: 6_000, durationMs: 15_000 },
    ]) {
      await pool.query('delete from canaries')
      await pool.query(
        `insert into canaries (name, namespace, spec)
         select 'canary ' || canary, 'bench', jsonb_build_object('interval', $1::int, 'http', (
           select jsonb_agg(jsonb_build_object('name', 'check ' || n, 'url', $2 || '/' || canary || '/' || n))
           from generate_series(1, $3) n))
         from generate_series(1, $4) canary`,
        [intervalS, target.url, CHECKS_PER_CANARY, CHECKS / CHECKS_PER_CANARY],
      )
      const engine = createHealthEngine({
        context: {
          pool,
          channels: createChannels({ pool, clock: systemClock, logger }),
          vault: createVault({ pool, key: BENCH_KEY }),
          clock: systemClock,
          logger,
          random: Math.random,
          options: { dataDirectory: directory },
        },
        postgrestSocketPath: () => '',
        version: 'bench',
      })
      const startedAt = performance.now()
      await engine.start()
      const startMs = performance.now() - startedAt
      await sleep(warmUpMs)
      const { runsPerSecond, latenessMs, cpu, rssBytes, metrics } = await measure(engine, durationMs)
      rows.push([
        `${CHECKS} every ${intervalS} s`,
        Math.round(CHECKS / intervalS),
        runsPerSecond.toFixed(1),
        latenessMs.p50.toFixed(0),
        latenessMs.p99.toFixed(0),
        latenessMs.max.toFixed(0),
        `${(cpu * 100).toFixed(0)} %`,
        `${Math.round(rssBytes / 2 ** 20)} MiB`,
        startMs.toFixed(0),
        metrics.skipped,
        metrics.buffered,
      ])
      await engine.close()
    }
  } finally {
    target.child.kill()
    await pool.end()
    await postgres.close()
    rmSync(directory, { recursive: true, force: true })
  }
  return {
    title: `Health engine: ${CHECKS} HTTP checks`,
    columns: [
      'checks',
      'wanted runs/s',
      'runs/s',
      'late p50 ms',
      'late p99 ms',
      'late max ms',
      'CPU of one core',
      'memory',
      'start ms',
      'skipped',
      'unwritten',
    ],
    rows,
    notes: [
      'Each run is a real HTTP request; each result is a durable row, a state and an event. CPU and memory are those of the process of the engine alone.',
      'Lateness is start minus due time of the last 2,048 runs, with 50 slots.',
      'Target: 2,000 checks every 30 s with p99 below 100 ms late on one core.',
    ],
  }
}
