import { formatDuration } from '@watchroom/shared/time'
import { describe, expect, it } from 'vitest'

describe('formatDuration', () => {
  it.each([
    [0, '0ms'],
    [0.42, '0.4ms'],
    [8.25, '8.3ms'],
    [999.4, '999ms'],
    [999.7, '1s'],
    [1000, '1s'],
    [1540, '1.5s'],
    [12_340, '12s'],
    [59_400, '59s'],
    [59_700, '1m'],
    [60_000, '1m'],
    [90_000, '1.5m'],
    [3_599_000, '1h'],
    [3_600_000, '1h'],
    [180_000_000, '50h'],
  ])('shows %d ms as %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text)
  })
})
