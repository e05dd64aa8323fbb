import { formatPercent, formatUptime, isAgeWorthSaying, toBarFill } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

describe('formatUptime', () => {
  it.each([
    [10, 0, '100.00%'],
    [0, 10, '0.00%'],
    [2, 1, '66.66%'],
    [999_999, 1, '99.99%'],
    [29, 71, '29.00%'],
    [57, 43, '57.00%'],
  ])('shows %d passed and %d failed as %s', (passed, failed, text) => {
    expect(formatUptime({ passed, failed })).toBe(text)
  })

  it('shows nothing when nothing ran', () => {
    expect(formatUptime({ passed: 0, failed: 0 })).toBeNull()
  })
})

describe('formatPercent', () => {
  it.each([
    [0, '0.0%'],
    [9.94, '9.9%'],
    [33.333, '33.3%'],
    [66.66, '66.7%'],
    [100, '100.0%'],
  ])('shows %d with one decimal: %s', (percent, text) => {
    expect(formatPercent(percent)).toBe(text)
  })
})

describe('isAgeWorthSaying', () => {
  const now = Date.UTC(2026, 7, 30)
  it.each([
    [3_600_000, false],
    [3_600_001, true],
    [7 * 86_400_000, true],
    [7 * 86_400_000 + 1, false],
    [-60_000, false],
  ])('of a last run %d ms ago is %s', (ageMs, isSaid) => {
    expect(isAgeWorthSaying(now - ageMs, now)).toBe(isSaid)
  })
})

describe('toBarFill', () => {
  it('is never shorter than 5 and never longer than 100 percent', () => {
    expect([-3, 0, 4.9, 5, 50, 100, 250].map((percent) => toBarFill(percent).widthPercent)).toEqual([
      5, 5, 5, 5, 50, 100, 100,
    ])
  })

  it('warns above 75 and is red above 90', () => {
    expect([0, 75, 75.1, 90, 90.1, 100].map((percent) => toBarFill(percent).tone)).toEqual([
      'calm',
      'calm',
      'warning',
      'warning',
      'danger',
      'danger',
    ])
  })
})
