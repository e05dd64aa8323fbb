import { backoffMs } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

const POLICY = { firstMs: 500, maxMs: 30_000 }

describe('backoffMs', () => {
  it('doubles with each failure, up to the longest wait', () => {
    const waits = [1, 2, 3, 6, 7, 8, 100, 10_000].map((failures) => backoffMs(failures, POLICY))
    expect(waits).toEqual([500, 1_000, 2_000, 16_000, 30_000, 30_000, 30_000, 30_000])
  })

  it('counts the first attempt as the first failure', () => {
    expect([backoffMs(0, POLICY), backoffMs(-1, POLICY)]).toEqual([500, 500])
  })

  it.each([
    [0, 250, 15_000],
    [0.5, 375, 22_500],
    [1, 500, 30_000],
  ])('is spread over its upper half by chance %d', (random, first, last) => {
    expect([backoffMs(1, POLICY, () => random), backoffMs(40, POLICY, () => random)]).toEqual([first, last])
  })
})
