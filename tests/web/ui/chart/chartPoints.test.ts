import { describe, expect, it } from 'vitest'

import { nearestIndex, toPlotData } from '../../../../web/src/ui/chart/chartPoints.ts'

const point = (at: number, value = at) => ({ at, value, isBad: false })

describe('toPlotData', () => {
  it('counts in seconds and keeps the values', () => {
    expect(toPlotData([point(1_000, 5), point(2_000, 7)], 10_000)).toEqual([
      [1, 2],
      [5, 7],
    ])
  })

  it('interrupts the line where nothing was measured for longer than the gap, and nowhere else', () => {
    expect(toPlotData([point(0), point(1_000), point(2_000), point(6_000)], 2_500)).toEqual([
      [0, 1, 2, 4, 6],
      [0, 1_000, 2_000, null, 6_000],
    ])
  })

  it('has nothing for no points', () => {
    expect(toPlotData([], 1)).toEqual([[], []])
  })
})

describe('nearestIndex', () => {
  const points = [point(0), point(10), point(30)]
  it.each([
    [-5, 0],
    [4, 0],
    [5, 1],
    [6, 1],
    [19, 1],
    [21, 2],
    [99, 2],
  ])('of %d is %d', (at, index) => {
    expect(nearestIndex(points, at)).toBe(index)
  })

  it('is null when there are no points', () => {
    expect(nearestIndex([], 3)).toBeNull()
  })
})
