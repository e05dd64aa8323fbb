import { resolveTimeRange, type TimeRange, type Zone } from '@watchroom/shared/time'

/** A time range in the form that the panel's requests need. */
export interface PanelWindow {
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  /** Whether the range moves with the time; then requests have no upper end. */
  readonly endsNow: boolean
  /** Part of the query of GET /canary/api/graph. */
  readonly graphQuery: string
}

/** `now-2h`, without rounding and without a second step: such a range has a length that the backend knows too. */
const PLAIN = /^now-(\d+)(m|h|d|w|M|y)$/

/** @param options.now milliseconds since the epoch, the server's clock */
export function toPanelWindow(range: TimeRange, { now, zone }: { now: number; zone: Zone }): PanelWindow {
  const { from, to } = resolveTimeRange(range, { now, zone })
  const endsNow = Math.abs(to - now) < 1
  const plain = range.rangeType === 'relative' ? PLAIN.exec(range.range) : null
  if (plain) {
    // Counted by the backend's clock, so that two hours stay two hours and don't tip over into coarser buckets.
    return { from, to, endsNow, graphQuery: `start=${plain[1]}${plain[2] === 'M' ? 'mo' : plain[2]}` }
  }
  const iso = (moment: number): string => encodeURIComponent(new Date(moment).toISOString())
  return { from, to, endsNow, graphQuery: `start=${iso(from)}&end=${iso(to)}` }
}

/** Equal for ranges that mean the same. */
export function toRangeId(range: TimeRange): string {
  switch (range.rangeType) {
    case 'relative':
      return range.range
    case 'mapped':
      return range.timeRange
    case 'absolute':
      return `${range.from}/${range.to}`
  }
}
