import {
  costTrend,
  countChanges,
  formatCost,
  formatCount,
  HEALTH_BAR,
  MANY_CHANGES,
  toConfigHealth,
  toHealthBar,
} from '@watchroom/shared/catalog'
import { describe, expect, it } from 'vitest'

describe('a count', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1k+'],
    [1_250, '1.2k+'],
    [9_999, '9.9k+'],
    [43_800, '43k+'],
    [500_000, '500k+'],
  ])('of %i is written as %s', (count, text) => {
    expect(formatCount(count)).toBe(text)
  })

  it('of the changes of an item is that of all types, from 500 on many', () => {
    const changes = [
      { change_type: 'diff', severity: 'info', total: 499 },
      { change_type: 'Pulled', severity: null, total: 1 },
    ]
    expect(countChanges({ changes })).toBe(MANY_CHANGES)
    expect(countChanges({ changes: null })).toBe(0)
  })
})

describe('a cost', () => {
  it.each([
    [0, '$0.00'],
    [3.456, '$3.46'],
    [10, '$10.00'],
    [10.01, '$10'],
    [1_234.5, '$1,235'],
  ])('of %d is written as %s', (cost, text) => {
    expect(formatCost(cost)).toBe(text)
  })

  it.each([
    [11, 300, null],
    [11.1, 300, 0.11],
    [5, 300, -0.5],
    [9, 300, null],
    [null, 300, null],
    [1, null, null],
    [1, 0, null],
  ])('of %d today after %d in 30 days has the trend %d', (cost_total_1d, cost_total_30d, trend) => {
    const change = costTrend({ cost_total_1d, cost_total_30d })
    expect(change === null ? null : Math.round(change * 100) / 100).toBe(trend)
  })
})

describe('the health bar', () => {
  it('is green, red, orange, gray; items without a health are gray, parts that are empty are left out', () => {
    expect(HEALTH_BAR).toEqual(['healthy', 'unhealthy', 'warning', 'unknown'])
    expect(toHealthBar({ warning: 2, healthy: 3, odd: 1, unhealthy: 1 }, 9)).toEqual([
      { health: 'healthy', count: 3 },
      { health: 'unhealthy', count: 1 },
      { health: 'warning', count: 2 },
      { health: 'unknown', count: 3 },
    ])
    expect(toHealthBar(null, 2)).toEqual([{ health: 'unknown', count: 2 }])
    expect(toHealthBar({ healthy: 1 }, 0)).toEqual([{ health: 'healthy', count: 1 }])
  })

  it.each([
    ['healthy', 'healthy'],
    ['Unhealthy', 'unhealthy'],
    ['degraded', 'unknown'],
    [null, 'unknown'],
  ])('takes the health %s for %s', (word, health) => {
    expect(toConfigHealth(word)).toBe(health)
  })
})
