import { waitAtMost } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

describe('waitAtMost', () => {
  it('waits for work, and leaves no timer behind', async () => {
    const clock = new FakeClock()
    await waitAtMost(clock, Promise.resolve('done'), 1_000)
    expect(clock.pending).toBe(0)
  })

  it('goes on when the work takes too long', async () => {
    const clock = new FakeClock()
    let isOver = false
    const waiting = waitAtMost(clock, new Promise(() => undefined), 1_000).then(() => (isOver = true))
    await clock.advance(999)
    expect(isOver).toBe(false)
    await clock.advance(1)
    await waiting
    expect(clock.pending).toBe(0)
  })

  it('fails as the work does', async () => {
    const clock = new FakeClock()
    await expect(waitAtMost(clock, Promise.reject(new Error('broken')), 1_000)).rejects.toThrow('broken')
    expect(clock.pending).toBe(0)
  })
})
