import { type CheckSummary, type GroupBy, toLabelKeys } from '@watchroom/shared/health'
import { useMemo } from 'react'

const GROUPINGS = [
  { value: 'canary_name', label: 'Group Name' },
  { value: 'name', label: 'Name' },
  { value: 'description', label: 'Description' },
  { value: 'type', label: 'Type' },
] as const

/** A grouping as people read it. */
export const toGroupingText = (groupBy: GroupBy): string =>
  GROUPINGS.find(({ value }) => value === groupBy)?.label ?? groupBy.replace('label:', 'label ')

/** Choices of a menu by what tiles are made: the fixed ones, and every label key in use. */
export function GroupByOptions({ rows, ungrouped }: { rows: readonly CheckSummary[]; ungrouped: string }) {
  const labelKeys = useMemo(() => toLabelKeys(rows), [rows])
  return (
    <>
      <option value="no-group">{ungrouped}</option>
      {GROUPINGS.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
      {labelKeys.map((key) => (
        <option key={key} value={`label:${key}`}>
          Label {key}
        </option>
      ))}
    </>
  )
}
