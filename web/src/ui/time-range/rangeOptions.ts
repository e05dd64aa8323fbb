import {
  formatMoments,
  FUTURE_PRESETS,
  MAPPED_RANGE_NAMES,
  MAPPED_RANGES,
  PAST_PRESETS,
  type TimeRange,
  type TimeRangeOptions,
  toAbsoluteRange,
  tryParseTimeRangeText,
} from '@watchroom/shared/time'

import type { RecentRange } from './recentRanges.ts'

export type RangePresets = 'past' | 'future' | 'both'

export interface RangeOption {
  readonly label: string
  /** The same as an expression, shown small beside the label and found by typing it. */
  readonly hint: string
  readonly range: TimeRange
}

export interface RangeGroup {
  readonly title: string
  readonly options: readonly RangeOption[]
}

export interface RangeOptionsInput extends TimeRangeOptions {
  readonly presets: RangePresets
  readonly recent: readonly RecentRange[]
  /** What was typed into the list's field. */
  readonly query: string
}

/** What the list offers for what was typed: an expression of the user's own first, then every preset that holds all words. */
export function toRangeGroups({ presets, recent, query, now, zone }: RangeOptionsInput): RangeGroup[] {
  const words = query
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const groups: RangeGroup[] = [
    { title: 'Recent', options: recent.map((range) => toRecentOption(range, zone)) },
    ...(presets === 'future' ? [] : [{ title: 'Past', options: PAST_PRESETS.map(toPresetOption) }]),
    ...(presets === 'past' ? [] : [{ title: 'Future', options: FUTURE_PRESETS.map(toPresetOption) }]),
    ...(presets === 'future' ? [] : [{ title: 'Quick ranges', options: QUICK_OPTIONS }]),
  ]
  const found = groups.map(({ title, options }) => ({
    title,
    options: options.filter(({ label, hint }) =>
      words.every((word) => `${label} ${hint}`.toLowerCase().includes(word)),
    ),
  }))
  const typed = tryParseTyped(query, presets, { now, zone })
  return [{ title: 'As typed', options: typed ? [typed] : [] }, ...found].filter(({ options }) => options.length > 0)
}

const QUICK_OPTIONS: readonly RangeOption[] = MAPPED_RANGE_NAMES.map((name) => ({
  label: name,
  hint:
    MAPPED_RANGES[name].from === MAPPED_RANGES[name].to
      ? MAPPED_RANGES[name].from
      : `${MAPPED_RANGES[name].from} – now`,
  range: { rangeType: 'mapped', display: name, timeRange: name },
}))

const toPresetOption = (range: (typeof PAST_PRESETS)[number]): RangeOption => ({
  label: range.display,
  hint: range.range,
  range,
})

function toRecentOption({ from, to }: RecentRange, zone: string): RangeOption {
  const moments = { from: Date.parse(from), to: Date.parse(to) }
  return { label: formatMoments(moments, zone), hint: '', range: toAbsoluteRange(moments.from, moments.to) }
}

const PRESET_TEXTS = new Set([...PAST_PRESETS, ...FUTURE_PRESETS].map(({ range }) => range))

/** `45m`, `now-45m`, `2026-01-31 – 2026-02-02`; null for what the presets offer anyway. */
function tryParseTyped(query: string, presets: RangePresets, options: TimeRangeOptions): RangeOption | null {
  const text = query.trim()
  if (text === '') return null
  const isBareAmount = /^\d+(?:ms|[smhHdwMy])$/.test(text)
  const parsed = tryParseTimeRangeText(isBareAmount ? `now${presets === 'future' ? '+' : '-'}${text}` : text, options)
  if (!parsed.ok || parsed.value.rangeType === 'mapped') return null
  const range = parsed.value
  if (range.rangeType === 'relative') {
    if (PRESET_TEXTS.has(range.range)) return null
    return { label: range.display, hint: range.range, range }
  }
  const moments = { from: Date.parse(range.from), to: Date.parse(range.to) }
  return { label: formatMoments(moments, options.zone), hint: '', range }
}

export function isSameRange(one: TimeRange | undefined, other: TimeRange): boolean {
  if (one?.rangeType === 'relative') return other.rangeType === 'relative' && one.range === other.range
  if (one?.rangeType === 'mapped') return other.rangeType === 'mapped' && one.timeRange === other.timeRange
  return one !== undefined && other.rangeType === 'absolute' && one.from === other.from && one.to === other.to
}
