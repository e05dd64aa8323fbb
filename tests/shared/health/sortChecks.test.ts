import { compareBy, type Sortable, type SortColumn, toUptimeRatio } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

const row = (sortName: string, overrides: Partial<Sortable> = {}): Sortable => ({
  sortName,
  sortId: sortName,
  health: 'healthy',
  passed: 1,
  failed: 0,
  latencyMs: 1,
  transitionAt: 1,
  ...overrides,
})

const order = (rows: Sortable[], column: SortColumn, isDescending = false) =>
  rows.toSorted(compareBy(column, isDescending)).map((sorted) => sorted.sortId)

describe('compareBy', () => {
  it('orders by name and breaks ties by id whatever the arrival order', () => {
    const rows = [row('b'), row('a', { sortId: 'a2' }), row('a', { sortId: 'a1' })]
    expect(order(rows, 'name')).toEqual(['a1', 'a2', 'b'])
    expect(order(rows.toReversed(), 'name')).toEqual(['a1', 'a2', 'b'])
    expect(order(rows, 'name', true)).toEqual(['b', 'a2', 'a1'])
  })

  it('puts the worst health first', () => {
    const rows = [
      row('ok'),
      row('never', { health: 'unknown' }),
      row('some', { health: 'mixed' }),
      row('all', { health: 'bad' }),
      row('down', { health: 'unhealthy' }),
    ]
    expect(order(rows, 'health')).toEqual(['all', 'down', 'some', 'never', 'ok'])
    expect(order(rows, 'health', true)).toEqual(['ok', 'never', 'some', 'all', 'down'])
  })

  it('keeps rows without a value last in both directions', () => {
    const rows = [row('none', { latencyMs: null }), row('slow', { latencyMs: 900 }), row('fast', { latencyMs: 3 })]
    expect(order(rows, 'latency')).toEqual(['fast', 'slow', 'none'])
    expect(order(rows, 'latency', true)).toEqual(['slow', 'fast', 'none'])
  })

  it('orders uptime by share, not by count', () => {
    const rows = [
      row('many', { passed: 900, failed: 100 }),
      row('few', { passed: 1, failed: 0 }),
      row('never', { passed: 0, failed: 0 }),
    ]
    expect(order(rows, 'uptime')).toEqual(['many', 'few', 'never'])
  })

  it('orders by the time of the last transition', () => {
    const rows = [row('old', { transitionAt: 5 }), row('new', { transitionAt: 9 })]
    expect(order(rows, 'transition', true)).toEqual(['new', 'old'])
  })
})

describe('toUptimeRatio', () => {
  it('is null when nothing ran', () => {
    expect(toUptimeRatio({ passed: 0, failed: 0 })).toBeNull()
    expect(toUptimeRatio({ passed: 0, failed: 2 })).toBe(0)
  })
})
