export { tryParseDuration } from './duration.ts'
export { formatDuration } from './formatDuration.ts'
export { parseTimestamp } from './parseTimestamp.ts'
export { isRangeKey, RANGE_KEYS, type RangeKey, rangeKeyForAge, rangeKeyMs } from './rangeKeys.ts'
export {
  formatTimeExpression,
  resolveTimeExpression,
  type ResolveTimeOptions,
  type TimeAnchor,
  type TimeExpression,
  type TimeExpressionError,
  TIME_UNITS,
  type TimeStep,
  type TimeUnit,
  tryParseTimeExpression,
} from './timeExpression.ts'
export { resolveTimeRange, type TimeRange, type TimeRangeMoments, toRangeExpressions } from './timeRange.ts'
export {
  FUTURE_PRESETS,
  isMappedRangeName,
  MAPPED_RANGE_NAMES,
  MAPPED_RANGES,
  type MappedRangeName,
  PAST_PRESETS,
  rangeOfKey,
  type RelativeRange,
  toRelativeRange,
} from './timeRangePresets.ts'
export {
  formatMoments,
  formatWallTime,
  type TimeRangeOptions,
  type TimeRangeProblem,
  toAbsoluteRange,
  toTimeRange,
  tryParseTimeRangeText,
} from './toTimeRange.ts'
export { fromWallTime, toWallTime, toZoneName, type Zone } from './zonedTime.ts'
