import {
  type ShownComponent,
  ShownComponentSchema,
  toBursts,
  toSpanText,
  toTransitions,
} from '@watchroom/shared/topology'
import { describe, expect, it } from 'vitest'

const row = (id: string, values: object = {}): ShownComponent => ShownComponentSchema.parse({ id, name: id, ...values })

/** @param at seconds */
const change = (id: string, at: number) => ({
  id,
  name: id,
  from: 'healthy' as const,
  to: 'unhealthy' as const,
  at: at * 1_000,
})

describe('transitions of a page', () => {
  it('are what became better or worse; what comes and goes, and other fields, are none', () => {
    const before = [
      row('a', { health: 'healthy' }),
      row('b', { health: 'healthy' }),
      row('gone', { health: 'healthy' }),
    ]
    const now = [row('a', { health: 'unhealthy' }), row('b', { health: 'healthy', status: 'busy' }), row('new')]
    expect(toTransitions(before, now, 7)).toEqual([{ id: 'a', name: 'a', from: 'healthy', to: 'unhealthy', at: 7 }])
    expect(toTransitions(now, now, 8)).toEqual([])
  })

  it('fold below what they are part of when at least five come within a minute', () => {
    const rows = [
      row('shop', { is_top: true, shown: ['web', 'store'] }),
      row('web', { shown: ['one', 'two', 'three', 'shop'] }),
      ...['store', 'one', 'two', 'three'].map((id) => row(id)),
      row('depot', { is_top: true, shown: ['far'] }),
      row('far'),
    ]
    const five = ['one', 'two', 'three', 'store', 'one'].map((id, at) => change(id, at * 15))
    expect(toBursts(rows, five)).toEqual([{ id: 'shop', name: 'shop', transitions: five, minutes: 1 }])
    // One after another they are one, which takes as long as it does.
    const more = ['one', 'two', 'three', 'store', 'one'].map((id, at) => change(id, 75 + at * 15))
    const [long] = toBursts(rows, [...five, ...more])
    expect([long?.transitions.length, long && toSpanText(long)]).toEqual([10, 'within 3 minutes'])
    // Four are none, however many there are elsewhere, and so are five that took longer.
    expect(toBursts(rows, [...five.slice(1), change('far', 61)])).toEqual([])
    expect(toBursts(rows, [...five.slice(0, 4), change('one', 61)])).toEqual([])
    // What came alone, long before, is not part of it.
    expect(toBursts(rows, [change('two', -500), ...five])[0]?.transitions).toEqual(five)
    // Its own change is not below it.
    expect(toBursts(rows, [...five.slice(1), change('shop', 60)])).toEqual([])
  })

  it('are none where what was not known turns out well, as on a first start', () => {
    const parts = ['one', 'two', 'three', 'four', 'five']
    const rows = [row('shop', { is_top: true, shown: parts }), ...parts.map((id) => row(id))]
    const first = parts.map((id, at) => ({ ...change(id, at), from: 'unknown' as const, to: 'healthy' as const }))
    expect(toBursts(rows, first)).toEqual([])
    // Beside it what recovers counts, also where a part of it is new.
    const rowsWithNew = [row('shop', { is_top: true, shown: parts }), row('one', { shown: ['new'] }), row('new')]
    const recovered = parts.map((id, at) => ({ ...change(id, at), from: 'unhealthy' as const, to: 'healthy' as const }))
    const found = { ...change('new', 1), from: 'unknown' as const, to: 'healthy' as const }
    const withNew = [...rowsWithNew, ...parts.slice(1).map((id) => row(id))]
    expect(toBursts(withNew, [...recovered, found])[0]?.transitions).toEqual(recovered)
    const back = parts.map((id, at) => ({ ...change(id, at), from: 'unknown' as const }))
    expect(toBursts(rows, back)[0]?.transitions).toEqual(back)
  })

  it('are one change along a chain of parts, when it fails and when it recovers', () => {
    const chain = ['top', 'l1', 'l2', 'l3', 'l4', 'l5', 'leaf']
    const rows = chain.map((id, at) => row(id, { is_top: at === 0, shown: chain.slice(at + 1, at + 2) }))
    const fails = chain.toReversed().map((id, at) => change(id, at / 10))
    const recovers = fails.map(({ to, from, ...one }) => ({ ...one, from: to, to: from }))
    expect(toBursts(rows, fails)).toEqual([])
    expect(toBursts(rows, recovers)).toEqual([])
    // What recovers leaves a warning that was there before.
    expect(
      toBursts(
        rows,
        recovers.map((one) => ({ ...one, to: one.id === 'leaf' ? one.to : 'warning' })),
      ),
    ).toEqual([])
    // What became bad long before its part did so by itself.
    const others = ['a', 'b', 'c', 'd'].map((id) => row(id))
    const wide = [
      row('top', { is_top: true, shown: ['l1', 'a', 'b', 'c', 'd'] }),
      row('l1', { shown: ['leaf'] }),
      ...others,
    ]
    const four = ['a', 'b', 'c', 'd'].map((id, at) => change(id, at))
    const rowsApart = [...wide, row('leaf')]
    const early = [change('l1', 0), ...four]
    expect(toBursts(rowsApart, [...early, change('leaf', 61)])[0]?.transitions).toEqual(early)
    expect(toBursts(rowsApart, [change('l1', 0), ...four.slice(1), change('leaf', 4)])).toEqual([])
  })
})
