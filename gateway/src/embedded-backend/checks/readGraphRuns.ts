import type { Pool } from 'pg'

import type { GraphRuns } from './computeGraph.ts'

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

interface DurationRow {
  duration: number | null
  key: number | null
  count: number
}

/**
 * `$1` check, `$2` canary. Results are kept for a month, their aggregates per hour for three and per day for nine: each stands
 * in for what is older than the finer kind. Where retention cut through an hour or a day, the coarser kind has all of it, and
 * the finer one begins behind it.
 */
const WANTED = `
with named as (
  select checks.id from unnest(case when $1::uuid is not null then array[$1::uuid]
    else array(select id from checks where canary_id = $2::uuid and deleted_at is null) end) as checks(id)
), raw as (
  select named.id, case when hour.total > (
      select count(*) from check_statuses
      where check_id = named.id and time >= hour.created_at and time < hour.created_at + interval '1 hour')
    then hour.created_at + interval '1 hour' else oldest.time end as raw_from
  from named
  cross join lateral (select min(time) as time from check_statuses where check_id = named.id) as oldest
  left join check_statuses_1h as hour
    on hour.check_id = named.id and hour.created_at = date_trunc('hour', oldest.time, 'UTC')
), wanted as (
  select raw.id, raw.raw_from,
    case when day.created_at + interval '1 day' <= coalesce(raw.raw_from, 'infinity') and day.total > (
        select sum(total) from check_statuses_1h
        where check_id = raw.id and created_at >= day.created_at and created_at < day.created_at + interval '1 day')
      then day.created_at + interval '1 day' else least(raw.raw_from, oldest.created_at) end as hours_from
  from raw
  cross join lateral (select min(created_at) as created_at from check_statuses_1h where check_id = raw.id) as oldest
  left join check_statuses_1d as day
    on day.check_id = raw.id and day.created_at = date_trunc('day', oldest.created_at, 'UTC')
)`

/** `$3` and `$4` are the range. */
const RAW = `wanted join check_statuses on check_id = wanted.id
  where time between to_timestamp($3) and to_timestamp($4) and time >= wanted.raw_from`
const HOURS = `wanted join check_statuses_1h on check_id = wanted.id
  where created_at between to_timestamp($3) and to_timestamp($4)
    and created_at >= wanted.hours_from and created_at + interval '1 hour' <= coalesce(wanted.raw_from, 'infinity')`
const DAYS = `wanted join check_statuses_1d on check_id = wanted.id
  where created_at between to_timestamp($3) and to_timestamp($4)
    and created_at + interval '1 day' <= coalesce(wanted.hours_from, 'infinity')`

/** `$5` is the width of a bucket in seconds. */
const SELECT_BUCKETS = `${WANTED}, runs as (
  select time, (status is true)::int as passed, (status is not true)::int as failed, coalesce(duration, 0)::float8 as total_ms
  from ${RAW}
  union all
  select created_at + interval '30 minutes', passed, failed, duration from ${HOURS}
  union all
  select created_at + interval '12 hours', passed, failed, duration from ${DAYS}
)
select (floor((extract(epoch from time) + $5 / 2) / $5) * $5)::float8 as at,
  sum(passed)::int as passed, sum(failed)::int as failed, sum(total_ms)::float8 as total_ms
from runs
group by at order by at`

const SELECT_DURATIONS = `${WANTED}
select coalesce(duration, 0) as duration, null::int as key, count(*)::int as count from ${RAW} group by 1
union all
select null, part.key, sum(part.count)::int
from (select durations from ${HOURS} union all select durations from ${DAYS}) as aggregate
cross join lateral unnest(durations[1:1], durations[2:2]) as part(key, count)
group by part.key`

/** The runs of a range: grouped by the nearest bucket center, oldest first, and how long they took. */
export async function readGraphRuns(pool: Pick<Pool, 'query'>, range: GraphRange): Promise<GraphRuns> {
  const { checkId, canaryId, from, to, widthMs } = range
  const values = [checkId ?? null, canaryId ?? null, from / 1_000, to / 1_000]
  const [buckets, durations] = await Promise.all([
    pool.query<BucketRow>(SELECT_BUCKETS, [...values, widthMs / 1_000]),
    pool.query<DurationRow>(SELECT_DURATIONS, values),
  ])
  return {
    buckets: buckets.rows.map(({ at, passed, failed, total_ms: totalMs }) => ({
      at: at * 1_000,
      passed,
      failed,
      totalMs,
    })),
    exact: durations.rows.flatMap(({ duration, count }) =>
      duration === null ? [] : [{ durationMs: duration, count }],
    ),
    sketched: durations.rows.flatMap(({ key, count }) => (key === null ? [] : [{ key, count }])),
  }
}
