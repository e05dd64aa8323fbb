import type { SourceProblem } from '@watchroom/shared/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { CodedError } from '../../../gateway/src/platform/errors.ts'
import { createLogger } from '../../../gateway/src/platform/logger.ts'
import { createMetrics } from '../../../gateway/src/platform/metrics.ts'
import type { SourceRead } from '../../../gateway/src/polling/contract.ts'
import { createPoller, createPollerMetrics } from '../../../gateway/src/polling/createPoller.ts'
import { pollingErrors } from '../../../gateway/src/polling/errors.ts'
import { nextDelay } from '../../../gateway/src/polling/nextDelay.ts'

interface Ask {
  readonly at: number
  readonly cursor: string | undefined
  readonly signal: AbortSignal
  readonly answer: (read?: Partial<SourceRead<string>>) => void
  readonly fail: (error?: Error) => void
}

/** A poller over a source that the test answers. Random is 0: no jitter. */
function buildPoller(options: { answersAtOnce?: boolean; intervalMs?: number } = {}) {
  const clock = new FakeClock()
  const asks: Ask[] = []
  const metrics = createMetrics({ process: false })
  const poller = createPoller<string>(
    {
      name: 'test',
      intervalMs: options.intervalMs ?? 5_000,
      read: (signal, cursor) =>
        new Promise((resolve, reject) => {
          const answer = (read: Partial<SourceRead<string>> = {}): void =>
            resolve({ kind: 'all', asOf: clock.now(), rows: [], droppedRows: 0, ...read } as SourceRead<string>)
          asks.push({ at: clock.monotonic(), cursor, signal, answer, fail: (error = new Error('no')) => reject(error) })
          if (options.answersAtOnce ?? true) {
            answer({ kind: cursor === undefined ? 'all' : 'changes', cursor: `c${asks.length}` })
          }
        }),
    },
    {
      clock,
      random: () => 0,
      logger: createLogger({ level: 'silent' }),
      metrics: createPollerMetrics(metrics),
    },
  )
  const reads: SourceRead<string>[] = []
  const problems: (SourceProblem | null)[] = []
  poller.listen({ onRead: (read) => reads.push(read), onProblem: (problem) => problems.push(problem) })
  onTestFinished(() => {
    poller.close()
    expect(clock.pending).toBe(0)
  })
  return { clock, poller, asks, reads, problems, metrics, times: () => asks.map(({ at }) => at) }
}

const refused = (): CodedError => new CodedError(pollingErrors.POLLING_UPSTREAM_REFUSED, { values: { status: 500 } })

describe('when a source is read', () => {
  it('[LIVE-31] once at the start and then at its interval while someone watches', async () => {
    const { clock, poller, times, reads } = buildPoller()
    poller.watch()
    await clock.advance(16_000)
    expect(times()).toEqual([0, 5_000, 10_000, 15_000])
    expect(reads).toHaveLength(4)
  })

  it('[LIVE-31] again at once where the backend itself waits for news, and no faster than its smallest gap', async () => {
    const { clock, poller, asks, times } = buildPoller({ answersAtOnce: false })
    poller.watch()
    await clock.advance(0)
    asks[0]?.answer({ mayReadOn: true })
    await clock.advance(200)
    expect(times()).toEqual([0, 120])
    await clock.advance(1_000)
    asks[1]?.answer()
    await clock.advance(4_000)
    expect(times()).toEqual([0, 120])
  })

  it('[LIVE-32] once a minute while nobody watches, at once when someone comes and the rows are old', async () => {
    const { clock, poller, times } = buildPoller()
    await clock.advance(70_000)
    expect(times()).toEqual([0, 60_000])
    const unwatch = poller.watch()
    await clock.advance(0)
    expect(times()).toEqual([0, 60_000, 70_000])
    unwatch()
    unwatch()
    await clock.advance(30_000)
    expect(times()).toEqual([0, 60_000, 70_000, 75_000])
  })

  it('[LIVE-32] at the interval again when someone comes shortly after a read', async () => {
    const { clock, poller, times } = buildPoller()
    await clock.advance(61_000)
    poller.watch()
    await clock.advance(5_000)
    expect(times()).toEqual([0, 60_000, 66_000])
  })

  it('[LIVE-30] never twice at once, however often it is woken', async () => {
    const { clock, poller, asks } = buildPoller({ answersAtOnce: false })
    poller.watch()
    await clock.advance(0)
    for (let wake = 0; wake < 5; wake++) poller.wake()
    await clock.advance(3_000)
    expect(asks).toHaveLength(1)
    asks[0]?.answer()
    await clock.advance(0)
    expect(asks).toHaveLength(2)
    asks[1]?.answer()
    await clock.advance(4_000)
    expect(asks).toHaveLength(2)
  })

  it('[LIVE-33] at once when woken, but never within 120 ms of the read before', async () => {
    const { clock, poller, times } = buildPoller()
    poller.watch()
    await clock.advance(1_000)
    poller.wake()
    await clock.advance(0)
    for (let wake = 0; wake < 7; wake++) {
      await clock.advance(15)
      poller.wake()
    }
    await clock.advance(1_000)
    expect(times()).toEqual([0, 1_000, 1_120])
  })

  it('[LIVE-33] not when woken while nobody watches, but then at once for the first who does', async () => {
    const { clock, poller, times } = buildPoller()
    await clock.advance(1_000)
    poller.wake()
    await clock.advance(500)
    expect(times()).toEqual([0])
    poller.watch()
    await clock.advance(0)
    expect(times()).toEqual([0, 1_500])
  })

  it('[LIVE-37] from its cursor, whole every five minutes, and whole for a listener who comes later', async () => {
    const { clock, poller, asks } = buildPoller({ intervalMs: 60_000 })
    poller.watch()
    await clock.advance(300_000)
    expect(asks.map(({ cursor }) => cursor)).toEqual([undefined, 'c1', 'c2', 'c3', 'c4', undefined])
    poller.listen({ onRead: () => undefined, onProblem: () => undefined })
    await clock.advance(200)
    expect(asks.at(-1)).toMatchObject({ at: 300_120, cursor: undefined })
  })

  it('never again once closed, and the read under way is given up', async () => {
    const { clock, poller, asks, reads } = buildPoller({ answersAtOnce: false })
    poller.watch()
    await clock.advance(0)
    poller.close()
    expect(asks[0]?.signal.aborted).toBe(true)
    asks[0]?.answer()
    await clock.advance(60_000)
    expect(asks).toHaveLength(1)
    expect(reads).toHaveLength(0)
  })
})

describe('when a source fails', () => {
  it('[LIVE-34] the failure is data: code, count, next attempt; a success takes it back', async () => {
    const { clock, poller, asks, problems, reads } = buildPoller({ answersAtOnce: false })
    poller.watch()
    await clock.advance(0)
    asks[0]?.fail(refused())
    await clock.advance(0)
    expect(poller.problem()).toEqual({
      code: 'POLLING_UPSTREAM_REFUSED',
      message: 'The backend answered with status 500',
      consecutiveFailures: 1,
      nextAttemptAt: clock.now() + 1_000,
    })
    await clock.advance(1_000)
    asks[1]?.fail()
    await clock.advance(0)
    expect(poller.problem()).toMatchObject({ code: 'POLLING_UPSTREAM_UNREADABLE', consecutiveFailures: 2 })
    expect(reads).toEqual([])
    await clock.advance(2_000)
    asks[2]?.answer({ rows: ['a'] })
    await clock.advance(0)
    expect(poller.problem()).toBeNull()
    expect(problems.map((problem) => problem?.consecutiveFailures ?? null)).toEqual([1, 2, null])
    expect(reads).toHaveLength(1)
  })

  it('[LIVE-31] the wait doubles to a minute', async () => {
    const { clock, poller, asks, times } = buildPoller({ answersAtOnce: false })
    poller.watch()
    for (let failure = 0; failure < 9; failure++) {
      await clock.advance((poller.problem()?.nextAttemptAt ?? clock.now()) - clock.now())
      asks.at(-1)?.fail(refused())
      await clock.advance(0)
    }
    const waits = times().map((time, index) => time - (times()[index - 1] ?? 0))
    expect(waits).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  })

  it('[LIVE-33] a wake asks a backend once a minute at most for what it does not have', async () => {
    const { clock, poller, asks, times } = buildPoller({ answersAtOnce: false })
    poller.watch()
    await clock.advance(0)
    for (let failure = 0; failure < 3; failure++) {
      asks.at(-1)?.fail(new CodedError(pollingErrors.POLLING_UPSTREAM_NOT_OFFERED))
      await clock.advance(0)
      for (let wake = 0; wake < 3; wake++) poller.wake()
      await clock.advance(60_000)
    }
    expect(times()).toEqual([0, 60_000, 120_000, 180_000])
    asks.at(-1)?.fail(new CodedError(pollingErrors.POLLING_UPSTREAM_NOT_OFFERED))
    await clock.advance(0)
    expect(poller.problem()).toMatchObject({ code: 'POLLING_UPSTREAM_NOT_OFFERED', consecutiveFailures: 4 })
  })

  it('[LIVE-31] what the backend does not have waits longer each time, up to ten minutes, and is read when it is there', async () => {
    const { clock, poller, asks, times, reads } = buildPoller({ answersAtOnce: false })
    poller.watch()
    for (let failure = 0; failure < 6; failure++) {
      await clock.advance((poller.problem()?.nextAttemptAt ?? clock.now()) - clock.now())
      asks.at(-1)?.fail(new CodedError(pollingErrors.POLLING_UPSTREAM_NOT_OFFERED))
      await clock.advance(0)
    }
    await clock.advance(600_000)
    asks.at(-1)?.answer({ rows: ['a'] })
    await clock.advance(0)
    const waits = times().map((time, index) => time - (times()[index - 1] ?? 0))
    expect(waits).toEqual([0, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000])
    expect([poller.problem(), reads.length]).toEqual([null, 1])
    await clock.advance(5_000)
    expect(times().at(-1)).toBe(clock.monotonic())
  })

  it('[LIVE-33] a wake shortens the wait, but not below a second', async () => {
    const { clock, poller, asks, times } = buildPoller({ answersAtOnce: false })
    poller.watch()
    await clock.advance(0)
    asks[0]?.fail()
    await clock.advance(1_000)
    asks[1]?.fail()
    await clock.advance(10)
    for (let wake = 0; wake < 20; wake++) poller.wake()
    await clock.advance(989)
    expect(times()).toEqual([0, 1_000])
    await clock.advance(1)
    expect(times()).toEqual([0, 1_000, 2_000])
  })

  it('[LIVE-30] by giving no answer, it is given up at the deadline; the late answer counts for nothing', async () => {
    const { clock, poller, asks, reads } = buildPoller({ answersAtOnce: false })
    poller.watch()
    await clock.advance(15_000)
    expect(poller.problem()).toMatchObject({ code: 'POLLING_UPSTREAM_TIMEOUT' })
    expect(asks[0]?.signal.aborted).toBe(true)
    asks[0]?.answer({ rows: ['late'] })
    await clock.advance(0)
    expect(reads).toEqual([])
  })

  it('[LIVE-37] the cursor of the last success stays', async () => {
    const { clock, poller, asks } = buildPoller({ answersAtOnce: false })
    poller.watch()
    await clock.advance(0)
    asks[0]?.answer({ cursor: 'one' })
    await clock.advance(5_000)
    asks[1]?.fail()
    await clock.advance(1_000)
    expect(asks.map(({ cursor }) => cursor)).toEqual([undefined, 'one', 'one'])
  })

  it('[LIVE-36] in single rows, they are counted', async () => {
    const { clock, asks, metrics } = buildPoller({ answersAtOnce: false })
    await clock.advance(0)
    asks[0]?.answer({ droppedRows: 3 })
    await clock.advance(0)
    expect(await metrics.render()).toContain('watchroom_poll_dropped_rows_total{source="test"} 3')
  })
})

describe('nextDelay', () => {
  const policy = { intervalMs: 5_000, retryMs: 1_000, maxDelayMs: 60_000 }
  it.each([
    ['a quick success', 0, 10, 0, 5_000],
    ['a quick success with full jitter', 0, 10, 1, 6_000],
    ['a slow success', 0, 3_000, 0, 12_000],
    ['a very slow success', 0, 100_000, 0, 60_000],
    ['the first failure', 1, 10, 0, 1_000],
    ['the third failure', 3, 10, 0, 4_000],
    ['a hundred failures', 100, 10, 0, 60_000],
  ])('[LIVE-31] after %s', (_name, failures, latencyMs, random, delayMs) => {
    expect(nextDelay(failures, latencyMs, policy, () => random)).toBe(delayMs)
  })
})
