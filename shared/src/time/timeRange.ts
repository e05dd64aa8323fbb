import { assertNever } from '../kernel/index.ts'
import { resolveTimeExpression, tryParseTimeExpression } from './timeExpression.ts'
import { MAPPED_RANGES, type MappedRangeName, type RelativeRange } from './timeRangePresets.ts'
import type { Zone } from './zonedTime.ts'

/** A choice of the time range picker, as the URL keeps it (first specification, section 2). */
export type TimeRange =
  /** From `range` until now, or with `now+…` from now until `range`. */
  | RelativeRange
  /** A quick range: `timeRange` is its name. */
  | { readonly rangeType: 'mapped'; readonly display: string; readonly timeRange: MappedRangeName }
  /** Both ends in ISO 8601. */
  | { readonly rangeType: 'absolute'; readonly display: 'Custom'; readonly from: string; readonly to: string }

export interface TimeRangeMoments {
  /** Milliseconds since the epoch. */
  readonly from: number
  /** Milliseconds since the epoch, inclusive. */
  readonly to: number
}

/** Both ends as expressions of the grammar, as calls that take date math want them. */
export function toRangeExpressions(range: TimeRange): { from: string; to: string } {
  switch (range.rangeType) {
    case 'relative':
      return range.range.startsWith('now+') ? { from: 'now', to: range.range } : { from: range.range, to: 'now' }
    case 'mapped':
      return MAPPED_RANGES[range.timeRange]
    case 'absolute':
      return { from: range.from, to: range.to }
    default:
      return assertNever(range, 'range type')
  }
}

/**
 * The two moments a range means now. Ends with equal text are the whole unit: `now-1d/d` twice is all of yesterday.
 *
 * @param now milliseconds since the epoch
 * @throws RangeError when an end cannot be read; `tryParseTimeRange` lets no such range in
 */
export function resolveTimeRange(range: TimeRange, { now, zone }: { now: number; zone: Zone }): TimeRangeMoments {
  const ends = toRangeExpressions(range)
  const from = resolve(ends.from, { now, zone })
  const to = resolve(ends.to, { now, zone, roundUp: ends.from === ends.to })
  // `now+1d-3d` begins like a range into the future and lies in the past.
  return from <= to ? { from, to } : { from: to, to: from }
}

function resolve(text: string, options: { now: number; zone: Zone; roundUp?: boolean }): number {
  const expression = tryParseTimeExpression(text)
  if (!expression.ok) throw new RangeError(`not a time: ${text}`)
  return resolveTimeExpression(expression.value, options)
}
