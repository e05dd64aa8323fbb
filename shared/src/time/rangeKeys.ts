import { tryParseDuration } from './duration.ts'

/** Short time range keys of the URL parameter `timeRange` (first specification, section 2); `mo` is a month of 30 days. */
export const RANGE_KEYS = [
  '15m',
  '1h',
  '2h',
  '3h',
  '6h',
  '12h',
  '1d',
  '2d',
  '3d',
  '1w',
  '2w',
  '3w',
  '1mo',
  '2mo',
  '3mo',
  '6mo',
  '1y',
  '2y',
  '3y',
  '5y',
] as const
export type RangeKey = (typeof RANGE_KEYS)[number]

const KEYS: ReadonlySet<string> = new Set(RANGE_KEYS)

/** Whether a word is one of the keys; any other may still be an expression. */
export function isRangeKey(text: string): text is RangeKey {
  return KEYS.has(text)
}

/** Length of a key in milliseconds: a month has 30 days and a year 12 such months. */
export function rangeKeyMs(key: RangeKey): number {
  return tryParseDuration(key) ?? Number.NaN
}

/** First specification, section 4: the lengths a panel may open with. */
const AGE_BANDS = RANGE_KEYS.filter((key) => key !== '15m' && key !== '2h')

/**
 * The time range a panel opens with: the shortest that reaches back to something `ageMs` ago.
 * Below an hour, and for an age that is not known, that is 1h; beyond five years it is 5y.
 */
export function rangeKeyForAge(ageMs: number): RangeKey {
  if (Number.isNaN(ageMs)) return '1h'
  return AGE_BANDS.find((key) => ageMs <= rangeKeyMs(key)) ?? '5y'
}
