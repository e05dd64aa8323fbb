import { tryParseDuration } from '@watchroom/shared/time'
import { describe, expect, it } from 'vitest'

describe('tryParseDuration', () => {
  it.each([
    ['30s', 30_000],
    ['1h30m', 5_400_000],
    ['250ms', 250],
    ['1.5s', 1_500],
    ['2d', 172_800_000],
    ['3w', 1_814_400_000],
    ['1mo', 2_592_000_000],
    ['1y', 31_104_000_000],
    ['0', 0],
    [' 5m ', 300_000],
  ])('reads %s as %d ms', (text, expected) => {
    expect(tryParseDuration(text)).toBe(expected)
  })

  it.each(['', '5', 's', '-5s', '5 s', '1h?', 'abc', '1hh', '1e3s'])('refuses %j', (text) => {
    expect(tryParseDuration(text)).toBeNull()
  })
})
