import { describe, expect, it } from 'vitest'

import { toPixelShift } from '../../../../../web/src/features/wallboard/board/pixelShift.ts'

const MINUTE_MS = 60_000
const REACH = 6

describe('toPixelShift', () => {
  const day = Array.from({ length: 24 * 60 }, (_, minute) => toPixelShift(minute * MINUTE_MS, REACH))

  it('stays within its reach and moves too little at a time to be seen', () => {
    for (const [index, { x, y }] of day.entries()) {
      expect(Math.abs(x)).toBeLessThanOrEqual(REACH)
      expect(Math.abs(y)).toBeLessThanOrEqual(REACH)
      const before = day[index - 1] ?? { x, y }
      expect(Math.max(Math.abs(x - before.x), Math.abs(y - before.y))).toBeLessThanOrEqual(2)
    }
  })

  it('comes to nearly every place within a day, so that no edge stays on the same pixels', () => {
    const places = new Set(day.map(({ x, y }) => `${x},${y}`))
    expect(places.size).toBeGreaterThan((2 * REACH + 1) ** 2 * 0.9)
    const share = Math.max(...[...places].map((place) => day.filter(({ x, y }) => `${x},${y}` === place).length))
    expect(share / day.length).toBeLessThan(0.1)
  })
})
