import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { createRandom } from '#support/random.ts'

import { computeGraph } from '../../../../gateway/src/embedded-backend/checks/computeGraph.ts'
import { createCheckSummary } from '../../../../gateway/src/embedded-backend/checks/createCheckSummary.ts'
import { SKETCH_ERROR } from '../../../../gateway/src/embedded-backend/checks/durationSketch.ts'
import { loadRuns } from '../../../../gateway/src/embedded-backend/checks/loadRuns.ts'
import { readGraphRuns } from '../../../../gateway/src/embedded-backend/checks/readGraphRuns.ts'
import { createJobRunner } from '../../../../gateway/src/embedded-backend/jobs/createJobRunner.ts'
import { JOBS } from '../../../../gateway/src/embedded-backend/jobs/jobs.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.parse('2026-03-10T12:30:00Z')
/** Runs every five minutes for 140 days: raw ones for 30 days, hours for 90, days beyond. */
const DAYS = 140
const STEP = 5 * 60_000

interface Run {
  readonly at: number
  readonly durationMs: number
}

let database: TestDatabase
let checkId: string
let runs: Run[]

const select = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query(text, values)).rows as Row[]

async function insertCheck(): Promise<string> {
  const [row] = await select<{ id: string }>(
    `with canary as (insert into canaries (name, namespace, spec) values ('c', 'test', '{}') returning id)
     insert into checks (canary_id, type, name) select id, 'http', 'a' from canary returning id`,
  )
  return row?.id ?? ''
}

async function runJobs(names: readonly string[], now: number): Promise<void> {
  const runner = createJobRunner({
    pool: database.pool,
    clock: { ...systemClock, now: () => now },
    logger: pino({ level: 'silent' }),
    random: Math.random,
    hostname: 'host-1',
    jobs: JOBS,
  })
  for (const name of names) await runner.runNow(name)
  await runner.close()
}

/** By sorting all the runs there ever were. */
function percentileOf(known: readonly Run[], share: number): number {
  const sorted = known.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

const ask = async (from: number, to = NOW, id = checkId) =>
  computeGraph(await readGraphRuns(database.pool, { checkId: id, canaryId: undefined, from, to, widthMs: HOUR }))

beforeAll(async () => {
  database = await startTestDatabase()
  checkId = await insertCheck()
  const random = createRandom(11)
  // Slow nights and slow weeks: what is kept of a time must be of that time.
  runs = Array.from({ length: (DAYS * DAY) / STEP }, (_, index): Run => {
    const at = NOW - DAYS * DAY + index * STEP + 1_000
    const slow = 1 + Math.floor((at % (7 * DAY)) / DAY)
    const usual = random() < 0.95 ? 40 : 400
    return { at, durationMs: Math.max(1, Math.round(usual * slow * (0.5 + random()))) }
  })
  await select(
    `insert into check_statuses (check_id, time, status, duration)
     select $1, to_timestamp(at / 1000.0), true, duration from unnest($2::float8[], $3::int[]) as run(at, duration)`,
    [checkId, runs.map(({ at }) => at), runs.map(({ durationMs }) => durationMs)],
  )
  // As an older version left them: sums, and no sketch. Those of the last days are written by the jobs themselves.
  for (const [unit, table] of [
    ['hour', 'check_statuses_1h'],
    ['day', 'check_statuses_1d'],
  ]) {
    await select(
      `insert into ${table} (check_id, created_at, duration, total, passed, failed)
       select check_id, date_trunc('${unit}', time, 'UTC'), sum(duration), count(*), count(*), 0 from check_statuses
       where time < to_timestamp($1 / 1000.0) group by 1, 2`,
      [NOW - 4 * DAY],
    )
  }
  for (let at = NOW - 4 * DAY; at <= NOW; at += 2 * HOUR) await runJobs(['AggregateCheckStatuses1h'], at)
  for (let at = NOW - 4 * DAY; at <= NOW; at += 2 * DAY) await runJobs(['AggregateCheckStatuses1d'], at)
  await runJobs(['AggregateCheckStatuses1d', 'DeleteOldCheckStatuses', 'DeleteOldCheckStatuses1h'], NOW)
}, 120_000)
afterAll(() => database.stop())

describe('percentiles of a range', () => {
  it('are those of the runs, exactly, where the runs are still there', async () => {
    for (const hours of [1, 2, 6, 24, 24 * 7, 24 * 29]) {
      const from = NOW - hours * HOUR
      const known = runs.filter(({ at }) => at >= from)
      const { latency, uptime } = await ask(from)
      expect(uptime.passed).toBe(known.length)
      expect([hours, latency]).toEqual([
        hours,
        {
          p95: percentileOf(known, 0.95),
          p97: percentileOf(known, 0.97),
          p99: percentileOf(known, 0.99),
          rolling1h: 0,
        },
      ])
    }
  })

  it('are within the stated error where hours or days stand in, and no run is missing', async () => {
    // Start of a day: an aggregate belongs to a range when it begins in it.
    const midnight = Date.parse('2026-03-10T00:00:00Z')
    for (const [from, to] of [
      [midnight - 31 * DAY, NOW],
      [midnight - 45 * DAY, NOW],
      [midnight - 60 * DAY, midnight - 40 * DAY - 1],
      [midnight - 100 * DAY, NOW],
      [midnight - 139 * DAY, NOW],
      [midnight - 130 * DAY, midnight - 95 * DAY - 1],
    ] as const) {
      const known = runs.filter(({ at }) => at >= from && at <= to)
      const { latency, uptime } = await ask(from, to)
      expect(latency).toMatchObject({ relative_error: SKETCH_ERROR })
      expect(latency.unmeasured).toBeUndefined()
      // At its end a range has the whole of an aggregate that begins in it.
      expect(Math.abs(uptime.passed - known.length)).toBeLessThanOrEqual(to === NOW ? 0 : 1)
      for (const [name, share] of [
        ['p95', 0.95],
        ['p97', 0.97],
        ['p99', 0.99],
      ] as const) {
        const truth = percentileOf(known, share)
        expect(Math.abs((latency[name] ?? 0) - truth) / truth).toBeLessThanOrEqual(SKETCH_ERROR + 0.001)
      }
    }
  })

  it('are those of the board for the last hour', async () => {
    const summary = createCheckSummary({ clock: { ...systemClock, now: () => NOW }, epoch: 'e', runnerName: 'local' })
    summary.put({
      id: checkId,
      canaryId: checkId,
      canaryName: 'c',
      canaryNamespace: 'test',
      name: 'a',
      namespace: null,
      type: 'http',
      severity: null,
      description: null,
      icon: null,
      owner: null,
      endpoint: null,
      agentId: checkId,
      labels: {},
      createdAt: null,
      silencedAt: null,
    })
    await loadRuns({ pool: database.pool, now: NOW }, [checkId], (id, loaded) => summary.addRuns(id, loaded))
    const [row] = (JSON.parse(summary.read()) as { checks_summary: { latency: Record<string, number> }[] })
      .checks_summary
    const { latency } = await ask(NOW - HOUR)
    const { p95, p97, p99 } = row?.latency ?? {}
    expect({ p95, p97, p99 }).toEqual({ p95: latency.p95, p97: latency.p97, p99: latency.p99 })
  })

  it('say which runs they leave out: those of aggregates from before there were sketches', async () => {
    const id = await insertCheck()
    await select(
      `insert into check_statuses_1h (check_id, created_at, duration, total, passed, failed)
       values ($1, '2026-01-20T10:00:00Z', 1000, 10, 9, 1)`,
      [id],
    )
    await select(
      `insert into check_statuses (check_id, time, status, duration) values ($1, '2026-03-01T10:00:00Z', true, 70)`,
      [id],
    )
    await runJobs(['AggregateCheckStatuses1h'], NOW)
    const { latency, uptime } = await ask(Date.parse('2026-01-01T00:00:00Z'), NOW, id)
    expect(uptime).toEqual({ passed: 10, failed: 1 })
    expect(latency).toEqual({ p95: 70, p97: 70, p99: 70, rolling1h: 0, unmeasured: 10 })
  })

  it('can be taken from the view of five minutes as well: its sketches have all of its runs', async () => {
    await select(
      `insert into check_statuses (check_id, time, status, duration)
       select id, now() - interval '1 minute' * n, n % 2 = 0, n * 10 from checks, generate_series(1, 30) as n where id = $1`,
      [checkId],
    )
    const [row] = await select<{ total: number; counted: number; passed: number; ms: number }>(
      `select sum(total_checks)::int as total, sum(passed)::int as passed, sum(total_duration)::int as ms,
         sum((select sum(count) from unnest(durations[2:2]) as count))::int as counted
       from check_statuses_5m where check_id = $1`,
      [checkId],
    )
    expect(row).toEqual({ total: 30, counted: 30, passed: 15, ms: 4_650 })
  })
})
