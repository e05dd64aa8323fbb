// Every internal job, once. Names, periods and what is kept are those of the product whose API we speak.
import { REHEARSED_DAYS } from '@watchroom/shared/notifications'

import { cronSchedule, everySchedule } from '../../check-runner/schedule.ts'
import { DURATION_KEY_SQL } from '../checks/durationSketch.ts'
import { SEED_ANNOTATION } from '../demo/seedCanaries.ts'
import { TOPOLOGY_JOBS } from '../topology/sync/topologyJobs.ts'
import { CATALOG_JOBS } from './catalogJobs.ts'
import { cleanup } from './cleanup.ts'
import { deleteInBatches } from './deleteInBatches.ts'
import { type Job, type JobContext, RETENTION } from './job.ts'
import { oldestKept, readNumber } from './properties.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const MAX_TRANSITIONS = 100_000

const daysBefore = (now: number, days: number): Date => new Date(now - days * DAY_MS)

const AGGREGATES = { hour: 'check_statuses_1h', day: 'check_statuses_1d' } as const

/**
 * Whole buckets are written again, so a run that was late or left out is made up for. The window reaches back to the start
 * of its first bucket: half a bucket would overwrite a full one.
 */
async function aggregate(context: JobContext, unit: 'hour' | 'day', reachMs: number): Promise<void> {
  const { rowCount } = await context.pool.query(
    `insert into ${AGGREGATES[unit]} (check_id, created_at, duration, total, passed, failed, durations)
     select check_id, created_at, least(coalesce(sum(total_ms), 0), 2147483647), sum(total), sum(passed), sum(failed),
       array[array_agg(key order by key), array_agg(total order by key)]
     from (
       select check_id, date_trunc('${unit}', time, 'UTC') as created_at, ${DURATION_KEY_SQL} as key,
         sum(duration) as total_ms, count(*)::integer as total, count(*) filter (where status) as passed,
         count(*) filter (where status is not true) as failed
       from check_statuses where time >= date_trunc('${unit}', $1::timestamptz, 'UTC') and time < $2
       group by 1, 2, 3
     ) as counted
     group by check_id, created_at
     on conflict (check_id, created_at) do update set duration = excluded.duration, total = excluded.total,
       passed = excluded.passed, failed = excluded.failed, durations = excluded.durations`,
    [new Date(context.now - reachMs), new Date(context.now)],
  )
  context.report.success(rowCount ?? 0)
  await sketchOlder(context, unit)
}

/** Aggregates per statement; an hour has some hundred runs, a day some thousand. */
const SKETCHED_AT_ONCE = { hour: 500, day: 50 } as const

/** Aggregates of a time without sketches get theirs while their runs are still there. What ends too early is gone on with next time. */
async function sketchOlder({ pool, signal, report }: JobContext, unit: 'hour' | 'day'): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const { rowCount } = await pool.query(
      `update ${AGGREGATES[unit]} as aggregate set durations = coalesce(sketch.durations, '{}')
       from (
         select older.check_id, older.created_at,
           case when sum(counted.total) = older.total
             then array[array_agg(counted.key order by counted.key), array_agg(counted.total order by counted.key)] end as durations
         from (
           select check_id, created_at, total from ${AGGREGATES[unit]} where durations is null
           order by created_at limit ${SKETCHED_AT_ONCE[unit]}
         ) as older
         left join lateral (
           select ${DURATION_KEY_SQL} as key, count(*)::integer as total from check_statuses
           where check_statuses.check_id = older.check_id
             and time >= older.created_at and time < older.created_at + interval '1 ${unit}'
           group by 1
         ) as counted on true
         group by older.check_id, older.created_at, older.total
       ) as sketch
       where aggregate.check_id = sketch.check_id and aggregate.created_at = sketch.created_at`,
    )
    report.success(rowCount ?? 0)
    if ((rowCount ?? 0) < SKETCHED_AT_ONCE[unit]) return
  }
}

/** How long raw results are kept, in days; aggregates are kept a multiple of it. */
const readRetentionDays = (context: JobContext): Promise<number> =>
  readNumber(context, 'check.status.retention.days', 30)

const deleteResults = (name: string, table: string, column: string, multiple: number): Job =>
  cleanup({
    name,
    resourceType: 'check_statuses',
    schedule: everySchedule(DAY_MS),
    maxAge: async (context) => daysBefore(context.now, multiple * (await readRetentionDays(context))),
    rows: [{ table, condition: `${column} < $1` }],
  })

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
  ...TOPOLOGY_JOBS,
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
  deleteResults('DeleteOldCheckStatuses', 'check_statuses', 'time', 1),
  deleteResults('DeleteOldCheckStatuses1h', 'check_statuses_1h', 'created_at', 3),
  deleteResults('DeleteOldCheckStatuses1d', 'check_statuses_1d', 'created_at', 9),
  cleanup({
    name: 'CleanupChecks',
    resourceType: 'canary',
    schedule: everySchedule(12 * HOUR_MS),
    retention: RETENTION.balanced,
    maxAge: ['check.retention.age', '7d'],
    rows: [{ table: 'checks', condition: CHECK_IS_UNUSED, batch: CHECKS_PER_BATCH }],
  }),
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
  cleanup({
    name: 'CleanupCanaries',
    resourceType: 'canary',
    schedule: everySchedule(12 * HOUR_MS),
    retention: RETENTION.balanced,
    maxAge: ['canary.retention.age', '7d'],
    rows: [{ table: 'canaries', condition: CANARY_IS_UNUSED }],
  }),
  {
    name: 'CleanupStaleJobHistory',
    resourceType: 'job_history',
    schedule: cronSchedule('15 1 * * *'),
    deadlineMs: HOUR_MS,
    retention: RETENTION.few,
    run: async (context) => {
      const { pool, now, report } = context
      const before = await oldestKept(context, 'job.history.maxAge', '30d')
      await deleteInBatches(context, { table: 'job_history', condition: 'created_at < $1', values: [before] })
      const { rowCount } = await pool.query(
        `update job_history set status = 'STALE' where status = 'RUNNING' and time_start < $1`,
        [new Date(now - 4 * HOUR_MS)],
      )
      report.success(rowCount ?? 0)
    },
  },
  cleanup({
    name: 'Cleanup Event Queue',
    resourceType: 'event_queue',
    schedule: everySchedule(DAY_MS),
    maxAge: ['event_queue.maxAge', '30d'],
    rows: [{ table: 'event_queue', condition: 'created_at < $1' }],
  }),
  cleanup({
    name: 'Cleanup NotificationSend History',
    resourceType: 'notification_send_history',
    schedule: everySchedule(DAY_MS),
    maxAge: ['notification.history.maxAge', '30d'],
    rows: [
      {
        table: 'notification_send_history',
        condition: `created_at < $1 and coalesce(status, '') not in ('pending', 'sending')`,
      },
      // Longer than the four attempts of a message take.
      { table: 'watchroom_internal.taken_targets', condition: `taken_at < least($1, now() - interval '1 day')` },
    ],
  }),
  {
    name: 'CleanupTransitions',
    resourceType: 'notification_send_history',
    schedule: everySchedule(HOUR_MS),
    deadlineMs: HOUR_MS,
    retention: RETENTION.few,
    // What rules are tried on is a week; storms of a catalog must not fill the disk meanwhile.
    run: async (context) => {
      await deleteInBatches(context, {
        table: 'watchroom_internal.transitions',
        condition: `happened_at < greatest($1, (
          select happened_at from watchroom_internal.transitions order by happened_at desc offset ${MAX_TRANSITIONS} limit 1))`,
        values: [daysBefore(context.now, REHEARSED_DAYS)],
      })
    },
  },
  cleanup({
    name: 'CleanupPlaybookRunOutputs',
    resourceType: 'playbook_runs',
    schedule: everySchedule(DAY_MS),
    maxAge: ['playbook.output.retention.age', '30d'],
    // The runs stay, and what their results say; only what steps printed grows without end.
    rows: [
      {
        table: 'playbook_run_outputs',
        condition: 'action_id in (select id from playbook_run_actions where end_time < $1)',
      },
      {
        table: 'artifacts',
        condition: 'playbook_run_action_id in (select id from playbook_run_actions where end_time < $1)',
      },
    ],
  }),
  ...CATALOG_JOBS,
]
