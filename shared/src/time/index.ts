export { tryParseDuration } from './duration.ts'
export { formatDuration } from './formatDuration.ts'
export { isDuration } from './isDuration.ts'
export { toDurationText } from './toDurationText.ts'
export { parseTimestamp } from './parseTimestamp.ts'
export { isRangeKey, RANGE_KEYS, rangeKeyForAge, rangeKeyMs } from './rangeKeys.ts'
export {
  formatTimeExpression,
  resolveTimeExpression,
  type TimeAnchor,
  type TimeExpression,
  TIME_UNITS,
  type TimeStep,
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
  toRelativeRange,
} from './timeRangePresets.ts'
export {
  formatMoments,
  formatWallTime,
  type TimeRangeOptions,
  toAbsoluteRange,
  toTimeRange,
  tryParseTimeRangeText,
} from './toTimeRange.ts'
export { fromWallTime, toWallTime, toZoneName, type Zone } from './zonedTime.ts'
