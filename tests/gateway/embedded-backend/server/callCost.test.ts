import { describe, expect, it } from 'vitest'

import { costOfBytes, costOfTime, currentLoad } from '../../../../gateway/src/embedded-backend/server/callCost.ts'
import { CALL_SLOTS } from '../../../../gateway/src/embedded-backend/server/databaseRoutes.ts'

describe('what a call costs', () => {
  it('is nothing for a short query and a page of a list', () => {
    expect([costOfTime(100, 1), costOfBytes(16_384)]).toEqual([0, 0])
  })

  it('is the time of a long query, unless the machine is busy with others', () => {
    expect(costOfTime(1_100, 1)).toBe(1_000)
    expect(costOfTime(1_100, 10)).toBe(10)
    expect(costOfTime(800, 8)).toBe(0)
    expect(currentLoad()).toBeGreaterThanOrEqual(1)
  })

  it('lets one caller read 40 MB at once, and then a megabyte a second', () => {
    const { burst = 0, perSecond = 0 } = CALL_SLOTS.budget ?? {}
    expect(Math.round(burst / costOfBytes(1_000_000))).toBe(41)
    expect(perSecond / costOfBytes(1_000_000)).toBeCloseTo(1, 1)
  })
})
