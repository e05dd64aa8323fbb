import { pino } from 'pino'
import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createPasses } from '../../../../gateway/src/embedded-backend/checks/createPasses.ts'

function setUp() {
  const clock = new FakeClock()
  return { clock, passes: createPasses({ clock, logger: pino({ level: 'silent' }) }) }
}

describe('passes over the database', () => {
  it('are made one at a time, in the order they were asked for', async () => {
    const { clock, passes } = setUp()
    const said: string[] = []
    const slow = passes.inTurn(async () => {
      said.push('slow begins')
      await new Promise<void>((resolve) => clock.schedule(resolve, 100))
      said.push('slow ends')
    })
    const next = passes.inTurn(async () => void said.push('next'))
    await clock.advance(50)
    expect(said).toEqual(['slow begins'])
    await clock.advance(50)
    await Promise.all([slow, next])
    expect(said).toEqual(['slow begins', 'slow ends', 'next'])
  })

  it('go on after one that fails', async () => {
    const { passes } = setUp()
    const failed = passes.inTurn(() => Promise.reject(new Error('away')))
    await expect(failed).rejects.toThrow('away')
    let isMade = false
    await passes.inTurn(async () => void (isMade = true))
    expect(isMade).toBe(true)
  })

  it('that are asked for again and again soon become one', async () => {
    const { clock, passes } = setUp()
    let made = 0
    const plan = passes.soonOnce('a pass', 20, async () => void made++)
    plan()
    plan()
    await clock.advance(20)
    expect(made).toBe(1)
    plan()
    await clock.advance(20)
    expect(made).toBe(2)
  })

  it('are repeated, sooner after a failure, until they are closed', async () => {
    const { clock, passes } = setUp()
    const at: number[] = []
    passes.repeat('a pass', 10_000, async () => {
      at.push(clock.monotonic())
      if (at.length === 1) throw new Error('away')
    })
    await clock.advance(25_000)
    expect(at).toEqual([10_000, 12_000, 22_000])
    await passes.close()
    expect(clock.pending).toBe(0)
    passes.after(1, () => at.push(0))
    expect(clock.pending).toBe(0)
  })
})
