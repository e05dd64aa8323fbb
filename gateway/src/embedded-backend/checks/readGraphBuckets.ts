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

/** Runs grouped by the nearest bucket centre, oldest first. */
export async function readGraphBuckets(pool: Pick<Pool, 'query'>, range: GraphRange): Promise<GraphBucket[]> {
  const { rows } = await pool.query<BucketRow>(
    `select (floor((extract(epoch from time) + $4 / 2) / $4) * $4)::float8 as at,
       count(*) filter (where status)::int as passed,
       count(*) filter (where status is not true)::int as failed,
       coalesce(sum(duration), 0)::float8 as total_ms
     from check_statuses
     where check_id = any(case when $1::uuid is not null then array[$1::uuid]
         else array(select id from checks where canary_id = $5::uuid and deleted_at is null) end)
       and time between to_timestamp($2) and to_timestamp($3)
     group by at order by at`,
    [range.checkId ?? null, range.from / 1_000, range.to / 1_000, range.widthMs / 1_000, range.canaryId ?? null],
  )
  return rows.map((row) => ({ at: row.at * 1_000, passed: row.passed, failed: row.failed, totalMs: row.total_ms }))
}
