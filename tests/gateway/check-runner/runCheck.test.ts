import type { CheckSpec } from '@watchroom/shared/health/check-types'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'
import { buildRunDeps, silentLogger } from '#support/runDeps.ts'

import type { CheckOutcome, CheckRunner, RunDeps, RunnableCheck } from '../../../gateway/src/check-runner/contract.ts'
import { ABANDON_GRACE_MS, runCheck } from '../../../gateway/src/check-runner/runCheck.ts'
import { CheckRunners } from '../../../gateway/src/check-runner/types/index.ts'

type HttpSpec = CheckSpec<'http'>

function buildRunnable(spec: Partial<HttpSpec> = {}, timeoutMs = 10_000): RunnableCheck {
  return { type: 'http', name: 'shop', timeoutMs, spec: { url: 'http://shop.example', ...spec } }
}

/** The frame around a runner that does what the test says. */
function start(run: CheckRunner<HttpSpec>['run'], check = buildRunnable(), overrides: Partial<RunDeps> = {}) {
  const clock = new FakeClock()
  const finished = runCheck(check, buildRunDeps({ clock, ...overrides }), { ...CheckRunners, http: { run } })
  return { clock, finished }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve())
  })

afterEach(() => {
  vi.restoreAllMocks()
})

describe('runCheck', () => {
  it('returns what the runner found and leaves no timer behind', async () => {
    const outcome: CheckOutcome = { passed: true, durationMs: 12, message: '200 OK', details: { statusCode: 200 } }
    const { clock, finished } = start(async () => outcome)
    expect(await finished).toEqual(outcome)
    expect(clock.pending).toBe(0)
  })

  it('gives the runner the definition of the check', async () => {
    const run = vi.fn<CheckRunner<HttpSpec>['run']>().mockResolvedValue({ passed: true, durationMs: 1 })
    await start(run, buildRunnable({ method: 'POST' })).finished
    expect(run.mock.calls[0]?.[0]).toEqual({ url: 'http://shop.example', method: 'POST' })
  })

  it('aborts the run at its deadline, not before, and keeps what the runner has seen', async () => {
    let stoppedAt: number | null = null
    const clock = new FakeClock()
    const run = async (_spec: HttpSpec, { signal }: RunDeps): Promise<CheckOutcome> => {
      await untilAborted(signal)
      stoppedAt = clock.monotonic()
      return { passed: false, durationMs: 5, error: 'stopped', details: { stdout: 'half' } }
    }
    const finished = runCheck(buildRunnable({}, 4_000), buildRunDeps({ clock }), { ...CheckRunners, http: { run } })
    await clock.advance(3_999)
    expect(stoppedAt).toBeNull()
    await clock.advance(1)
    expect(stoppedAt).toBe(4_000)
    expect(await finished).toEqual({
      passed: false,
      durationMs: 4_000,
      error: 'did not finish within 4s',
      details: { stdout: 'half' },
    })
    expect(clock.pending).toBe(0)
  })

  it.each([
    [undefined, 'a run ends before the next one is due'],
    ['a trial takes no longer', 'a trial takes no longer'],
  ])('says that the time-out was shortened, and why: %s', async (shortened, reason) => {
    const check = { ...buildRunnable({ timeout: 60_000 }, 5_000), ...(shortened === undefined ? {} : { shortened }) }
    const { clock, finished } = start(
      (_spec, { signal }) => untilAborted(signal).then(() => ({ passed: true, durationMs: 5 })),
      check,
    )
    await clock.advance(5_000)
    expect(await finished).toMatchObject({
      error: `did not finish within 5s; its time-out of 1m was shortened: ${reason}`,
    })
  })

  it('does not let a run pass that came back after its deadline', async () => {
    const { clock, finished } = start(async (_spec, { signal }) => {
      await untilAborted(signal)
      return { passed: true, durationMs: 5 }
    })
    await clock.advance(10_000)
    expect(await finished).toMatchObject({ passed: false, error: 'did not finish within 10s' })
  })

  it('leaves a runner behind that ignores its signal, and logs it', async () => {
    const logged = vi.spyOn(silentLogger, 'error')
    let isFinished = false
    const { clock, finished } = start(() => new Promise<CheckOutcome>(() => undefined))
    void finished.then(() => (isFinished = true))
    await clock.advance(10_000 + ABANDON_GRACE_MS - 1)
    expect(isFinished).toBe(false)
    await clock.advance(1)
    expect(await finished).toMatchObject({ passed: false, durationMs: 11_000, error: 'did not finish within 10s' })
    expect(logged).toHaveBeenCalledOnce()
    expect(clock.pending).toBe(0)
  })

  it('stops the run with its caller', async () => {
    const caller = new AbortController()
    let reason: unknown
    const { clock, finished } = start(
      async (_spec, { signal }) => {
        await untilAborted(signal)
        reason = signal.reason
        return { passed: false, durationMs: 5, error: 'stopped' }
      },
      buildRunnable(),
      { signal: caller.signal },
    )
    await clock.advance(100)
    caller.abort('shutdown')
    expect(await finished).toMatchObject({ passed: false, invalid: true, error: 'cancelled' })
    expect(reason).toBe('shutdown')
    expect(clock.pending).toBe(0)
  })

  it('leaves a runner behind that does not stop with its caller', async () => {
    const caller = new AbortController()
    const never = () => new Promise<CheckOutcome>(() => undefined)
    const { clock, finished } = start(never, buildRunnable(), { signal: caller.signal })
    caller.abort()
    await clock.advance(ABANDON_GRACE_MS)
    expect(await finished).toMatchObject({ invalid: true, error: 'cancelled' })
    expect(clock.pending).toBe(0)
  })

  it('does not start when the caller has stopped already', async () => {
    const run = vi.fn<CheckRunner<HttpSpec>['run']>()
    const { finished } = start(run, buildRunnable(), { signal: AbortSignal.abort() })
    expect(await finished).toMatchObject({ passed: false, invalid: true })
    expect(run).not.toHaveBeenCalled()
  })

  it('turns an error thrown by a runner into an invalid outcome and logs it without secrets', async () => {
    const logged = vi.spyOn(silentLogger, 'error')
    const { finished } = start(
      async () => {
        throw new TypeError('cannot read hunter2 of undefined')
      },
      buildRunnable({ password: 'hunter2' }),
    )
    expect(await finished).toMatchObject({
      passed: false,
      invalid: true,
      error: 'internal error of the check runner; see the log',
    })
    expect(logged).toHaveBeenCalledOnce()
    expect(JSON.stringify(logged.mock.calls)).toContain('cannot read *** of undefined')
  })

  it('fails a run that passes but is slower than the threshold', async () => {
    const run = async () => ({ passed: true, durationMs: 251, message: '200 OK' })
    const { finished } = start(run, buildRunnable({ thresholdMillis: 250 }))
    expect(await finished).toEqual({
      passed: false,
      durationMs: 251,
      message: '200 OK',
      error: 'took 251ms, more than the threshold of 250ms',
    })
  })

  it('passes a run that is exactly as slow as the threshold', async () => {
    const { finished } = start(async () => ({ passed: true, durationMs: 250 }), buildRunnable({ thresholdMillis: 250 }))
    expect(await finished).toEqual({ passed: true, durationMs: 250 })
  })

  it('keeps the reason of a slow run that failed', async () => {
    const { finished } = start(
      async () => ({ passed: false, durationMs: 900, error: 'answered 500' }),
      buildRunnable({ thresholdMillis: 250 }),
    )
    expect(await finished).toMatchObject({ error: 'answered 500' })
  })

  it('masks the secrets of the definition wherever the runner put them', async () => {
    const check = buildRunnable({
      password: 'hunter2!',
      headers: [
        { name: 'Authorization', value: 'Bearer abcdef' },
        { name: 'Accept', value: 'visible' },
      ],
    })
    const { finished } = start(
      async () => ({
        passed: false,
        durationMs: 1,
        message: 'visible',
        error: 'sent hunter2! to https://u:p@host',
        details: { bodyStart: 'you said abcdef', list: [{ 'hunter2!': 1 }], count: 3 },
      }),
      check,
    )
    expect(await finished).toEqual({
      passed: false,
      durationMs: 1,
      message: 'visible',
      error: 'sent *** to https://***@host',
      details: { bodyStart: 'you said ***', list: [{ '***': 1 }], count: 3 },
    })
  })
})
