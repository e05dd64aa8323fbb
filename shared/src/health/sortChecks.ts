import { assertNever } from '../kernel/index.ts'
import type { GroupHealth, Health } from './health.ts'

export const SORT_COLUMNS = ['name', 'health', 'uptime', 'latency', 'transition'] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]

/** What a check and a group have in common when they are put in order. */
export interface Sortable {
  /** Lower-cased title. */
  readonly sortName: string
  /** Breaks ties, so that the order depends on the rows alone and not on the order they arrived in. */
  readonly sortId: string
  readonly health: Health | GroupHealth
  readonly passed: number
  readonly failed: number
  readonly latencyMs: number | null
  readonly transitionAt: number | null
}

/** Worst first. */
const HEALTH_RANK: Record<Health | GroupHealth, number> = {
  unhealthy: 0,
  bad: 0,
  mixed: 1,
  unknown: 2,
  healthy: 3,
  good: 3,
}

/** Share of passed runs in [0, 1], null when nothing ran. */
export function toUptimeRatio({ passed, failed }: { passed: number; failed: number }): number | null {
  return passed + failed > 0 ? passed / (passed + failed) : null
}

// Code units instead of a collator: 10,000 names must sort within a frame.
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const byName = (a: Sortable, b: Sortable): number =>
  compareText(a.sortName, b.sortName) || compareText(a.sortId, b.sortId)

function toSortValue(row: Sortable, column: Exclude<SortColumn, 'name'>): number | null {
  switch (column) {
    case 'health':
      return HEALTH_RANK[row.health]
    case 'uptime':
      return toUptimeRatio(row)
    case 'latency':
      return row.latencyMs
    case 'transition':
      return row.transitionAt
    default:
      return assertNever(column, 'toSortValue')
  }
}

/**
 * Comparator of a column. Equal rows are ordered by name whatever the direction; a row without a value comes last both ways.
 */
export function compareBy(column: SortColumn, isDescending: boolean): (a: Sortable, b: Sortable) => number {
  const direction = isDescending ? -1 : 1
  if (column === 'name') return (a, b) => direction * byName(a, b)
  return (a, b) => {
    const left = toSortValue(a, column)
    const right = toSortValue(b, column)
    if (left === right) return byName(a, b)
    if (left === null) return 1
    if (right === null) return -1
    return direction * (left - right)
  }
}
