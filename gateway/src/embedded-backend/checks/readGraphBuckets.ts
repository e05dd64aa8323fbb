import type { Pool } from 'pg'

import type { GraphBucket } from './computeGraph.ts'

export interface GraphRange {
  checkId: string | undefined
  /** All checks of a canary together, when no check is named. */
  canaryId: string | undefined
  /** Milliseconds since the epoch, both included. */
  from: number
  to: number
  widthMs: number
}

interface BucketRow {
  at: number
  passed: number
  failed: number
  total_ms: number
}

/**
 * `$1` check, `$2` and `$3` range, `$4` width in seconds, `$5` canary. Results are kept for a month, their sums per hour for
 * three and per day for nine: each stands in for what is older than the oldest row of the finer kind.
 */
const SELECT = `
with wanted as (
  select checks.id, raw.oldest as raw_from, least(raw.oldest, hours.oldest) as hours_from
  from unnest(case when $1::uuid is not null then array[$1::uuid]
    else array(select id from checks where canary_id = $5::uuid and deleted_at is null) end) as checks(id)
  cross join lateral (select min(time) as oldest from check_statuses where check_id = checks.id) as raw
  cross join lateral (select min(created_at) as oldest from check_statuses_1h where check_id = checks.id) as hours
), runs as (
  select time, (status is true)::int as passed, (status is not true)::int as failed, coalesce(duration, 0)::float8 as total_ms
  from wanted join check_statuses on check_id = wanted.id
  where time between to_timestamp($2) and to_timestamp($3)
  union all
  select created_at + interval '30 minutes', passed, failed, duration
  from wanted join check_statuses_1h on check_id = wanted.id
  where created_at between to_timestamp($2) and to_timestamp($3)
    and created_at + interval '1 hour' <= coalesce(raw_from, 'infinity')
  union all
  select created_at + interval '12 hours', passed, failed, duration
  from wanted join check_statuses_1d on check_id = wanted.id
  where created_at between to_timestamp($2) and to_timestamp($3)
    and created_at + interval '1 day' <= coalesce(hours_from, 'infinity')
)
select (floor((extract(epoch from time) + $4 / 2) / $4) * $4)::float8 as at,
  sum(passed)::int as passed, sum(failed)::int as failed, sum(total_ms)::float8 as total_ms
from runs
group by at order by at`

/** Runs grouped by the nearest bucket centre, oldest first. */
export async function readGraphBuckets(pool: Pick<Pool, 'query'>, range: GraphRange): Promise<GraphBucket[]> {
  const { rows } = await pool.query<BucketRow>(SELECT, [
    range.checkId ?? null,
    range.from / 1_000,
    range.to / 1_000,
    range.widthMs / 1_000,
    range.canaryId ?? null,
  ])
  return rows.map((row) => ({ at: row.at * 1_000, passed: row.passed, failed: row.failed, totalMs: row.total_ms }))
}
