/** One point of a time chart. Times in milliseconds since the epoch. */
export interface ChartPoint {
  readonly at: number
  readonly value: number
  /** Drawn taller, in a different shape and color. */
  readonly isBad: boolean
}

/** What uPlot takes: seconds, and `null` where the line is interrupted. */
export type PlotData = [xs: number[], ys: (number | null)[]]

/**
 * The points as a line that has a gap wherever nothing was measured for longer than `gapMs`.
 *
 * @param points oldest first
 */
export function toPlotData(points: readonly ChartPoint[], gapMs: number): PlotData {
  const xs: number[] = []
  const ys: (number | null)[] = []
  for (const [index, { at, value }] of points.entries()) {
    const before = points[index - 1]
    if (before !== undefined && at - before.at > gapMs) {
      xs.push((before.at + at) / 2_000)
      ys.push(null)
    }
    xs.push(at / 1_000)
    ys.push(value)
  }
  return [xs, ys]
}

/** Index of the point closest to a moment; null when there are none. The points are ordered by time. */
export function nearestIndex(points: readonly ChartPoint[], at: number): number | null {
  if (points.length === 0) return null
  let low = 0
  let high = points.length - 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((points[middle]?.at ?? 0) < at) low = middle + 1
    else high = middle
  }
  const [left, right] = [points[low - 1], points[low]]
  return left !== undefined && right !== undefined && at - left.at < right.at - at ? low - 1 : low
}
