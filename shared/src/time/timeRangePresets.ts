/** Amounts that the picker offers, with their words (first specification, section 2: 5 minutes to 5 years). */
const AMOUNTS = [
  ['5m', '5 minutes'],
  ['15m', '15 minutes'],
  ['30m', '30 minutes'],
  ['1h', '1 hour'],
  ['3h', '3 hours'],
  ['6h', '6 hours'],
  ['12h', '12 hours'],
  ['24h', '24 hours'],
  ['2d', '2 days'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['6M', '6 months'],
  ['1y', '1 year'],
  ['2y', '2 years'],
  ['5y', '5 years'],
] as const

export interface RelativePreset {
  readonly rangeType: 'relative'
  readonly display: string
  readonly range: string
}

export const PAST_PRESETS: readonly RelativePreset[] = AMOUNTS.map(([amount, words]) => ({
  rangeType: 'relative',
  display: `Last ${words}`,
  range: `now-${amount}`,
}))

export const FUTURE_PRESETS: readonly RelativePreset[] = AMOUNTS.map(([amount, words]) => ({
  rangeType: 'relative',
  display: `Next ${words}`,
  range: `now+${amount}`,
}))

/** Quick ranges and their ends. Ends with equal text are a whole unit: `to` is its end. */
export const MAPPED_RANGES = {
  Yesterday: { from: 'now-1d/d', to: 'now-1d/d' },
  'Day before yesterday': { from: 'now-2d/d', to: 'now-2d/d' },
  'This day last week': { from: 'now-7d/d', to: 'now-7d/d' },
  'Previous week': { from: 'now-1w/w', to: 'now-1w/w' },
  'Previous month': { from: 'now-1M/M', to: 'now-1M/M' },
  'Previous year': { from: 'now-1y/y', to: 'now-1y/y' },
  Today: { from: 'now/d', to: 'now/d' },
  'Today so far': { from: 'now/d', to: 'now' },
  'This week': { from: 'now/w', to: 'now/w' },
  'This week so far': { from: 'now/w', to: 'now' },
  'This month': { from: 'now/M', to: 'now/M' },
  'This month so far': { from: 'now/M', to: 'now' },
  'This year': { from: 'now/y', to: 'now/y' },
  'This year so far': { from: 'now/y', to: 'now' },
} as const satisfies Record<string, { from: string; to: string }>

export type MappedRangeName = keyof typeof MAPPED_RANGES

export const MAPPED_RANGE_NAMES = Object.keys(MAPPED_RANGES) as MappedRangeName[]

export function isMappedRangeName(text: string): text is MappedRangeName {
  return Object.hasOwn(MAPPED_RANGES, text)
}
