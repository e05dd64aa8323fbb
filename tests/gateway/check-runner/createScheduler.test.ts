import { afterEach, describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'
import { createRandom } from '#support/random.ts'

import {
  type CheckRun,
  createScheduler,
  type ScheduledCheck,
  type Scheduler,
} from '../../../gateway/src/check-runner/createScheduler.ts'
import { cronSchedule, everySchedule } from '../../../gateway/src/check-runner/schedule.ts'

interface Start {
  id: string
  at: number
}

interface Bench {
  clock: FakeClock
  scheduler: Scheduler<string>
  starts: Start[]
  runs: CheckRun<string>[]
  /** Highest number of executions at one time, over all and per id. */
  peak: { all: number; sameCheck: number }
  startsOf: (id: string) => number[]
}

const open: Bench[] = []

/** `durationMs` says how long a check takes; `hang` ignores even its abort. */
function buildBench(
  durationMs: (id: string, run: number) => number | 'hang' | 'until aborted' = () => 10,
  options: { maxConcurrent?: number; random?: () => number } = {},
): Bench {
  const clock = new FakeClock()
  const starts: Start[] = []
  const runs: CheckRun<string>[] = []
  const peak = { all: 0, sameCheck: 0 }
  const active = new Map<string, number>()
  let all = 0
  const counts = new Map<string, number>()
  const scheduler = createScheduler<string>({
    clock,
    random: options.random ?? createRandom(1),
    maxConcurrent: options.maxConcurrent ?? 50,
    record: (run) => runs.push(run),
    execute: (id, signal) =>
      new Promise((resolve, reject) => {
        starts.push({ id, at: clock.now() })
        const count = (counts.get(id) ?? 0) + 1
        counts.set(id, count)
        const same = (active.get(id) ?? 0) + 1
        active.set(id, same)
        all++
        peak.all = Math.max(peak.all, all)
        peak.sameCheck = Math.max(peak.sameCheck, same)
        const takes = durationMs(id, count)
        if (takes === 'hang') return
        const leave = (): void => {
          all--
          active.set(id, (active.get(id) ?? 1) - 1)
        }
        signal.addEventListener('abort', () => {
          leave()
          reject(signal.reason as Error)
        })
        if (takes === 'until aborted') return
        clock.schedule(() => {
          if (signal.aborted) return
          leave()
          resolve(`${id} ok`)
        }, takes)
      }),
  })
  const bench = {
    clock,
    scheduler,
    starts,
    runs,
    peak,
    startsOf: (id: string) => starts.filter((start) => start.id === id).map((start) => start.at),
  }
  open.push(bench)
  return bench
}

afterEach(async () => {
  for (const bench of open.splice(0)) {
    const closed = bench.scheduler.close()
    await bench.clock.advance(2_000)
    await closed
  }
})

function buildCheck(id: string, overrides: Partial<ScheduledCheck> = {}): ScheduledCheck {
  return {
    id,
    lane: 'http',
    schedule: everySchedule(30_000),
    deadlineMs: 5_000,
    lastRuntime: null,
    nextRuntime: null,
    ...overrides,
  }
}

const buildChecks = (count: number, overrides: Partial<ScheduledCheck> = {}, prefix = 'check'): ScheduledCheck[] =>
  Array.from({ length: count }, (_, index) => buildCheck(`${prefix}-${index}`, overrides))

describe('the rhythm', () => {
  it('runs a new check within its spread and then once per period', async () => {
    const { clock, scheduler, startsOf } = buildBench()
    const begin = clock.now()
    scheduler.set([buildCheck('a')])
    await clock.advance(300_000)
    const starts = startsOf('a')
    expect((starts[0] ?? 0) - begin).toBeLessThanOrEqual(20)
    const gaps = starts.slice(2).map((at, index) => at - (starts[index + 1] ?? 0))
    expect(gaps.every((gap) => gap === 30_000)).toBe(true)
    expect(starts.length).toBeGreaterThanOrEqual(10)
    expect((starts[1] ?? 0) - (starts[0] ?? 0)).toBeGreaterThanOrEqual(15_000)
  })

  it('spreads first runs by 20 ms per check, but not beyond the period', async () => {
    const { clock, scheduler, starts } = buildBench(() => 1, { maxConcurrent: 10_000 })
    const begin = clock.now()
    scheduler.set(buildChecks(500))
    await clock.advance(10_000)
    // 500 × 20 ms = 10 s; evenly spread, each second gets about 50
    const perSecond = Array.from(
      { length: 10 },
      (_, second) => starts.filter(({ at }) => Math.floor((at - begin) / 1_000) === second).length,
    )
    expect(starts).toHaveLength(500)
    expect(Math.max(...perSecond)).toBeLessThan(80)
    expect(Math.min(...perSecond)).toBeGreaterThan(25)
  })

  it('spreads later runs over the whole period', async () => {
    const { clock, scheduler, starts } = buildBench(() => 1)
    scheduler.set(buildChecks(300))
    await clock.advance(60_000)
    const begin = clock.now()
    starts.length = 0
    await clock.advance(30_000)
    const perThreeSeconds = Array.from(
      { length: 10 },
      (_, slot) => starts.filter(({ at }) => Math.floor((at - begin) / 3_000) === slot).length,
    )
    expect(starts).toHaveLength(300)
    expect(Math.max(...perThreeSeconds)).toBeLessThan(55)
  })

  it('follows a cron schedule to the minute', async () => {
    const { clock, scheduler, startsOf } = buildBench(() => 1, { random: () => 0 })
    const begin = clock.now()
    scheduler.set([buildCheck('a', { schedule: cronSchedule('*/5 * * * *'), lastRuntime: begin - 1_000 })])
    await clock.advance(15 * 60_000)
    expect(startsOf('a').map((at) => at - begin)).toEqual([300_000, 600_000, 900_000])
  })

  it('tells the next planned run with every result', async () => {
    const { clock, scheduler, runs, startsOf } = buildBench()
    scheduler.set([buildCheck('a')])
    await clock.advance(70_000)
    const starts = startsOf('a')
    expect(runs[0]?.nextDueAt).toBe(starts[1])
    expect(runs[1]?.nextDueAt).toBe(starts[2])
  })

  it('follows an edited schedule at once', async () => {
    const { clock, scheduler, startsOf } = buildBench()
    scheduler.set([buildCheck('a', { schedule: everySchedule(3_600_000) })])
    await clock.advance(60_000)
    expect(startsOf('a')).toHaveLength(1)
    scheduler.set([buildCheck('a', { schedule: everySchedule(10_000) })])
    await clock.advance(30_000)
    expect(startsOf('a')).toHaveLength(4)
  })
})

describe('after a restart', () => {
  it('waits for the planned run', async () => {
    const { clock, scheduler, startsOf } = buildBench()
    const now = clock.now()
    scheduler.set([buildCheck('a', { lastRuntime: now - 18_000, nextRuntime: now + 12_345 })])
    await clock.advance(60_000)
    expect(startsOf('a').map((at) => at - now)).toEqual([12_345, 42_345])
  })

  it('runs overdue checks once each, spread, and returns to their rhythm', async () => {
    const { clock, scheduler, starts, startsOf } = buildBench(() => 1)
    const now = clock.now()
    // Down for an hour: 120 occurrences of each of the 100 checks were missed.
    scheduler.set(buildChecks(100, { lastRuntime: now - 3_630_000, nextRuntime: now - 3_600_000 + 7_000 }))
    await clock.advance(2_000)
    expect(starts).toHaveLength(100)
    const firstSecond = starts.filter(({ at }) => at - now < 1_000).length
    expect(firstSecond).toBeGreaterThan(30)
    expect(firstSecond).toBeLessThan(70)
    await clock.advance(58_000)
    // 7 s after the half minute is the old rhythm; the first one, 5 s after the catch-up, is left out.
    expect(
      startsOf('check-0')
        .slice(1)
        .map((at) => at - now),
    ).toEqual([37_000])
  })

  it('does not wait for a planned run that lies further ahead than the schedule allows', async () => {
    const { clock, scheduler, startsOf } = buildBench()
    const now = clock.now()
    scheduler.set([buildCheck('a', { lastRuntime: now - 1_000, nextRuntime: now + 86_400_000 })])
    await clock.advance(1_000)
    expect(startsOf('a')).toHaveLength(1)
  })
})

describe('the slots', () => {
  it('never runs more checks at once than there are slots', async () => {
    const { clock, scheduler, peak, starts } = buildBench(() => 400, { maxConcurrent: 7 })
    scheduler.set([...buildChecks(200, {}, 'a'), ...buildChecks(200, { lane: 'exec' }, 'b')])
    await clock.advance(60_000)
    expect(peak.all).toBe(7)
    expect(starts.length).toBeGreaterThan(400)
  })

  it('never overlaps a check with itself, even when it takes longer than its period', async () => {
    const { clock, scheduler, peak, startsOf } = buildBench(() => 2_500)
    scheduler.set([buildCheck('a', { schedule: everySchedule(1_000) })])
    await clock.advance(30_000)
    expect(peak.sameCheck).toBe(1)
    // Runs of 2.5 s on a grid of 1 s: one run every 3 s.
    expect(startsOf('a').length).toBeGreaterThanOrEqual(9)
    expect(startsOf('a').length).toBeLessThanOrEqual(11)
    expect(scheduler.metrics().skipped).toBeGreaterThan(15)
  })

  it('runs a late check once, not once per missed occurrence', async () => {
    const { clock, scheduler, startsOf } = buildBench((id) => (id === 'long' ? 4_900 : 1), { maxConcurrent: 1 })
    scheduler.set([buildCheck('long', { schedule: everySchedule(3_600_000) })])
    await clock.advance(100)
    scheduler.set([buildCheck('late', { schedule: everySchedule(1_000) })])
    await clock.advance(4_700)
    expect(startsOf('late')).toHaveLength(0)
    expect(scheduler.metrics()).toMatchObject({ due: 1, late: 1 })
    await clock.advance(400)
    expect(startsOf('late')).toHaveLength(1)
  })

  it('leaves slots to other types while one type hangs', async () => {
    const { clock, scheduler, startsOf, runs } = buildBench((id) => (id.startsWith('hung') ? 'until aborted' : 5), {
      maxConcurrent: 50,
    })
    scheduler.set(buildChecks(500, { lane: 'exec', deadlineMs: 29_000 }, 'hung'))
    await clock.advance(20_000)
    expect(scheduler.metrics().running).toBe(40)
    scheduler.set([buildCheck('quick', { lane: 'tcp', schedule: everySchedule(1_000) })])
    await clock.advance(10_000)
    expect(startsOf('quick').length).toBeGreaterThanOrEqual(9)
    expect(runs.filter((run) => run.id === 'quick').every((run) => run.ending.kind === 'finished')).toBe(true)
  })

  it('lets no busy type take the share of another one', async () => {
    const { clock, scheduler, starts } = buildBench(() => 100, { maxConcurrent: 10 })
    const schedule = everySchedule(1_000)
    scheduler.set([...buildChecks(300, { schedule }, 'many'), ...buildChecks(20, { schedule, lane: 'dns' }, 'few')])
    await clock.advance(3_000)
    starts.length = 0
    await clock.advance(10_000)
    // 20 checks per second × 0.1 s need 2 of the 10 slots: they keep their rhythm while the other type is short of slots.
    const few = starts.filter(({ id }) => id.startsWith('few')).length
    expect(few).toBeGreaterThanOrEqual(190)
    expect(starts.length).toBeGreaterThan(800)
  })

  it('delays quick checks at most once by hung ones of the same type', async () => {
    const { clock, scheduler, starts, startsOf } = buildBench((id) => (id.startsWith('hung') ? 'until aborted' : 5), {
      maxConcurrent: 20,
    })
    const schedule = everySchedule(10_000)
    scheduler.set(buildChecks(60, { schedule, deadlineMs: 9_000 }, 'hung'))
    await clock.advance(60_000)
    scheduler.set([buildCheck('quick', { schedule })])
    await clock.advance(1_000)
    starts.length = 0
    await clock.advance(100_000)
    const quick = startsOf('quick')
    expect(quick).toHaveLength(10)
    expect(quick.slice(1).every((at, index) => at - (quick[index] ?? 0) === 10_000)).toBe(true)
  })
})

describe('an edited check', () => {
  it('runs soon, and then in its rhythm again', async () => {
    const { clock, scheduler, startsOf } = buildBench()
    const now = clock.now()
    scheduler.set([buildCheck('a', { lastRuntime: now - 1_000, nextRuntime: now + 29_000 })])
    await clock.advance(5_000)
    scheduler.runSoon(['a', 'nobody'])
    await clock.advance(60_000)
    const [soon, ...planned] = startsOf('a').map((at) => at - now)
    expect(soon).toBeGreaterThanOrEqual(5_000)
    expect(soon).toBeLessThanOrEqual(5_020)
    expect(planned).toEqual([29_000, 59_000])
  })

  it('runs again when it was edited during its run', async () => {
    const { clock, scheduler, startsOf } = buildBench(() => 1_000)
    scheduler.set([buildCheck('a', { schedule: everySchedule(3_600_000) })])
    await clock.advance(100)
    scheduler.runSoon(['a'])
    await clock.advance(5_000)
    expect(startsOf('a')).toHaveLength(2)
  })
})

describe('deadlines', () => {
  it('aborts a run at its deadline and records that it timed out', async () => {
    const { clock, scheduler, runs } = buildBench(() => 'until aborted')
    scheduler.set([buildCheck('a')])
    await clock.advance(6_000)
    expect(runs).toHaveLength(1)
    expect(runs[0]).toMatchObject({ ending: { kind: 'timed-out' }, durationMs: 5_000 })
  })

  it('frees the slot of a run that ignores its abort, and reports the check at each later occurrence', async () => {
    // First run after 10 ms; phase 0.5 of 30 s: due again at 45 s (15 s would be within half a period), 75 s and 105 s.
    const { clock, scheduler, runs, startsOf } = buildBench((id) => (id === 'deaf' ? 'hang' : 1), {
      maxConcurrent: 1,
      random: () => 0.5,
    })
    scheduler.set([buildCheck('deaf')])
    await clock.advance(100)
    scheduler.set([buildCheck('other', { schedule: everySchedule(1_000) })])
    await clock.advance(120_000)
    expect(startsOf('deaf')).toHaveLength(1)
    expect(startsOf('other').length).toBeGreaterThan(100)
    expect(runs.filter((run) => run.id === 'deaf').map((run) => run.ending.kind)).toEqual([
      'timed-out',
      'still-running',
      'still-running',
      'still-running',
    ])
    expect(scheduler.metrics().stuck).toBe(1)
  })

  it('records a runner that throws', async () => {
    const clock = new FakeClock()
    const runs: CheckRun<string>[] = []
    const scheduler = createScheduler<string>({
      clock,
      random: () => 0,
      execute: () => Promise.reject(new Error('bug')),
      record: (run) => runs.push(run),
    })
    scheduler.set([buildCheck('a')])
    await clock.advance(100)
    expect(runs[0]?.ending).toMatchObject({ kind: 'failed', error: new Error('bug') })
    await scheduler.close()
  })
})

describe('runs by hand', () => {
  it('go ahead of everything that waits', async () => {
    const { clock, scheduler, starts } = buildBench(() => 1_000, { maxConcurrent: 2 })
    scheduler.set(buildChecks(100))
    await clock.advance(5_000)
    const run = scheduler.runNow('check-99')
    starts.length = 0
    await clock.advance(2_000)
    expect(starts[0]?.id).toBe('check-99')
    expect((await run)?.ending).toEqual({ kind: 'finished', outcome: 'check-99 ok' })
  })

  it('join a run under way', async () => {
    const { clock, scheduler, startsOf } = buildBench(() => 1_000)
    scheduler.set([buildCheck('a')])
    await clock.advance(100)
    const both = Promise.all([scheduler.runNow('a'), scheduler.runNow('a')])
    await clock.advance(1_000)
    expect((await both).map((run) => run?.ending.kind)).toEqual(['finished', 'finished'])
    expect(startsOf('a')).toHaveLength(1)
  })

  it('do not move the planned runs', async () => {
    const { clock, scheduler, startsOf } = buildBench()
    const now = clock.now()
    scheduler.set([buildCheck('a', { lastRuntime: now - 20_000, nextRuntime: now + 10_000 })])
    await clock.advance(5_000)
    void scheduler.runNow('a')
    await clock.advance(40_000)
    expect(startsOf('a').map((at) => at - now)).toEqual([5_000, 10_000, 40_000])
  })

  it('answer null for an unknown check, and for one that is removed meanwhile', async () => {
    const { clock, scheduler, runs } = buildBench(() => 1_000)
    expect(await scheduler.runNow('nobody')).toBeNull()
    scheduler.set([buildCheck('a')])
    await clock.advance(100)
    const run = scheduler.runNow('a')
    scheduler.remove('a')
    expect(await run).toBeNull()
    await clock.advance(60_000)
    expect(runs).toHaveLength(0)
  })

  it('work while the scheduler is paused', async () => {
    const { clock, scheduler, startsOf } = buildBench()
    scheduler.pause()
    scheduler.set([buildCheck('a')])
    await clock.advance(60_000)
    expect(startsOf('a')).toHaveLength(0)
    const run = scheduler.runNow('a')
    await clock.advance(10)
    expect((await run)?.ending.kind).toBe('finished')
  })
})

describe('pause and resume', () => {
  it('runs each check that became due once, spread', async () => {
    const { clock, scheduler, starts } = buildBench(() => 1)
    scheduler.set(buildChecks(100, { schedule: everySchedule(10_000) }))
    await clock.advance(30_000)
    scheduler.pause()
    await clock.advance(60_000)
    starts.length = 0
    const resumedAt = clock.now()
    scheduler.resume()
    await clock.advance(2_000)
    const early = starts.filter(({ at }) => at - resumedAt <= 2_000)
    expect(new Set(early.map(({ id }) => id)).size).toBe(100)
    expect(early.length).toBe(100)
    expect(starts.filter(({ at }) => at - resumedAt < 200).length).toBeLessThan(30)
  })
})

describe('a step of the wall clock', () => {
  it('keeps the rhythm of intervals when the clock jumps ahead an hour', async () => {
    const { clock, scheduler, starts } = buildBench(() => 1)
    scheduler.set(buildChecks(100))
    await clock.advance(60_000)
    starts.length = 0
    clock.step(3_600_000)
    await clock.advance(30_000)
    expect(starts.length).toBeGreaterThanOrEqual(97)
    expect(starts.length).toBeLessThanOrEqual(103)
    expect(scheduler.metrics().clockSteps).toBe(1)
  })

  it('does not wait an hour when the clock jumps back an hour', async () => {
    const { clock, scheduler, starts } = buildBench(() => 1)
    scheduler.set(buildChecks(100))
    await clock.advance(60_000)
    starts.length = 0
    clock.step(-3_600_000)
    await clock.advance(30_000)
    expect(starts.length).toBeGreaterThanOrEqual(97)
    expect(starts.length).toBeLessThanOrEqual(103)
  })
})

describe('closing', () => {
  it('aborts what runs, records nothing more and leaves no timer', async () => {
    const { clock, scheduler, runs } = buildBench(() => 'until aborted')
    scheduler.set(buildChecks(10))
    await clock.advance(1_000)
    expect(scheduler.metrics().running).toBe(10)
    await scheduler.close()
    expect(runs).toHaveLength(0)
    expect(clock.pending).toBe(0)
    expect(await scheduler.runNow('check-1')).toBeNull()
  })
})
