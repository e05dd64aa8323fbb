// A run of something that has a row of its own (a scraper, a topology), with its row in the job history. Only one backend does it at a
// time, by a lock that ends with its process.
import { type Clock, NIL_UUID } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

import type { JobRetention } from './job.ts'
import { insertRunning, type JobOutcome, type JobStatus, toStatus, writeOutcome } from './jobHistory.ts'

export interface ResourceJob {
  readonly name: string
  readonly resourceType: string
  readonly table: 'config_scrapers' | 'topologies'
  /** One of `ADVISORY_LOCKS`. */
  readonly lock: number
  readonly retention: JobRetention
}

/** What is run: its row as it is now. */
export interface ResourceRow {
  readonly id: string
  readonly name: string
  /** With *** for its secrets. */
  readonly spec: unknown
}

const MAX_ERROR_CHARACTERS = 1_000

/** Does `work` while nobody else does. @returns null when someone does, or it is not there any more */
export async function withResource<Answer>(
  pool: Pool,
  { table, lock }: Pick<ResourceJob, 'table' | 'lock'>,
  id: string,
  work: (row: ResourceRow) => Promise<Answer>,
): Promise<Answer | null> {
  const client = await pool.connect()
  let isFree = false
  try {
    const { rows } = await client.query<{ isOurs: boolean }>(
      `select pg_try_advisory_lock(${lock}, hashtext($1)) as "isOurs"`,
      [id],
    )
    isFree = rows[0]?.isOurs === false
    if (rows[0]?.isOurs !== true) return null
    const { rows: found } = await pool.query<ResourceRow>(
      `select id, name, spec from ${table} where id = $1 and deleted_at is null`,
      [id],
    )
    const answer = found[0] ? await work(found[0]) : null
    // The next run may follow at once, and must not find this one's lock. What was done stays done if that fails.
    isFree = await client.query(`select pg_advisory_unlock(${lock}, hashtext($1))`, [id]).then(
      () => true,
      () => false,
    )
    return answer
  } finally {
    // Without that the lock ends with the connection.
    client.release(!isFree)
  }
}

interface RecordDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly hostname: string
}

export interface RecordedRun<Outcome> {
  readonly status: JobStatus
  readonly errors: readonly string[]
  readonly outcome: Outcome
}

/** A run in the job history, from its beginning on. `run` tells what became of it, and never throws for the sake of its source. */
export async function recordResourceRun<Outcome extends Omit<JobOutcome, 'durationMs' | 'endedAt'>>(
  job: ResourceJob,
  row: ResourceRow,
  { pool, clock, hostname }: RecordDeps,
  run: () => Promise<Outcome>,
): Promise<RecordedRun<Outcome>> {
  const { name, resourceType, retention } = job
  const history = { name, resourceType, resourceId: row.id, hostname, startedAt: clock.now() }
  const startedAt = clock.monotonic()
  await endLeft(pool, job, row.id)
  const jobId = await insertRunning(pool, history)
  const ended = await run()
  const outcome = {
    ...ended,
    errors: ended.errors.map((error) => error.slice(0, MAX_ERROR_CHARACTERS)),
    durationMs: clock.monotonic() - startedAt,
    endedAt: clock.now(),
  }
  await writeOutcome(pool, { id: jobId, run: history, outcome, retention })
  return { status: toStatus(outcome), errors: outcome.errors, outcome: ended }
}

/** A run that is still open in the history ended without a word, since its lock is ours now. */
async function endLeft(pool: Pool, { name, resourceType }: ResourceJob, id: string): Promise<void> {
  await pool.query(
    `update job_history set status = 'STALE', time_end = now()
     where resource_type = $1 and resource_id = $2 and name = $3 and status = 'RUNNING'
       and agent_id = '${NIL_UUID}'`,
    [resourceType, id, name],
  )
}
