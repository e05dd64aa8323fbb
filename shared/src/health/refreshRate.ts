import { tryParseDuration } from '../time/index.ts'

/** How often the board asks by itself where nothing is pushed (first specification, section 9). */
export const REFRESH_RATES = ['None', '15s', '30s', '60s', '2m', '3m', '5m', '10m', '15m'] as const
export type RefreshRate = (typeof REFRESH_RATES)[number]

export const DEFAULT_REFRESH_RATE: RefreshRate = '60s'

const MINUTE_MS = 60_000

/** The rates that a long time range rules out: asking often for what hardly changes only costs (first specification, section 4). */
const DISABLED_FROM: readonly { readonly rangeMs: number; readonly rates: readonly RefreshRate[] }[] = [
  { rangeMs: 60 * MINUTE_MS, rates: ['15s', '30s'] },
  { rangeMs: 180 * MINUTE_MS, rates: ['2m', '3m'] },
]

/** A long range is drawn too slowly to be asked for this often. @param rangeMs length of the time range */
export function isRateDisabled(rate: RefreshRate, rangeMs: number): boolean {
  return DISABLED_FROM.some((rule) => rangeMs >= rule.rangeMs && rule.rates.includes(rate))
}

/** The chosen rate, or while the time range rules it out the next slower one that is allowed, else `None`. */
export function toAllowedRate(chosen: RefreshRate, rangeMs: number): RefreshRate {
  const slower = REFRESH_RATES.slice(REFRESH_RATES.indexOf(chosen))
  return slower.find((rate) => !isRateDisabled(rate, rangeMs)) ?? 'None'
}

/** @returns milliseconds, null for `None` */
export function toRefreshMs(rate: RefreshRate): number | null {
  return rate === 'None' ? null : tryParseDuration(rate)
}
