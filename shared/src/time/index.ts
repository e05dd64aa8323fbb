export { tryParseDuration } from './duration.ts'
export { formatDuration } from './formatDuration.ts'
export { parseTimestamp } from './parseTimestamp.ts'
export { RANGE_KEYS, type RangeKey } from './rangeKeys.ts'
