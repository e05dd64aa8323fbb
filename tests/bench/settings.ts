// The job history over 100,000 rows: from a filter to the first page with its exact count, asked as the screen asks it.
import { Pool } from 'pg'

import { startEmbeddedBackend, type TestBackend } from '../support/embeddedBackend.ts'
import { startGateway, toGatewayBackend } from '../support/gateway.ts'
import { type BenchTable, percentile } from './table.ts'

const JOBS = 100_000
const LIMIT_MS = 250
const REPEATS = 20
const DAY_MS = 86_400_000

const since = (days: number): string => `created_at=gte.${new Date(Date.now() - days * DAY_MS).toISOString()}`

const ASKS = [
  { name: 'as it comes: two days, without successes', filters: [since(2), 'status=not.in.("SUCCESS")'] },
  { name: 'everything', filters: [since(60)] },
  { name: 'two days', filters: [since(2)] },
  { name: 'one job', filters: [since(60), 'name=in.("Job 7")'] },
  { name: 'one resource type', filters: [since(60), 'resource_type=in.("canary")'] },
  { name: 'failed alone', filters: [since(60), 'status=in.("FAILED")'] },
  { name: 'at least 10 s', filters: [since(60), 'duration_millis=gte.10000'] },
  {
    name: 'all five',
    filters: [
      since(30),
      'name=not.in.("Job 7")',
      'resource_type=in.("canary")',
      'status=not.in.("SUCCESS")',
      'duration_millis=gte.1000',
    ],
  },
] as const

/** A month of 40 jobs on 500 resources; nine of ten succeed. */
async function insertJobs({ databaseUrl }: TestBackend): Promise<void> {
  const pool = new Pool({ connectionString: databaseUrl })
  await pool.query(
    `insert into job_history (name, resource_type, resource_id, status, success_count, error_count, duration_millis,
       time_start, time_end, created_at, details)
     select 'Job ' || n % 40, (array['canary', 'topology', 'config_scraper', 'check_statuses'])[1 + n % 4],
       'host-' || n % 500, case when n % 10 = 0 then (array['FAILED', 'WARNING', 'STALE'])[1 + n / 10 % 3] else 'SUCCESS' end,
       n % 50, case when n % 10 = 0 then 1 else 0 end, n * 7919 % 20000, at, at, at,
       case when n % 10 = 0 then '{"errors": ["no such host"]}'::jsonb else '{}' end
     from (select n, now() - n * interval '30 days' / ${JOBS} as at from generate_series(1, ${JOBS}) n) as jobs`,
  )
  await pool.query('vacuum analyze job_history')
  await pool.end()
}

export async function run(): Promise<BenchTable> {
  const backend = await startEmbeddedBackend()
  await insertJobs(backend)
  const gateway = await startGateway({ backend: toGatewayBackend(backend) })
  try {
    const { session } = await gateway.signInAs('admin')
    const headers = { cookie: `ory_kratos_session=${session}`, prefer: 'count=exact' }
    const all: number[] = []
    const rows: (string | number)[][] = []
    for (const { name, filters } of ASKS) {
      const url = `${gateway.url}/api/db/job_histories?select=*&${filters.join('&')}&order=created_at.desc.nullslast&limit=150`
      const samples: number[] = []
      let total = ''
      for (let round = 0; round < REPEATS; round++) {
        const startedAt = performance.now()
        const answer = await fetch(url, { headers })
        if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
        await answer.json()
        samples.push(performance.now() - startedAt)
        total = answer.headers.get('content-range')?.split('/')[1] ?? ''
      }
      all.push(...samples)
      rows.push([name, total, percentile(samples, 0.5).toFixed(0), percentile(samples, 0.95).toFixed(0)])
    }
    const p95 = percentile(all, 0.95)
    rows.push(['all', '', percentile(all, 0.5).toFixed(0), p95.toFixed(0)])
    return {
      title: `Job history: ${JOBS} rows, from a filter to 150 rows with the exact count`,
      columns: ['filter', 'rows', 'p50 ms', 'p95 ms'],
      rows,
      notes: [`p95 of all is ${p95.toFixed(0)} ms; ${LIMIT_MS} ms may be.`],
    }
  } finally {
    await gateway.stop()
    await backend.stop()
  }
}
