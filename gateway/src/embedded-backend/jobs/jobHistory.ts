import { NIL_UUID } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

import type { JobRetention } from './job.ts'

export type JobStatus = 'SUCCESS' | 'WARNING' | 'FAILED' | 'SKIPPED'

export interface JobRun {
  readonly name: string
  readonly resourceType: string
  readonly resourceId: string
  readonly hostname: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

export interface JobOutcome {
  readonly successes: number
  readonly errors: readonly string[]
  readonly durationMs: number
  readonly endedAt: number
  /** What its details say besides the errors. */
  readonly details?: Readonly<Record<string, unknown>>
  /** Nothing was to be done here, as the errors say. */
  readonly isSkipped?: boolean
}

/** More would only repeat itself, and is read by people. */
const MAX_ERRORS = 50

export function toStatus({
  successes,
  errors,
  isSkipped = false,
}: Pick<JobOutcome, 'successes' | 'errors' | 'isSkipped'>): JobStatus {
  if (isSkipped) return 'SKIPPED'
  if (errors.length === 0) return 'SUCCESS'
  return successes > 0 ? 'WARNING' : 'FAILED'
}

/** The row of a run that has begun. */
export async function insertRunning(pool: Pick<Pool, 'query'>, run: JobRun): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into job_history (name, resource_type, resource_id, hostname, status, success_count, error_count, time_start, details)
     values ($1, $2, $3, $4, 'RUNNING', 0, 0, $5, '{}') returning id`,
    [run.name, run.resourceType, run.resourceId, run.hostname, new Date(run.startedAt)],
  )
  return rows[0]?.id ?? null
}

/** Writes how the run ended, and keeps only the newest rows of its kind. Those of agents, whatever they name, are theirs. */
export async function writeOutcome(
  pool: Pick<Pool, 'query'>,
  { id, run, outcome, retention }: { id: string | null; run: JobRun; outcome: JobOutcome; retention: JobRetention },
): Promise<void> {
  const status = toStatus(outcome)
  const isWorthARow = retention.successes > 0 || outcome.errors.length > 0
  if (!isWorthARow) return
  const errors = outcome.errors.slice(0, MAX_ERRORS)
  await pool.query(
    `insert into job_history (id, name, resource_type, resource_id, hostname, status, success_count, error_count,
       time_start, time_end, duration_millis, details)
     values (coalesce($1, generate_ulid()), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (id) do update set status = excluded.status, success_count = excluded.success_count,
       error_count = excluded.error_count, time_end = excluded.time_end, duration_millis = excluded.duration_millis,
       details = excluded.details`,
    [
      id,
      run.name,
      run.resourceType,
      run.resourceId,
      run.hostname,
      status,
      outcome.successes,
      outcome.errors.length,
      new Date(run.startedAt),
      new Date(outcome.endedAt),
      Math.round(outcome.durationMs),
      JSON.stringify({ ...outcome.details, ...(errors.length > 0 && { errors }) }),
    ],
  )
  await pool.query(
    `delete from job_history where id in (
       select id from job_history
       where name = $1 and resource_type = $2 and resource_id = $3 and status = $4 and agent_id = '${NIL_UUID}'
       order by created_at desc, id desc offset $5)`,
    [
      run.name,
      run.resourceType,
      run.resourceId,
      status,
      status === 'SUCCESS' ? retention.successes : retention.failures,
    ],
  )
}
