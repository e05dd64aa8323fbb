import { pino } from 'pino'
import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { everySchedule } from '../../../../gateway/src/check-runner/schedule.ts'
import { createJobRunner, type JobRunnerDeps } from '../../../../gateway/src/embedded-backend/jobs/createJobRunner.ts'
import { type Job, type JobContext, RETENTION } from '../../../../gateway/src/embedded-backend/jobs/job.ts'
import { toStatus } from '../../../../gateway/src/embedded-backend/jobs/jobHistory.ts'

const HOUR = 3_600_000

/** A database that remembers only when jobs ran last; what is written is read back in the integration test. */
function build(run: Job['run'], lastRuns: Record<string, number> = {}) {
  const clock = new FakeClock()
  const pool = {
    query: async (text: string) => ({
      rows: text.includes('max(time_start)')
        ? Object.entries(lastRuns).map(([name, last]) => ({ name, last: new Date(last) }))
        : [],
    }),
  } as unknown as JobRunnerDeps['pool']
  const job: Job = {
    name: 'Sweep',
    resourceType: 'dust',
    schedule: everySchedule(HOUR),
    deadlineMs: 10_000,
    retention: RETENTION.balanced,
    run,
  }
  const logs: string[] = []
  const runner = createJobRunner({
    pool,
    clock,
    logger: pino({ level: 'error' }, { write: (line: string) => logs.push(line) }),
    random: () => 0.5,
    hostname: 'host-1',
    jobs: [job],
  })
  return { clock, runner, logs }
}

/** Work that lasts until it is told to stop, or for a while. */
const lasting =
  (clock: () => FakeClock, durationMs: number, seen: JobContext[]): Job['run'] =>
  (context) => {
    seen.push(context)
    return new Promise((resolve, reject) => {
      clock().schedule(resolve, durationMs)
      context.signal.addEventListener('abort', () => reject(context.signal.reason as Error))
    })
  }

describe('createJobRunner', () => {
  it('runs a job that has never run within a minute, and then by its schedule', async () => {
    const startedAts: number[] = []
    const { clock, runner } = build(async ({ now }) => {
      startedAts.push(now)
    })
    const begin = clock.now()
    await runner.start()
    await clock.advance(3 * HOUR)
    // Half of the catch-up minute; then the half of each hour
    expect(startedAts.map((at) => at - begin)).toEqual([30_000, 0.5 * HOUR, 1.5 * HOUR, 2.5 * HOUR])
    await runner.close()
    expect(clock.pending).toBe(0)
  })

  it('leaves a job that ran not long ago to its next time', async () => {
    const startedAts: number[] = []
    const clockNow = new FakeClock().now()
    const { clock, runner } = build(
      async ({ now }) => {
        startedAts.push(now)
      },
      { Sweep: clockNow - 1_000 },
    )
    await runner.start()
    await clock.advance(HOUR)
    expect(startedAts.map((at) => at - clockNow)).toEqual([0.5 * HOUR])
    await runner.close()
  })

  it('never overlaps a job with itself', async () => {
    const seen: JobContext[] = []
    const built = build(lasting(() => built.clock, 5_000, seen))
    const { clock, runner } = built
    const both = Promise.all([runner.runNow('Sweep'), runner.runNow('Sweep')])
    await clock.advance(6_000)
    await both
    expect(seen).toHaveLength(1)
    await runner.close()
  })

  it('aborts a job at its deadline', async () => {
    const seen: JobContext[] = []
    const built = build(lasting(() => built.clock, HOUR, seen))
    const { clock, runner } = built
    const run = runner.runNow('Sweep')
    await clock.advance(10_000)
    await run
    expect(seen[0]?.signal.reason).toEqual(new Error('did not end within 10 s'))
    await runner.close()
  })

  it('reports a job that goes on after its deadline, and runs it again when it has ended', async () => {
    const ends: (() => void)[] = []
    const { clock, runner, logs } = build(() => new Promise((resolve) => ends.push(resolve)))
    await runner.start()
    await clock.advance(30_000)
    expect(ends).toHaveLength(1)
    await clock.advance(69_999)
    expect(logs).toEqual([])
    await clock.advance(1)
    expect(logs).toEqual([expect.stringContaining('"job":"Sweep"')])
    await clock.advance(2 * HOUR)
    expect(ends).toHaveLength(1)
    expect(logs).toHaveLength(1)
    ends[0]?.()
    await clock.advance(HOUR)
    expect(ends).toHaveLength(2)
    ends[1]?.()
    await runner.close()
  })

  it('aborts what runs when it is closed', async () => {
    const seen: JobContext[] = []
    const built = build(lasting(() => built.clock, HOUR, seen))
    const { clock, runner } = built
    const run = runner.runNow('Sweep')
    await clock.advance(1)
    await runner.close()
    await run
    expect(seen[0]?.signal.aborted).toBe(true)
  })

  it('does not know every name', async () => {
    const { runner } = build(async () => {})
    await expect(runner.runNow('Nothing')).rejects.toThrow('there is no job Nothing')
  })
})

describe('toStatus', () => {
  it.each([
    [0, [], 'SUCCESS'],
    [5, [], 'SUCCESS'],
    [5, ['one'], 'WARNING'],
    [0, ['one'], 'FAILED'],
  ])('with %d successes and the errors %j is the third', (successes, errors, expected) => {
    expect(toStatus({ successes, errors })).toBe(expected)
  })
})
