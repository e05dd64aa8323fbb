import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { systemClock } from '../../../gateway/src/platform/clock.ts'

const DAY_MS = 86_400_000
/** Node fires timers beyond this at once; those of the test wait for as long as they are asked to. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('does not call back early, however long it is to wait', () => {
  const asked = vi.spyOn(globalThis, 'setTimeout')
  const callback = vi.fn()
  systemClock.schedule(callback, 60 * DAY_MS)
  vi.advanceTimersByTime(60 * DAY_MS - 1)
  expect(callback).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(callback).toHaveBeenCalledOnce()
  const delays = asked.mock.calls.map(([, delayMs]) => delayMs ?? 0)
  expect(delays.length).toBeGreaterThan(1)
  expect(Math.max(...delays)).toBeLessThanOrEqual(LONGEST_TIMER_MS)
})

it('is cancelled in whichever piece of a long time', () => {
  const callback = vi.fn()
  const cancel = systemClock.schedule(callback, 60 * DAY_MS)
  vi.advanceTimersByTime(30 * DAY_MS)
  cancel()
  vi.advanceTimersByTime(60 * DAY_MS)
  expect(callback).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})
