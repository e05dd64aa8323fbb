// What the product finds out about itself, as items of the catalog. Numbers that move all the time are left out or rounded
// coarsely: a look that finds nothing new writes nothing.

export interface SelfInsight {
  readonly analyzer: string
  readonly type: 'availability' | 'compliance' | 'performance' | 'recommendation' | 'reliability' | 'technical_debt'
  readonly severity: 'critical' | 'high' | 'medium' | 'low' | 'info'
  readonly summary: string
  readonly message: string
}

export interface SelfItem {
  /** The same over restarts, and of no other item. */
  readonly id: string
  readonly name: string
  readonly type: string
  readonly class: string
  /** Id of the item that contains it; none for an item by itself. */
  readonly parent?: string
  readonly status?: string
  readonly health?: 'healthy' | 'warning' | 'unhealthy' | 'unknown'
  readonly config: Readonly<Record<string, unknown>>
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
  readonly relationships?: readonly { readonly id: string; readonly relation: string }[]
  readonly insights?: readonly SelfInsight[]
}

/** What everything else belongs to. */
export const INSTALLATION_ID = 'watchroom'

/** A count as its power of ten, so that it rarely changes. */
export function toMagnitude(count: number): string {
  if (count < 1) return 'none'
  return `at least ${(10 ** Math.floor(Math.log10(count))).toLocaleString('en')}`
}

const MEBIBYTE_EXPONENT = 20

/** A size in bytes as the power of two above it, from 1 MB, so that it rarely changes. */
export function toSizeClass(bytes: number): string {
  const units = ['MB', 'GB', 'TB', 'PB']
  const exponent = Math.max(0, Math.ceil(Math.log2(Math.max(1, bytes))) - MEBIBYTE_EXPONENT)
  const unit = Math.min(units.length - 1, Math.floor(exponent / 10))
  return `up to ${2 ** (exponent - 10 * unit)} ${units[unit]}`
}
