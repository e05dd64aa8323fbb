import { describe, expect, it, vi } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import {
  createResultStrips,
  type LoadResults,
  MAX_RESULTS,
  type Result,
  VISIBLE_DELAY_MS,
} from '../../../../../web/src/features/health/board/createResultStrips.ts'

const result = (at: number, hasPassed = true): Result => ({ at, hasPassed })

function setUp(answer: Record<string, Result[]> = {}) {
  const clock = new FakeClock()
  const load = vi.fn<LoadResults>(async () => new Map(Object.entries(answer)))
  const strips = createResultStrips({ load, clock })
  const look = async (...ids: string[]) => {
    strips.setVisible(ids)
    await clock.advance(VISIBLE_DELAY_MS)
  }
  return { clock, load, strips, look, asked: () => load.mock.calls.map(([ids]) => ids) }
}

describe('createResultStrips', () => {
  it('asks once, for all rows that stay on screen', async () => {
    const { strips, look, asked } = setUp({ a: [result(1_000)], b: [] })
    await look('a', 'b')
    await look('a', 'b')
    expect(asked()).toEqual([['a', 'b']])
    expect([strips.read('a'), strips.read('b'), strips.read('c')]).toEqual([[result(1_000)], [], undefined])
  })

  it('asks nothing for rows that are scrolled past', async () => {
    const { strips, clock, look, asked } = setUp()
    strips.setVisible(['a'])
    await clock.advance(VISIBLE_DELAY_MS - 1)
    strips.setVisible(['b'])
    await clock.advance(VISIBLE_DELAY_MS - 1)
    await look('c')
    expect(asked()).toEqual([['c']])
  })

  it('continues with what is pushed, tells the row, and keeps the newest', async () => {
    const { strips, look } = setUp({ a: [result(1_000)] })
    const heard = vi.fn<() => void>()
    strips.subscribe('a', heard)
    await look('a')
    strips.add('a', result(2_000, false))
    expect(strips.read('a')).toEqual([result(1_000), result(2_000, false)])
    expect(heard).toHaveBeenCalledTimes(2)
    for (let at = 3; at < 3 + MAX_RESULTS; at += 1) strips.add('a', result(at * 1_000))
    expect(strips.read('a')).toHaveLength(MAX_RESULTS)
    expect(strips.read('a')?.at(0)).toEqual(result(3_000))
  })

  it('counts a run once, and does not lose the one that came before the answer', async () => {
    const { strips, look } = setUp({ a: [result(1_000)] })
    strips.add('a', result(2_000))
    await look('a')
    strips.add('a', result(2_100))
    expect(strips.read('a')).toEqual([result(1_000), result(2_000)])
  })

  it('asks anew for a row that was away for long, and not for one that was on screen all the time', async () => {
    const { clock, look, asked } = setUp()
    await look('a', 'b')
    await look('a')
    await clock.advance(61_000)
    await look('a', 'b')
    expect(asked()).toEqual([['a', 'b'], ['b']])
  })

  it('lives without an answer and asks again at the next look', async () => {
    const { strips, load, look, asked } = setUp({ a: [result(1_000)] })
    load.mockRejectedValueOnce(new Error('gone'))
    await look('a')
    expect(strips.read('a')).toBeUndefined()
    await look('a', 'b')
    expect(asked()).toEqual([['a'], ['a', 'b']])
  })

  it('gives up a question that newer rows have overtaken', async () => {
    const { load, look } = setUp()
    const signals: AbortSignal[] = []
    load.mockImplementation((_, signal) => {
      signals.push(signal)
      return new Promise<never>(() => undefined)
    })
    await look('a')
    await look('b')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  })

  it('leaves nothing behind when it is closed', async () => {
    const { clock, strips, load } = setUp()
    strips.setVisible(['a'])
    strips.close()
    await clock.advance(VISIBLE_DELAY_MS)
    expect(load).not.toHaveBeenCalled()
    expect(clock.pending).toBe(0)
  })
})
