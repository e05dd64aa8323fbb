// How figures of the catalog are written (third specification, section 9).
import type { Config } from './rows.ts'

/** Changes of an item from which on they stand out. */
export const MANY_CHANGES = 500

/** Above 999 in thousands: `1k+`, `1.2k+`, `43k+`. There are at least so many. */
export function formatCount(count: number): string {
  if (count <= 999) return String(count)
  const thousands = count / 1_000
  return `${thousands < 10 ? Math.floor(thousands * 10) / 10 : Math.floor(thousands)}k+`
}

const dollarFormat = (digits: number): Intl.NumberFormat =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
// Made once: a format costs more to make than a row to draw.
const [WHOLE, CENTS] = [dollarFormat(0), dollarFormat(2)]

/** At most 10: two decimals. Otherwise whole dollars. */
export const formatCost = (dollars: number): string => (Math.abs(dollars) <= 10 ? CENTS : WHOLE).format(dollars)

const TREND_THRESHOLD = 0.1

/**
 * How today's cost differs from the daily average of 30 days: 0.5 means half as much again.
 *
 * @returns null when it does not by more than a tenth, or nobody knows
 */
export function costTrend({
  cost_total_1d,
  cost_total_30d,
}: Pick<Config, 'cost_total_1d' | 'cost_total_30d'>): number | null {
  if (cost_total_1d == null || cost_total_30d == null || cost_total_30d <= 0) return null
  const average = cost_total_30d / 30
  const change = (cost_total_1d - average) / average
  return Math.abs(change) > TREND_THRESHOLD ? change : null
}

/** All changes of a row of the list. */
export const countChanges = ({ changes }: Pick<Config, 'changes'>): number =>
  (changes ?? []).reduce((sum, { total }) => sum + total, 0)

/** In the order of the bar: green, red, orange, gray. */
export const HEALTH_BAR = ['healthy', 'unhealthy', 'warning', 'unknown'] as const
export type ConfigHealth = (typeof HEALTH_BAR)[number]

/** Other words, and none, are unknown. */
export const toConfigHealth = (word: string | null | undefined): ConfigHealth =>
  HEALTH_BAR.find((health) => health === word?.toLowerCase()) ?? 'unknown'

/** Parts of the bar of a group that has any, in their order. @param count of all items: those without a health are unknown */
export function toHealthBar(
  health: Readonly<Record<string, number>> | null | undefined,
  count: number,
): { readonly health: ConfigHealth; readonly count: number }[] {
  const totals: Record<ConfigHealth, number> = { healthy: 0, unhealthy: 0, warning: 0, unknown: 0 }
  let named = 0
  for (const [word, total] of Object.entries(health ?? {})) {
    totals[toConfigHealth(word)] += total
    named += total
  }
  totals.unknown += Math.max(0, count - named)
  return HEALTH_BAR.flatMap((part) => (totals[part] > 0 ? [{ health: part, count: totals[part] }] : []))
}
