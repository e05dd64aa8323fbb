import { type ShownComponent, ShownComponentSchema, toBursts, toTransitions } from '@watchroom/shared/topology'
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
      row('web', { shown: ['one', 'two', 'shop'] }),
      ...['store', 'one', 'two'].map((id) => row(id)),
      row('depot', { is_top: true, shown: ['far'] }),
      row('far'),
    ]
    const five = ['one', 'two', 'web', 'store', 'one'].map((id, at) => change(id, at * 15))
    expect(toBursts(rows, five)).toEqual([{ id: 'shop', name: 'shop', transitions: five }])
    // Four are none, however many there are elsewhere, and so are five that took longer.
    expect(toBursts(rows, [...five.slice(1), change('far', 61)])).toEqual([])
    expect(toBursts(rows, [...five.slice(0, 4), change('one', 61)])).toEqual([])
    // What came alone, long before, is not part of it.
    expect(toBursts(rows, [change('two', -500), ...five])[0]?.transitions).toEqual(five)
    // Its own change is not below it.
    expect(toBursts(rows, [...five.slice(1), change('shop', 60)])).toEqual([])
  })
})
