import { messageOf } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { raceDeadline, withDeadline } from '../../../gateway/src/platform/withDeadline.ts'

/** Ends only when it is told to. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

describe('withDeadline', () => {
  it('aborts when the time is over, with the reason that is given', async () => {
    const clock = new FakeClock()
    const ended = withDeadline({ clock, limitMs: 1_000, toReason: () => new Error('too late') }, ({ signal }) =>
      untilAborted(signal),
    ).catch(messageOf)
    await clock.advance(999)
    expect(clock.pending).toBe(1)
    await clock.advance(1)
    expect(await ended).toBe('too late')
  })

  it('tells what else ended it from the time, and leaves no timer behind', async () => {
    const clock = new FakeClock()
    const gone = new AbortController()
    const ended = withDeadline({ clock, limitMs: 1_000, signal: gone.signal }, async ({ signal, isOver }) => {
      await untilAborted(signal).catch(() => {})
      return isOver()
    })
    gone.abort()
    expect([await ended, clock.pending]).toEqual([false, 0])
  })
})

describe('raceDeadline', () => {
  const deaf = (): Promise<never> => new Promise(() => {})

  it('does not wait for work that is deaf to its signal', async () => {
    const clock = new FakeClock()
    const ended = raceDeadline({ clock, limitMs: 1_000 }, deaf).catch(messageOf)
    await clock.advance(1_000)
    expect(await ended).toBe('overdue')
  })

  it('ends with the signal that it was given, also with one that was aborted before', async () => {
    const clock = new FakeClock()
    const gone = new AbortController()
    const ended = raceDeadline({ clock, limitMs: 1_000, signal: gone.signal }, deaf).catch(messageOf)
    gone.abort(new Error('gone'))
    expect(await ended).toBe('gone')
    await expect(raceDeadline({ clock, limitMs: 1_000, signal: gone.signal }, deaf)).rejects.toThrow('gone')
    expect(clock.pending).toBe(0)
  })

  it('tells the work when its answer is no longer awaited', async () => {
    const clock = new FakeClock()
    let given: AbortSignal | undefined
    const answer = await raceDeadline({ clock, limitMs: 1_000 }, async (signal) => {
      given = signal
      return 'done'
    })
    expect([answer, given?.aborted, clock.pending]).toEqual(['done', true, 0])
  })
})
