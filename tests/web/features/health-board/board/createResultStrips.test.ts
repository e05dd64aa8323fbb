import { describe, expect, it, vi } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { FakeClock } from '#support/fakeClock.ts'

import {
  createResultStrips,
  type LoadResults,
  MAX_ASKED,
  MAX_RESULTS,
  type Result,
  VISIBLE_DELAY_MS,
} from '../../../../../web/src/features/health-board/board/createResultStrips.ts'

const result = (at: number, hasPassed = true): Result => ({ at, hasPassed })

/** The row of a check that has just run. */
const row = (id: string, at: number, hasPassed = true) =>
  buildCheck({ id, status: hasPassed ? 'healthy' : 'unhealthy', last_runtime: new Date(at).toISOString() })

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

  it('asks for more rows than one question holds by further questions', async () => {
    const ids = Array.from({ length: MAX_ASKED + 1 }, (_, index) => `check-${index}`)
    const { look, asked } = setUp()
    await look(...ids)
    expect(asked()).toEqual([ids.slice(0, MAX_ASKED), ids.slice(MAX_ASKED)])
  })

  it('continues with what is pushed, tells the row, and keeps the newest', async () => {
    const { strips, look } = setUp({ a: [result(1_000)] })
    const heard = vi.fn<() => void>()
    strips.subscribe('a', heard)
    await look('a')
    strips.follow([row('a', 2_000, false)])
    expect(strips.read('a')).toEqual([result(1_000), result(2_000, false)])
    expect(heard).toHaveBeenCalledTimes(2)
    for (let at = 3; at < 3 + MAX_RESULTS; at += 1) strips.follow([row('a', at * 1_000)])
    expect(strips.read('a')).toHaveLength(MAX_RESULTS)
    expect(strips.read('a')?.at(0)).toEqual(result(3_000))
  })

  it('counts a run once, and does not lose the one that came before the answer', async () => {
    const { strips, look } = setUp({ a: [result(1_000)] })
    strips.setVisible(['a'])
    strips.follow([row('a', 2_000)])
    await look('a')
    strips.follow([row('a', 2_100)])
    expect(strips.read('a')).toEqual([result(1_000), result(2_000)])
  })

  it('takes no result from a check of which nothing is known any more', async () => {
    const { strips, look } = setUp({ a: [result(1_000)] })
    await look('a')
    strips.follow([{ ...row('a', 2_000), unknown_since: new Date(2_000).toISOString() }])
    strips.follow([buildCheck({ id: 'a', last_runtime: null })])
    expect(strips.read('a')).toEqual([result(1_000)])
  })

  it('goes on for rows that left the screen, and asks nothing when they are back', async () => {
    const { strips, clock, look, asked } = setUp({ a: [result(1_000)], b: [] })
    await look('a', 'b')
    await look('b')
    strips.follow([row('a', 2_000, false), row('b', 2_000)])
    await clock.advance(600_000)
    await look('a', 'b')
    expect(asked()).toEqual([['a', 'b']])
    expect(strips.read('a')).toEqual([result(1_000), result(2_000, false)])
  })

  it('looks again only at rows that are another object', async () => {
    const { strips, look } = setUp({ a: [], b: [] })
    await look('a', 'b')
    const same = row('a', 2_000)
    strips.follow([same, row('b', 2_000)])
    const before = strips.read('a')
    strips.follow([same, row('b', 3_000)])
    expect(strips.read('a')).toBe(before)
    expect(strips.read('b')).toHaveLength(2)
  })

  it('asks anew when results may have been missed, and keeps showing what it knew until then', async () => {
    const { strips, clock, look, asked } = setUp({ a: [result(1_000)] })
    await look('a', 'b')
    strips.setPushed(false)
    await clock.advance(600_000)
    expect(asked()).toHaveLength(1)
    expect(strips.read('a')).toEqual([result(1_000)])
    strips.setPushed(true)
    strips.follow([row('a', 9_000)])
    await clock.advance(VISIBLE_DELAY_MS)
    expect(asked()).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
    expect(strips.read('a')).toEqual([result(1_000), result(9_000)])
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
