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
