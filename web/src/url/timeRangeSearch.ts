import {
  isMappedRangeName,
  isRangeKey,
  rangeOfKey,
  type TimeRange,
  toRelativeRange,
  toTimeRange,
  tryParseTimeExpression,
} from '@watchroom/shared/time'

import type { FlatSearch } from './searchParams.ts'

/**
 * The time range in a URL, or undefined when there is none. `rangeType` says which keys count; when it is missing or its
 * keys are invalid, any of the others that can be read counts. A short key in `timeRange` is a relative range.
 */
export function readTimeRange(search: FlatSearch): TimeRange | undefined {
  const stated = READERS.find(([type]) => type === search['rangeType'])
  for (const [, read] of stated ? [stated, ...READERS] : READERS) {
    const range = read(search)
    if (range) return range
  }
  return undefined
}

const READERS: readonly [TimeRange['rangeType'], (search: FlatSearch) => TimeRange | undefined][] = [
  ['mapped', readNamed],
  ['relative', readRelative],
  ['absolute', readAbsolute],
]

function readNamed({ timeRange }: FlatSearch): TimeRange | undefined {
  if (typeof timeRange !== 'string') return undefined
  if (isRangeKey(timeRange)) return rangeOfKey(timeRange)
  return isMappedRangeName(timeRange) ? { rangeType: 'mapped', display: timeRange, timeRange } : undefined
}

/** The range since a moment that `start` names (second specification, section 2): `1h`, `45m`, `now-1h`, `now/d`. */
export function readStart(start: string): TimeRange | undefined {
  const isLength = /^\d+(?:ms|[smhdwMy])$/.test(start)
  return readNamed({ timeRange: start }) ?? readRelative({ range: isLength ? `now-${start}` : start })
}

/** Longer than any label of ours. */
const MAX_DISPLAY = 60

function readRelative({ range, display }: FlatSearch): TimeRange | undefined {
  if (typeof range !== 'string') return undefined
  const parsed = tryParseTimeExpression(range)
  if (!parsed.ok || parsed.value.anchor.kind !== 'now' || parsed.value.steps.length === 0) return undefined
  const relative = toRelativeRange(range.trim())
  // The link's own label counts only where we have none: it must not call the last year the last hour.
  const hasOwnWords = /^(?:Last|Next) /.test(relative.display)
  if (hasOwnWords || typeof display !== 'string' || display.trim() === '') return relative
  return { ...relative, display: display.trim().slice(0, MAX_DISPLAY) }
}

function readAbsolute({ from, to }: FlatSearch): TimeRange | undefined {
  if (typeof from !== 'string' || typeof to !== 'string') return undefined
  // Fixed moments only. Without a zone they are UTC, the same moments for every reader of the link.
  if (from.includes('now') || to.includes('now')) return undefined
  const range = toTimeRange({ from, to }, { now: 0, zone: 'UTC' })
  return range.ok ? range.value : undefined
}

/** The keys that hold a range in the URL. Setting a range clears them first, including `start` and `duration`, which links may have. */
const RANGE_SEARCH_KEYS = ['rangeType', 'display', 'from', 'to', 'range', 'timeRange', 'start', 'duration'] as const

/** The URL with another range, or without one; other keys stay. */
export function writeTimeRange(search: FlatSearch, range: TimeRange | undefined): FlatSearch {
  const next: FlatSearch = { ...search }
  for (const key of RANGE_SEARCH_KEYS) next[key] = undefined
  return { ...next, ...range }
}
