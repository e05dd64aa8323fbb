import { NIL_UUID, ownValue } from '../kernel/index.ts'
import type { CheckFacts } from './checkFacts.ts'
import type { CheckSummary } from './checkSummary.ts'

/** Fields of a check whose values can become columns. */
export const PIVOT_FIELDS = [
  'namespace',
  'type',
  'severity',
  'status',
  'canary_name',
  'name',
  'description',
  'endpoint',
  'agent_id',
  'icon',
] as const
export type PivotField = (typeof PIVOT_FIELDS)[number]

/** What a cell of the pivot shows of its checks. */
export const PIVOT_CELL_TYPES = ['status', 'uptime', 'latency', 'last_transition_time', 'checkStatuses'] as const
export type PivotCellType = (typeof PIVOT_CELL_TYPES)[number]

export interface Pivot {
  readonly by: PivotField | 'labels'
  /** Label key, for `labels` only. */
  readonly label: string
  readonly cellType: PivotCellType
}

export interface PivotColumns {
  /** Sorted. */
  readonly values: readonly string[]
  /** Some check has no value, or one beyond the limit. */
  readonly hasOther: boolean
}

/** More columns than this nobody reads, and a browser does not draw them in time. */
export const MAX_PIVOT_COLUMNS = 40

type PivotRow = Pick<CheckSummary, PivotField | 'canary_namespace' | 'labels'>

/** @returns null when the check has no value */
export function toPivotValue(row: PivotRow, { by, label }: Pick<Pivot, 'by' | 'label'>): string | null {
  if (by === 'labels') return ownValue(row.labels, label) || null
  if (by === 'namespace') return row.namespace || row.canary_namespace || null
  if (by === 'agent_id') return row.agent_id && row.agent_id !== NIL_UUID ? row.agent_id : null
  return row[by] || null
}

/** Columns for these checks: one per value; of too many the most frequent, the rest together with the checks without value. */
export function toPivotColumns(checks: Iterable<CheckFacts>, pivot: Pick<Pivot, 'by' | 'label'>): PivotColumns {
  const counts = new Map<string, number>()
  let hasOther = false
  for (const check of checks) {
    const value = toPivotValue(check.row, pivot)
    if (value === null) hasOther = true
    else counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const byFrequency = [...counts].toSorted(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
  const values = byFrequency.slice(0, MAX_PIVOT_COLUMNS).map(([value]) => value)
  return { values: values.toSorted(), hasOther: hasOther || counts.size > MAX_PIVOT_COLUMNS }
}

export interface PivotCells {
  readonly byValue: ReadonlyMap<string, readonly CheckFacts[]>
  readonly other: readonly CheckFacts[]
}

/** The checks of one row of the pivot, by column. */
export function toPivotCells(
  checks: Iterable<CheckFacts>,
  pivot: Pick<Pivot, 'by' | 'label'>,
  { values }: PivotColumns,
): PivotCells {
  const byValue = new Map<string, CheckFacts[]>(values.map((value) => [value, []]))
  const other: CheckFacts[] = []
  for (const check of checks) (byValue.get(toPivotValue(check.row, pivot) ?? '') ?? other).push(check)
  return { byValue, other }
}
