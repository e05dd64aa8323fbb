// Every internal job, once. Names, periods and what is kept are those of the product whose API we speak.
import { cronSchedule, everySchedule } from '../../check-runner/schedule.ts'
import { SEED_ANNOTATION } from '../demo/seedCanaries.ts'
import { deleteInBatches } from './deleteInBatches.ts'
import { type Job, type JobContext, RETENTION } from './job.ts'
import { readDurationMs, readNumber } from './properties.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const daysBefore = (now: number, days: number): Date => new Date(now - days * DAY_MS)

/**
 * Whole buckets are written again, so a run that was late or left out is made up for. The window reaches back to the start
 * of its first bucket: half a bucket would overwrite a full one.
 */
async function aggregate(context: JobContext, unit: 'hour' | 'day', reachMs: number): Promise<void> {
  const { rowCount } = await context.pool.query(
    `insert into ${unit === 'hour' ? 'check_statuses_1h' : 'check_statuses_1d'}
       (check_id, created_at, duration, total, passed, failed)
     select check_id, date_trunc('${unit}', time, 'UTC'), least(coalesce(sum(duration), 0), 2147483647), count(*),
       count(*) filter (where status), count(*) filter (where status is not true)
     from check_statuses where time >= date_trunc('${unit}', $1::timestamptz, 'UTC') and time < $2
     group by 1, 2
     on conflict (check_id, created_at) do update set duration = excluded.duration, total = excluded.total,
       passed = excluded.passed, failed = excluded.failed`,
    [new Date(context.now - reachMs), new Date(context.now)],
  )
  context.report.success(rowCount ?? 0)
}

/** How long raw results are kept, in days; aggregates are kept a multiple of it. */
const readRetentionDays = (context: JobContext): Promise<number> =>
  readNumber(context, 'check.status.retention.days', 30)

function deleteAggregates(name: string, table: string, multiple: number): Job {
  return {
    name,
    resourceType: 'check_statuses',
    schedule: everySchedule(DAY_MS),
    deadlineMs: HOUR_MS,
    retention: RETENTION.few,
    run: async (context) => {
      const before = daysBefore(context.now, multiple * (await readRetentionDays(context)))
      await deleteInBatches(context, { table, condition: 'created_at < $1', values: [before] })
    },
  }
}

/** A check takes its results with it: some 20,000 when it was deleted a week ago and ran each 30 s. */
const CHECKS_PER_BATCH = 5

/** Soft-deleted rows whose results nobody points at any more. */
const CHECK_IS_UNUSED = `deleted_at < $1
  and not exists (select from evidences where evidences.check_id = checks.id)
  and not exists (select from playbook_runs where playbook_runs.check_id = checks.id)
  and not exists (select from artifacts where artifacts.check_id = checks.id)
  and not exists (select from notification_silences where notification_silences.check_id = checks.id)`
/** A canary that the product brings along leaves its row behind: that is how a start knows not to bring it again. */
const CANARY_IS_UNUSED = `deleted_at < $1 and not coalesce(annotations ? '${SEED_ANNOTATION}', false)
  and not exists (select from checks where checks.canary_id = canaries.id)
  and not exists (select from notification_silences where notification_silences.canary_id = canaries.id)
  and not exists (select from permissions where permissions.canary_id = canaries.id)`

export const JOBS: readonly Job[] = [
  {
    name: 'AggregateCheckStatuses1h',
    resourceType: 'check_statuses',
    schedule: everySchedule(HOUR_MS),
    deadlineMs: 10 * MINUTE_MS,
    retention: RETENTION.balanced,
    run: (context) => aggregate(context, 'hour', 3 * HOUR_MS),
  },
  {
    name: 'AggregateCheckStatuses1d',
    resourceType: 'check_statuses',
    schedule: everySchedule(DAY_MS),
    deadlineMs: HOUR_MS,
    retention: RETENTION.balanced,
    run: (context) => aggregate(context, 'day', 3 * DAY_MS),
  },
  {
    name: 'DeleteOldCheckStatuses',
    resourceType: 'check_statuses',
    schedule: everySchedule(DAY_MS),
    deadlineMs: HOUR_MS,
    retention: RETENTION.few,
    run: async (context) => {
      const before = daysBefore(context.now, await readRetentionDays(context))
      await deleteInBatches(context, { table: 'check_statuses', condition: 'time < $1', values: [before] })
    },
  },
  deleteAggregates('DeleteOldCheckStatuses1h', 'check_statuses_1h', 3),
  deleteAggregates('DeleteOldCheckStatuses1d', 'check_statuses_1d', 9),
  {
    name: 'CleanupChecks',
    resourceType: 'canary',
    schedule: everySchedule(12 * HOUR_MS),
    deadlineMs: HOUR_MS,
    retention: RETENTION.balanced,
    run: async (context) => {
      const before = new Date(context.now - (await readDurationMs(context, 'check.retention.age', '7d')))
      await deleteInBatches(context, {
        table: 'checks',
        condition: CHECK_IS_UNUSED,
        values: [before],
        batch: CHECKS_PER_BATCH,
      })
    },
  },
  {
    name: 'SoftDeleteChecksOfDeletedCanaries',
    resourceType: 'canary',
    schedule: everySchedule(HOUR_MS),
    deadlineMs: 10 * MINUTE_MS,
    retention: RETENTION.few,
    run: async ({ pool, report }) => {
      const { rowCount } = await pool.query(
        `update checks set deleted_at = canaries.deleted_at from canaries
         where canaries.id = checks.canary_id and canaries.deleted_at is not null and checks.deleted_at is null`,
      )
      report.success(rowCount ?? 0)
    },
  },
  {
    name: 'CleanupCanaries',
    resourceType: 'canary',
    schedule: everySchedule(12 * HOUR_MS),
    deadlineMs: HOUR_MS,
    retention: RETENTION.balanced,
    run: async (context) => {
      const before = new Date(context.now - (await readDurationMs(context, 'canary.retention.age', '7d')))
      await deleteInBatches(context, { table: 'canaries', condition: CANARY_IS_UNUSED, values: [before] })
    },
  },
  {
    name: 'CleanupStaleJobHistory',
    resourceType: 'job_history',
    schedule: cronSchedule('15 1 * * *'),
    deadlineMs: HOUR_MS,
    retention: RETENTION.few,
    run: async (context) => {
      const { pool, now, report } = context
      const before = new Date(now - (await readDurationMs(context, 'job.history.maxAge', '30d')))
      await deleteInBatches(context, { table: 'job_history', condition: 'created_at < $1', values: [before] })
      const { rowCount } = await pool.query(
        `update job_history set status = 'STALE' where status = 'RUNNING' and time_start < $1`,
        [new Date(now - 4 * HOUR_MS)],
      )
      report.success(rowCount ?? 0)
    },
  },
  {
    name: 'Cleanup Event Queue',
    resourceType: 'event_queue',
    schedule: everySchedule(DAY_MS),
    deadlineMs: HOUR_MS,
    retention: RETENTION.few,
    run: async (context) => {
      const before = new Date(context.now - (await readDurationMs(context, 'event_queue.maxAge', '30d')))
      await deleteInBatches(context, { table: 'event_queue', condition: 'created_at < $1', values: [before] })
    },
  },
]
