import { afterEach, describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import {
  createSelfProbes,
  findDiskFault,
  findGrowth,
  type SelfProbeDeps,
  type SelfProbeRegistry,
} from '../../../../gateway/src/embedded-backend/checks/selfProbes.ts'

const GIB = 2 ** 30
const { signal } = new AbortController()

let registry: SelfProbeRegistry | undefined

function build(overrides: Partial<SelfProbeDeps> = {}) {
  registry = createSelfProbes({
    clock: new FakeClock(),
    dataDirectory: '/nonexistent',
    pool: { query: () => Promise.reject(new Error('no database in this test')) },
    scheduler: () => ({ late: 0, oldestWaitMs: 0 }),
    postgrestSocketPath: () => '/nonexistent/socket',
    version: '1.2.3',
    ...overrides,
  })
  return registry.probes
}

afterEach(() => {
  registry?.close()
  registry = undefined
})

describe('programs', () => {
  it('passes where programs are not run, and says why', async () => {
    const confinement = { kind: 'off', reason: 'the operator says so (WATCHROOM_EXEC=off)' } as const
    expect(await build({ confinement }).programs(signal)).toMatchObject({
      passed: true,
      message: 'programs run on agents only, not here: the operator says so (WATCHROOM_EXEC=off)',
    })
  })

  it('says that they are run', async () => {
    expect(await build({ confinement: { kind: 'namespaces' } }).programs(signal)).toMatchObject({
      passed: true,
      message: 'programs run here',
    })
  })
})

describe('clock-step', () => {
  it.each([
    [0, true, undefined],
    [2_000, true, undefined],
    [2_001, false, 'the wall clock jumped 2s ahead'],
    [-60_000, false, 'the wall clock jumped 1m back'],
  ])('judges a step of %d ms', async (stepMs, passed, error) => {
    const clock = new FakeClock()
    const probes = build({ clock })
    await clock.advance(30_000)
    clock.step(stepMs)
    expect(await probes['clock-step'](signal)).toMatchObject({ passed, details: { stepMs } })
    expect((await probes['clock-step'](signal)).passed, 'reports a step once').toBe(true)
    clock.step(stepMs)
    expect((await probes['clock-step'](signal)).error).toBe(error)
  })
})

describe('scheduler-tick', () => {
  it.each([
    [{ late: 0, oldestWaitMs: 0 }, true],
    [{ late: 3, oldestWaitMs: 10_000 }, true],
    [{ late: 3, oldestWaitMs: 10_001 }, false],
  ])('judges %j', async (state, passed) => {
    expect((await build({ scheduler: () => state })['scheduler-tick'](signal)).passed).toBe(passed)
  })
})

describe('findDiskFault', () => {
  it.each([
    [100 * GIB, 0.5, []],
    [GIB, 0.1, []],
    [100 * GIB, 0.099, ['only 9.9% of the disk is free']],
    [GIB - 1, 0.5, ['only 1 GiB of the disk is free']],
  ])('judges %d bytes, %d of the disk', (freeBytes, freeShare, faults) => {
    expect(findDiskFault(freeBytes, freeShare)).toEqual(faults)
  })
})

describe('findGrowth', () => {
  const series = (from: number, to: number, length = 40) =>
    Array.from({ length }, (_, index) => from + ((to - from) * index) / (length - 1))

  it('sees memory that keeps growing', () => {
    expect(findGrowth(series(GIB, 4 * GIB))).toBe('1.7 GiB to 3.3 GiB')
  })

  it.each([
    ['too few samples', series(GIB, 9 * GIB, 39)],
    ['steady memory', series(GIB, GIB)],
    ['a warm-up that is large only in proportion', series(50 * 2 ** 20, 250 * 2 ** 20)],
    ['one peak', series(GIB, GIB).with(20, 9 * GIB)],
  ])('sees no growth in %s', (_what, samples) => {
    expect(findGrowth(samples)).toBeNull()
  })
})

describe('self probes', () => {
  it('tell the version', async () => {
    expect(await build()['build-info'](signal)).toMatchObject({ passed: true, details: { version: '1.2.3' } })
  })

  it.each(['store-writable', 'disk-free', 'database-append', 'event-queue-depth', 'postgrest'] as const)(
    'report what %s cannot reach as a failure, not as an error',
    async (name) => {
      const outcome = await build()[name](signal)
      expect(outcome.passed).toBe(false)
      expect(outcome.invalid).toBeUndefined()
      expect(outcome.error).toMatch(/not found|no database/)
    },
  )
})
