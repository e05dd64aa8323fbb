import { describe, expect, it, vi } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createShutdown, type ShutdownStep } from '../../../gateway/src/app/shutdown.ts'
import { createLogger } from '../../../gateway/src/platform/logger.ts'

function setUp(steps: ShutdownStep[]) {
  const clock = new FakeClock()
  const exit = vi.fn<(code: number) => void>()
  return { clock, exit, shutdown: createShutdown({ clock, logger: createLogger({ level: 'silent' }), steps, exit }) }
}

const never = () => new Promise<void>(() => undefined)

describe('createShutdown', () => {
  it('runs the steps in order and leaves with the code it was given', async () => {
    const order: string[] = []
    const { shutdown, exit, clock } = setUp(
      ['live', 'server', 'backend'].map((name) => ({ name, run: () => void order.push(name) })),
    )
    await shutdown('SIGTERM')
    expect(order).toEqual(['live', 'server', 'backend'])
    expect(exit).toHaveBeenCalledExactlyOnceWith(0)
    expect(clock.pending).toBe(0)
  })

  it('goes on after a step that fails', async () => {
    const last = vi.fn<() => void>()
    const { shutdown, exit } = setUp([
      { name: 'first', run: () => Promise.reject(new Error('broken')) },
      { name: 'last', run: last },
    ])
    await shutdown('SIGTERM', 1)
    expect(last).toHaveBeenCalledOnce()
    expect(exit).toHaveBeenCalledExactlyOnceWith(1)
  })

  it('gives up after 10 s', async () => {
    const { shutdown, exit, clock } = setUp([{ name: 'stuck', run: never }])
    void shutdown('SIGTERM')
    await clock.advance(9_999)
    expect(exit).not.toHaveBeenCalled()
    await clock.advance(1)
    expect(exit).toHaveBeenCalledExactlyOnceWith(1)
  })

  it('takes a signal that arrives twice for one, and a later one for impatience', async () => {
    const { shutdown, exit, clock } = setUp([{ name: 'stuck', run: never }])
    void shutdown('SIGINT')
    void shutdown('SIGINT')
    await clock.advance(999)
    expect(exit).not.toHaveBeenCalled()
    await clock.advance(1)
    void shutdown('SIGINT')
    expect(exit).toHaveBeenCalledExactlyOnceWith(1)
  })
})
