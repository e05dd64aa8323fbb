import { describe, expect, it } from 'vitest'

import { addRecentRange, type RecentRange } from '../../../../web/src/ui/time-range/recentRanges.ts'

const hour = (at: number): RecentRange => ({
  from: new Date(Date.UTC(2026, 0, 1, at)).toISOString(),
  to: new Date(Date.UTC(2026, 0, 1, at + 1)).toISOString(),
})

describe('addRecentRange', () => {
  it('keeps the five newest, the newest first', () => {
    const used = [1, 2, 3, 4, 5, 6, 7].map(hour)
    expect(used.reduce<RecentRange[]>(addRecentRange, [])).toEqual([7, 6, 5, 4, 3].map(hour))
  })

  it('keeps a range once, moved to the front', () => {
    expect(addRecentRange([hour(3), hour(2), hour(1)], hour(1))).toEqual([hour(1), hour(3), hour(2)])
  })

  it('takes ranges that share one end for two', () => {
    const longer = { ...hour(1), to: hour(5).to }
    expect(addRecentRange([hour(1)], longer)).toEqual([longer, hour(1)])
  })
})
