import { createLoop } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

describe('createLoop', () => {
  it('waits before the first pass, and after the end of each', async () => {
    const clock = new FakeClock()
    const startedAt: number[] = []
    const loop = createLoop(
      clock,
      () => {
        startedAt.push(clock.monotonic())
        return new Promise((resolve) => clock.schedule(resolve, 50))
      },
      { everyMs: 1_000, firstAfterMs: 10 },
    )
    await clock.advance(2_500)
    expect(startedAt).toEqual([10, 1_060, 2_110])
    loop.close()
    expect(clock.pending).toBe(0)
  })

  it('is not planned again when it was closed during a pass', async () => {
    const clock = new FakeClock()
    const seen: boolean[] = []
    const loop = createLoop(
      clock,
      async (isClosed) => {
        seen.push(isClosed())
        await new Promise<void>((resolve) => clock.schedule(resolve, 50))
        seen.push(isClosed())
      },
      { everyMs: 1_000 },
    )
    await clock.advance(1_000)
    loop.close()
    await clock.advance(50)
    expect(seen).toEqual([false, true])
    expect(clock.pending).toBe(0)
  })
})
