import type { Pool } from 'pg'

import type { Schedule } from '../../check-runner/schedule.ts'
import type { LocalProperties } from '../settings/readProperty.ts'

/** What a run of a job tells about itself, for its row in `job_history`. */
export interface JobReport {
  /** Things that were dealt with. */
  success(count?: number): void
  /** One thing that failed while the others went on. */
  failure(message: string): void
}

export interface JobContext {
  readonly pool: Pool
  readonly localProperties?: LocalProperties
  /** Aborted at the deadline and on shutdown; a job that works in batches asks it between them. */
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly report: JobReport
}

/** Rows of `job_history` that are kept per job, resource and outcome. */
export interface JobRetention {
  readonly successes: number
  readonly failures: number
}

export const RETENTION = {
  few: { successes: 1, failures: 3 },
  failed: { successes: 0, failures: 3 },
  balanced: { successes: 3, failures: 3 },
  high: { successes: 3, failures: 6 },
} as const satisfies Record<string, JobRetention>

/** Internal scheduled work. */
export interface Job {
  /** As it is shown on the jobs page; stable, it is what history is kept under. */
  readonly name: string
  readonly resourceType: string
  readonly schedule: Schedule
  readonly deadlineMs: number
  readonly retention: JobRetention
  /** @throws when nothing could be done; that is a failed run */
  run(context: JobContext): Promise<void>
}
