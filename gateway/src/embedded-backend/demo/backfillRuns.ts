// Gives the checks of the demo a past, so that the first look at the board shows uptime and latency. Only where nothing was
// recorded: what really ran is never touched.
import type { Pool } from 'pg'

import { answerAt, type Service } from './behavior.ts'

const HOUR_MS = 3_600_000
/** Each run of this time is made up ... */
const DENSE_MS = 2 * HOUR_MS
/** ... and before it one per `SPARSE_STEP_MS`, for the longer ranges of the chart. */
const SPARSE_MS = 24 * HOUR_MS
const SPARSE_STEP_MS = 5 * 60_000
const ROWS_PER_INSERT = 10_000

interface Candidate {
  id: string
  url: string
  interval_s: number
  last_time: Date | null
}

interface Runs {
  ids: string[]
  times: Date[]
  passed: boolean[]
  durations: number[]
}

interface Summary {
  id: string
  isUp: boolean
  lastAt: number
  changedAt: number
}

export interface BackfillOptions {
  services: ReadonlyMap<string, Service>
  /** Milliseconds since the epoch: the past ends here. */
  startedAt: number
}

/** Moments at which a check would have run, oldest first, at least one interval after `after`. */
function momentsOf(intervalMs: number, after: number, startedAt: number): number[] {
  const moments: number[] = []
  for (let at = startedAt - SPARSE_MS; at < startedAt - DENSE_MS; at += SPARSE_STEP_MS) moments.push(at)
  for (let at = startedAt - DENSE_MS; at < startedAt; at += intervalMs) moments.push(at)
  return moments.filter((at) => at >= after + intervalMs)
}

/** When the state of the last run began. */
function changedAt(past: readonly { at: number; isUp: boolean }[]): number {
  const before = past.findLastIndex(({ isUp }) => isUp !== past.at(-1)?.isUp)
  return past[before + 1]?.at ?? 0
}

async function insertRuns(pool: Pick<Pool, 'query'>, { ids, times, passed, durations }: Runs): Promise<void> {
  await pool.query(
    `insert into check_statuses (check_id, time, status, duration, message, error)
     select check_id, time, status, duration, case when status then '200 OK' end,
       case when not status then 'answered 503 Service Unavailable, expected 2xx' end
     from unnest($1::uuid[], $2::timestamptz[], $3::boolean[], $4::integer[]) as run(check_id, time, status, duration)
     on conflict (check_id, time) do nothing`,
    [ids, times, passed, durations],
  )
}

/** The state that the last made-up run left behind. Status first: a trigger stamps the change, which is then put right. */
async function writeStates(pool: Pick<Pool, 'query'>, summaries: readonly Summary[]): Promise<void> {
  const values = [
    summaries.map(({ id }) => id),
    summaries.map(({ isUp }) => (isUp ? 'healthy' : 'unhealthy')),
    summaries.map(({ lastAt }) => new Date(lastAt)),
    summaries.map(({ changedAt }) => new Date(changedAt)),
  ]
  const states =
    'unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[]) as state(id, status, last, changed)'
  await pool.query(
    `update checks set status = state.status, last_runtime = state.last from ${states} where checks.id = state.id`,
    values,
  )
  await pool.query(
    `update checks set last_transition_time = state.changed from ${states} where checks.id = state.id`,
    values,
  )
}

/** @returns number of runs made up */
export async function backfillRuns(
  pool: Pick<Pool, 'query'>,
  { services, startedAt }: BackfillOptions,
): Promise<number> {
  const { rows } = await pool.query<Candidate>(
    `select checks.id, checks.spec ->> 'url' as url, coalesce((canaries.spec ->> 'interval')::float8, 60) as interval_s,
       (select max(time) from check_statuses where check_id = checks.id) as last_time
     from checks join canaries on canaries.id = checks.canary_id
     where canaries.source = 'demo' and checks.deleted_at is null and checks.type = 'http'`,
  )
  let runs: Runs = { ids: [], times: [], passed: [], durations: [] }
  let count = 0
  const summaries: Summary[] = []
  for (const { id, url, interval_s: intervalS, last_time: lastTime } of rows) {
    const service = services.get(URL.canParse(url) ? new URL(url).pathname : '')
    if (!service) continue
    const after = lastTime?.getTime() ?? 0
    const past = momentsOf(intervalS * 1_000, after, startedAt).map((at) => ({
      at,
      ...answerAt(service, at, startedAt),
    }))
    for (const { at, isUp, latencyMs } of past) {
      runs.ids.push(id)
      runs.times.push(new Date(at))
      runs.passed.push(isUp)
      runs.durations.push(Math.max(1, Math.round(latencyMs)))
    }
    count += past.length
    const last = past.at(-1)
    if (last) summaries.push({ id, isUp: last.isUp, lastAt: last.at, changedAt: changedAt(past) })
    if (runs.ids.length < ROWS_PER_INSERT) continue
    await insertRuns(pool, runs)
    runs = { ids: [], times: [], passed: [], durations: [] }
  }
  if (runs.ids.length > 0) await insertRuns(pool, runs)
  if (summaries.length > 0) await writeStates(pool, summaries)
  return count
}
