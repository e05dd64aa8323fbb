import { MAX_RESULT_TEXT_LENGTH } from '@watchroom/shared/health'
import type { Pool } from 'pg'

import { type SummaryRun, WINDOW_MS } from './createCheckSummary.ts'

/** Checks per query: some 60,000 runs of the last hour when they run each 30 s. */
const CHUNK = 500

interface RunsRow {
  check_id: string
  times: number[] | null
  durations: number[] | null
  passed: boolean[] | null
  latest_time: Date | null
  latest_duration: number | null
  latest_passed: boolean | null
  latest_error: string | null
}

const SELECT = `
select ids.check_id, recent.times, recent.durations, recent.passed,
  latest.time as latest_time, latest.duration as latest_duration, latest.status as latest_passed,
  left(coalesce(latest.error, latest.message), ${MAX_RESULT_TEXT_LENGTH} + 1) as latest_error
from unnest($1::uuid[]) as ids(check_id)
left join lateral (
  select array_agg((extract(epoch from time) * 1000)::float8 order by time) as times,
    array_agg(coalesce(duration, 0) order by time) as durations,
    array_agg(coalesce(status, false) order by time) as passed
  from check_statuses
  where check_statuses.check_id = ids.check_id and time >= to_timestamp($2)
) recent on true
left join lateral (
  select time, duration, status, error, message
  from check_statuses where check_statuses.check_id = ids.check_id
  order by time desc limit 1
) latest on true`

function toRuns(row: RunsRow): SummaryRun[] {
  const runs: SummaryRun[] = (row.times ?? []).map((startedAt, index) => ({
    startedAt: Math.round(startedAt),
    durationMs: row.durations?.[index] ?? 0,
    passed: row.passed?.[index] ?? false,
    error: null,
  }))
  if (row.latest_time) {
    // The latest run stands for the check when the hour is empty, and it alone tells its error.
    runs.pop()
    runs.push({
      startedAt: row.latest_time.getTime(),
      durationMs: row.latest_duration ?? 0,
      passed: row.latest_passed ?? false,
      error: row.latest_error,
    })
  }
  return runs
}

/**
 * Reads the last hour of these checks, and their latest run when it is older.
 *
 * @param apply called once for each check, while the next ones are not yet in memory: an hour of 10,000 checks is large
 */
export async function loadRuns(
  { pool, now }: { pool: Pick<Pool, 'query'>; now: number },
  checkIds: readonly string[],
  apply: (checkId: string, runs: readonly SummaryRun[]) => void,
): Promise<void> {
  for (let start = 0; start < checkIds.length; start += CHUNK) {
    const { rows } = await pool.query<RunsRow>(SELECT, [
      checkIds.slice(start, start + CHUNK),
      (now - WINDOW_MS) / 1_000,
    ])
    for (const row of rows) apply(row.check_id, toRuns(row))
  }
}
