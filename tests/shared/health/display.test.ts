import { formatUptime, toAgoLabel, toWord } from '@watchroom/shared/health'
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

describe('toAgoLabel', () => {
  const now = Date.UTC(2026, 7, 30)
  it.each([
    [3_600_000, null],
    [3_600_001, '1h ago'],
    [7_199_999, '1h ago'],
    [3 * 86_400_000, '3d ago'],
    [7 * 86_400_000, '7d ago'],
    [7 * 86_400_000 + 1, null],
    [-60_000, null],
  ])('for an age of %d ms is %s', (ageMs, label) => {
    expect(toAgoLabel(now - ageMs, now)).toBe(label)
  })

  it('is silent for a check that never ran', () => {
    expect(toAgoLabel(null, now)).toBeNull()
  })
})

describe('toWord', () => {
  it('starts with a capital', () => {
    expect(toWord('unhealthy')).toBe('Unhealthy')
    expect(toWord('')).toBe('')
  })
})
