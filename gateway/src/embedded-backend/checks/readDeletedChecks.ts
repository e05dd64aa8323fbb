import type { Pool } from 'pg'

import type { SummaryFilter } from './createCheckSummary.ts'

/** Rows of the view `check_summary` of checks deleted after a moment, each as JSON text: they are not kept in memory. */
export async function readDeletedChecks(
  pool: Pick<Pool, 'query'>,
  deletedSince: string,
  { checkId, labels }: SummaryFilter,
): Promise<string[]> {
  const { rows } = await pool.query<{ json: string }>(
    `select row_to_json(check_summary)::text as json from check_summary
     where deleted_at > $1 and ($2::text is null or id::text = $2) and coalesce(labels, '{}') @> $3::jsonb
     order by deleted_at desc limit 1000`,
    [deletedSince, checkId ?? null, JSON.stringify(labels ?? {})],
  )
  return rows.map(({ json }) => json)
}
