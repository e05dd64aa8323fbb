import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'

import { everySchedule } from '../../../../gateway/src/check-runner/schedule.ts'
import { createJobRunner, type JobRunner } from '../../../../gateway/src/embedded-backend/jobs/createJobRunner.ts'
import { type Job, RETENTION } from '../../../../gateway/src/embedded-backend/jobs/job.ts'
import { JOBS } from '../../../../gateway/src/embedded-backend/jobs/jobs.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

let database: TestDatabase
let now: number

beforeEach(async () => {
  database = await startTestDatabase()
  now = Date.parse('2026-03-10T12:30:00Z')
})
afterEach(() => database.stop())

function build(jobs: readonly Job[] = JOBS, localProperties: Readonly<Record<string, string>> = {}): JobRunner {
  return createJobRunner({
    localProperties,
    pool: database.pool,
    clock: { ...systemClock, now: () => now },
    logger: pino({ level: 'silent' }),
    random: Math.random,
    hostname: 'host-1',
    jobs,
  })
}

async function select<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await database.pool.query(text, values)).rows as Row[]
}

async function insertCheck(name: string, more: { deletedAt?: string; canaryDeletedAt?: string } = {}): Promise<string> {
  const [row] = await select<{ id: string }>(
    `with canary as (
       insert into canaries (name, namespace, spec, deleted_at) values ($1, 'test', '{}', $3) returning id)
     insert into checks (canary_id, type, name, deleted_at) select id, 'http', $1, $2 from canary returning id`,
    [name, more.deletedAt ?? null, more.canaryDeletedAt ?? null],
  )
  return row?.id ?? ''
}

const addStatus = (checkId: string, time: string, status: boolean, duration: number): Promise<unknown> =>
  select('insert into check_statuses (check_id, time, status, duration) values ($1, $2, $3, $4)', [
    checkId,
    time,
    status,
    duration,
  ])

describe('aggregates', () => {
  it('sum whole hours and days, and correct what was written before', async () => {
    const id = await insertCheck('a')
    await addStatus(id, '2026-03-10T09:05:00Z', true, 10)
    await addStatus(id, '2026-03-10T09:59:59Z', false, 30)
    await addStatus(id, '2026-03-10T10:00:00Z', true, 5)
    // Beyond the three hours, and the whole hours that they touch
    await addStatus(id, '2026-03-10T08:59:00Z', true, 99)
    await select(
      `insert into check_statuses_1h (check_id, created_at, duration, total, passed, failed)
       values ($1, '2026-03-10T09:00:00Z', 10, 1, 1, 0)`,
      [id],
    )
    await build().runNow('AggregateCheckStatuses1h')
    expect(
      await select(`select created_at, duration, total, passed, failed from check_statuses_1h order by created_at`),
    ).toEqual([
      { created_at: new Date('2026-03-10T09:00:00Z'), duration: 40, total: 2, passed: 1, failed: 1 },
      { created_at: new Date('2026-03-10T10:00:00Z'), duration: 5, total: 1, passed: 1, failed: 0 },
    ])
    await build().runNow('AggregateCheckStatuses1d')
    // 10 + 30 + 5 + 99 = 144
    expect(await select(`select created_at, duration, total, passed, failed from check_statuses_1d`)).toEqual([
      { created_at: new Date('2026-03-10T00:00:00Z'), duration: 144, total: 4, passed: 3, failed: 1 },
    ])
  })
})

describe('retention', () => {
  it('deletes results older than 30 days, and their aggregates after three and nine times as long', async () => {
    const id = await insertCheck('a')
    await addStatus(id, '2026-02-08T12:29:00Z', true, 1)
    await addStatus(id, '2026-02-08T12:31:00Z', true, 2)
    const addAggregate = (table: string, time: string): Promise<unknown> =>
      select(
        `insert into ${table} (check_id, created_at, duration, total, passed, failed) values ($1, $2, 1, 1, 1, 0)`,
        [id, time],
      )
    for (const time of ['2025-12-10T12:00:00Z', '2025-12-10T13:00:00Z']) await addAggregate('check_statuses_1h', time)
    for (const time of ['2025-06-13T00:00:00Z', '2025-06-14T00:00:00Z']) await addAggregate('check_statuses_1d', time)
    const runner = build()
    for (const name of ['DeleteOldCheckStatuses', 'DeleteOldCheckStatuses1h', 'DeleteOldCheckStatuses1d']) {
      await runner.runNow(name)
    }
    expect(await select('select duration from check_statuses')).toEqual([{ duration: 2 }])
    expect(await select('select created_at from check_statuses_1h')).toEqual([
      { created_at: new Date('2025-12-10T13:00:00Z') },
    ])
    expect(await select('select created_at from check_statuses_1d')).toEqual([
      { created_at: new Date('2025-06-14T00:00:00Z') },
    ])
  })

  it('follows the property, and warns when it is nonsense', async () => {
    const id = await insertCheck('a')
    await addStatus(id, '2026-03-08T12:00:00Z', true, 1)
    const setDays = (value: string): Promise<unknown> =>
      select(
        `insert into properties (name, value) values ('check.status.retention.days', $1)
         on conflict (name) do update set value = excluded.value`,
        [value],
      )
    await setDays('soon')
    await build().runNow('DeleteOldCheckStatuses')
    expect(await select('select 1 from check_statuses')).toHaveLength(1)
    const [row] = await select<{ status: string; details: { errors: string[] } }>(
      'select status, details from job_history',
    )
    expect(row?.status).toBe('FAILED')
    expect(row?.details.errors[0]).toContain('check.status.retention.days')
    await setDays('1')
    // What the configuration fixes wins.
    await build(JOBS, { 'check.status.retention.days': '20' }).runNow('DeleteOldCheckStatuses')
    expect(await select('select 1 from check_statuses')).toHaveLength(1)
    await build().runNow('DeleteOldCheckStatuses')
    expect(await select('select 1 from check_statuses')).toHaveLength(0)
  })

  it('deletes more than one batch', async () => {
    const id = await insertCheck('a')
    await select(
      `insert into check_statuses (check_id, time, status, duration)
       select $1, '2025-01-01'::timestamptz + make_interval(secs => n), true, 1 from generate_series(1, 12000) n`,
      [id],
    )
    await build().runNow('DeleteOldCheckStatuses')
    expect(await select('select 1 from check_statuses')).toHaveLength(0)
    expect(await select(`select success_count from job_history where name = 'DeleteOldCheckStatuses'`)).toEqual([
      { success_count: 12_000 },
    ])
  })

  it('hard deletes checks a week after they were deleted, unless something points at them', async () => {
    const old = '2026-03-03T12:00:00Z'
    await insertCheck('live')
    await insertCheck('recent', { deletedAt: '2026-03-04T12:00:00Z' })
    await insertCheck('old', { deletedAt: old })
    const silenced = await insertCheck('old but named', { deletedAt: old })
    await select(
      `insert into notification_silences (check_id, "from", until, namespace) values ($1, now(), now(), '')`,
      [silenced],
    )
    await build().runNow('CleanupChecks')
    expect(await select('select name from checks order by name')).toEqual(
      ['live', 'old but named', 'recent'].map((name) => ({ name })),
    )
  })

  it('deletes canaries after their checks', async () => {
    const deleted = { deletedAt: '2026-03-01T00:00:00Z', canaryDeletedAt: '2026-03-01T00:00:00Z' }
    await insertCheck('live')
    await insertCheck('old', deleted)
    await insertCheck('orphan', { canaryDeletedAt: '2026-03-09T00:00:00Z' })
    const runner = build()
    await runner.runNow('CleanupCanaries')
    expect(await select('select 1 from canaries')).toHaveLength(3)
    await runner.runNow('CleanupChecks')
    await runner.runNow('CleanupCanaries')
    expect(await select('select name from canaries order by name')).toEqual([{ name: 'live' }, { name: 'orphan' }])
    await runner.runNow('SoftDeleteChecksOfDeletedCanaries')
    expect(await select(`select deleted_at from checks where name = 'orphan'`)).toEqual([
      { deleted_at: new Date('2026-03-09T00:00:00Z') },
    ])
  })

  it('clears the event queue and the log of jobs, and marks runs that never ended', async () => {
    await select(`insert into event_queue (name, properties, created_at) values
      ('old', '{}', '2026-02-01'), ('new', '{}', '2026-03-09')`)
    await select(`insert into job_history (name, status, created_at, time_start) values
      ('ancient', 'SUCCESS', '2026-01-01', '2026-01-01'),
      ('hung', 'RUNNING', '2026-03-10T08:00:00Z', '2026-03-10T08:00:00Z'),
      ('busy', 'RUNNING', '2026-03-10T12:00:00Z', '2026-03-10T12:00:00Z')`)
    const runner = build()
    await runner.runNow('Cleanup Event Queue')
    await runner.runNow('CleanupStaleJobHistory')
    expect(await select('select name from event_queue')).toEqual([{ name: 'new' }])
    expect(
      await select(`select name, status from job_history where name in ('ancient', 'hung', 'busy') order by name`),
    ).toEqual([
      { name: 'busy', status: 'RUNNING' },
      { name: 'hung', status: 'STALE' },
    ])
  })
})

describe('what steps of playbooks printed', () => {
  it('goes a month after they ended, and never while they run; the runs stay', async () => {
    await select(`
      with playbook as (insert into playbooks (name, spec) values ('p', '{}') returning id),
        run as (insert into playbook_runs (playbook_id, status) select id, 'completed' from playbook returning id),
        step as (
          insert into playbook_run_actions (playbook_run_id, name, status, start_time, end_time)
          select id, name, 'completed', '2026-01-01', ended::timestamptz from run, (values
            ('old', '2026-02-07'), ('recent', '2026-02-09'), ('running', null)) as made(name, ended) returning id)
      insert into playbook_run_outputs (action_id, seq, stream, text, place)
      select id, seq, 'stdout', 'x', seq - 1 from step, generate_series(1, 3) as seq`)
    await build().runNow('CleanupPlaybookRunOutputs')
    expect(
      await select(`select name, count(playbook_run_outputs)::integer as pieces from playbook_run_actions
        left join playbook_run_outputs on action_id = playbook_run_actions.id group by name order by name`),
    ).toEqual([
      { name: 'old', pieces: 0 },
      { name: 'recent', pieces: 3 },
      { name: 'running', pieces: 3 },
    ])
  })
})

describe('job history', () => {
  const buildJob = (run: Job['run'], retention: Job['retention'] = RETENTION.balanced): Job => ({
    name: 'Sweep',
    resourceType: 'canary',
    schedule: everySchedule(60_000),
    deadlineMs: 1_000,
    retention,
    run,
  })

  it('says RUNNING while a job runs, and then how it ended', async () => {
    let release = (): void => undefined
    const runner = build([
      buildJob(({ report }) => {
        report.success(2)
        report.failure('one of three failed')
        return new Promise((resolve) => {
          release = resolve
        })
      }),
    ])
    const run = runner.runNow('Sweep')
    await expect
      .poll(() => select('select status, time_end from job_history'))
      .toEqual([{ status: 'RUNNING', time_end: null }])
    release()
    await run
    expect(
      await select(
        `select name, resource_type, resource_id, hostname, status, success_count, error_count, details,
           duration_millis >= 0 as lasted, time_end >= time_start as ended from job_history`,
      ),
    ).toEqual([
      {
        name: 'Sweep',
        resource_type: 'canary',
        resource_id: 'host-1',
        hostname: 'host-1',
        status: 'WARNING',
        success_count: 2,
        error_count: 1,
        details: { errors: ['one of three failed'] },
        lasted: true,
        ended: true,
      },
    ])
  })

  it('writes the reason of a failure', async () => {
    await build([
      buildJob(() => {
        throw new Error('no broom')
      }),
    ]).runNow('Sweep')
    expect(await select('select status, details from job_history')).toEqual([
      { status: 'FAILED', details: { errors: ['no broom'] } },
    ])
  })

  it('keeps the newest rows of each outcome', async () => {
    let runs = 0
    const runner = build([
      buildJob(
        ({ report }) => {
          runs++
          if (runs % 2 === 0) report.failure(`failure ${runs}`)
          return Promise.resolve()
        },
        { successes: 2, failures: 3 },
      ),
    ])
    for (let run = 0; run < 12; run++) await runner.runNow('Sweep')
    expect(
      await select('select status, count(*)::int as count from job_history group by status order by status'),
    ).toEqual([
      { status: 'FAILED', count: 3 },
      { status: 'SUCCESS', count: 2 },
    ])
    const details = await select<{ details: { errors: string[] } }>(
      `select details from job_history where status = 'FAILED'`,
    )
    expect(details.map((row) => row.details.errors[0]).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      'failure 10',
      'failure 12',
      'failure 8',
    ])
  })

  it('has no rows of a job that keeps failures only, until it fails', async () => {
    let fails = false
    const runner = build([
      buildJob(({ report }) => {
        if (fails) report.failure('now')
        return Promise.resolve()
      }, RETENTION.failed),
    ])
    await runner.runNow('Sweep')
    expect(await select('select 1 from job_history')).toHaveLength(0)
    fails = true
    await runner.runNow('Sweep')
    expect(await select('select status from job_history')).toEqual([{ status: 'FAILED' }])
  })
})
