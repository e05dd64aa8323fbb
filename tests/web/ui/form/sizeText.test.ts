import { tryParseByteSize } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

import { joinSize, splitSize } from '../../../../web/src/ui/form/sizeText.ts'

describe('sizes as number and unit', () => {
  it.each([
    ['10Mi', '10', 'Mi'],
    ['1.5 Gi', '1.5', 'Gi'],
    ['2Ti', '2', 'Ti'],
    ['10MB', '10', 'MB'],
    ['500', '500', 'B'],
    ['', '', 'Mi'],
    ['much', 'much', 'Mi'],
  ])('reads %s', (text, amount, unit) => {
    expect(splitSize(text)).toEqual({ amount, unit })
  })

  it('writes what the runner reads', () => {
    for (const [amount, unit, bytes] of [
      ['3', 'Mi', 3 * 2 ** 20],
      ['1.5', 'Gi', 1.5 * 2 ** 30],
      ['500', 'B', 500],
      ['10', 'MB', 10_000_000],
    ] as const) {
      expect(tryParseByteSize(joinSize({ amount, unit }))).toBe(bytes)
    }
  })

  it('keeps what is no number, so that it can be corrected', () => {
    expect(joinSize({ amount: 'much', unit: 'Gi' })).toBe('much')
    expect(joinSize({ amount: '', unit: 'Gi' })).toBe('')
  })
})
