import { type RangeKey, rangeKeyMs } from './rangeKeys.ts'
import { type TimeUnit, tryParseTimeExpression } from './timeExpression.ts'

/** Lengths that the picker offers (first specification, section 2: 5 minutes to 5 years). */
const AMOUNTS = '5m 15m 30m 1h 3h 6h 12h 24h 2d 7d 30d 90d 6M 1y 2y 5y'.split(' ')

export interface RelativeRange {
  readonly rangeType: 'relative'
  readonly display: string
  readonly range: string
}

const UNIT_WORDS: Readonly<Record<TimeUnit, string>> = {
  ms: 'millisecond',
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  M: 'month',
  y: 'year',
}

export const PAST_PRESETS = AMOUNTS.map((amount) => toRelativeRange(`now-${amount}`))
export const FUTURE_PRESETS = AMOUNTS.map((amount) => toRelativeRange(`now+${amount}`))

/** `Last 5 minutes`, `Next 1 hour`; an expression that is more than one step stands for itself: `now-1w/w to now`. */
export function toRelativeRange(range: string): RelativeRange {
  return { rangeType: 'relative', display: describe(range), range }
}

function describe(range: string): string {
  const parsed = tryParseTimeExpression(range)
  const [step, ...more] = parsed.ok ? parsed.value.steps : []
  if (step?.kind !== 'move' || step.amount === 0 || more.length > 0) return `${range} to now`
  const size = Math.abs(step.amount)
  return `${step.amount < 0 ? 'Last' : 'Next'} ${size} ${UNIT_WORDS[step.unit]}${size === 1 ? '' : 's'}`
}

const DAY_MS = 86_400_000

/** The range behind a short key: `3h` is the last three hours. Months and years are those of the keys: 30 and 360 days. */
export function rangeOfKey(key: RangeKey): RelativeRange {
  const isLong = key.endsWith('mo') || key.endsWith('y')
  const range = `now-${isLong ? `${rangeKeyMs(key) / DAY_MS}d` : key}`
  return { rangeType: 'relative', display: describe(`now-${key.replace('mo', 'M')}`), range }
}

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
