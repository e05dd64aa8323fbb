import type { Pool } from 'pg'

import type { TestVerdict } from './createConnectionTests.ts'

/** Keeps how the last test of a connection ended. @param personId null where nobody asked for it */
export async function recordTest(
  pool: Pick<Pool, 'query'>,
  id: string,
  personId: string | null,
  verdict: TestVerdict,
): Promise<void> {
  await pool.query(
    `insert into watchroom_internal.connection_tests (connection_id, outcome, message, tested_by)
     values ($1, $2, $3, (select id from people where id = $4))
     on conflict (connection_id) do update set outcome = excluded.outcome, message = excluded.message,
       tested_at = excluded.tested_at, tested_by = excluded.tested_by`,
    [id, verdict.outcome, verdict.outcome === 'failed' ? verdict.message : null, personId],
  )
}
