import { type CheckSummary, type GroupBy, toLabelKeys, tryParseGroupBy } from '@watchroom/shared/health'
import { toNamespace, type WallFilter } from '@watchroom/shared/wall'
import { useMemo } from 'react'

import { SelectField } from '../../../ui/form/SelectField.tsx'
import { GroupByOptions } from '../../../ui/GroupByOptions.tsx'
import { NO_NAMESPACE, toFilter, toFilterSearch } from '../search.ts'
import { LabelChoices } from './LabelChoices.tsx'

interface FilterFieldsProps {
  /** Every check: what occurs among them can be chosen. */
  rows: readonly CheckSummary[]
  filter: WallFilter
  groupBy: GroupBy
  /** What the grouping is called, and what no grouping is. */
  words: { readonly groupBy: string; readonly ungrouped: string }
  /** What is wrong with a part of the filter. */
  errorAt?: (part: 'namespace' | 'labels') => string | undefined
  onFilter: (filter: WallFilter) => void
  onGroupBy: (groupBy: GroupBy) => void
}

/** Which checks a wall shows, beside those that a text finds, and by what it groups them. */
export function FilterFields({ rows, filter, groupBy, words, errorAt, onFilter, onGroupBy }: FilterFieldsProps) {
  const namespaces = useMemo(() => [...new Set(rows.map(toNamespace))].toSorted(), [rows])
  const labelKeys = useMemo(() => toLabelKeys(rows), [rows])
  const address = toFilterSearch(filter)
  return (
    <>
      <SelectField
        label="Namespace"
        placeholder="All"
        options={namespaces.map((name) => ({ value: name || NO_NAMESPACE, label: name || 'none' }))}
        value={address.namespace ?? ''}
        error={errorAt?.('namespace')}
        onChange={(choice) => onFilter(toFilter({ ...address, namespace: choice || undefined }))}
      />
      <SelectField
        label={words.groupBy}
        options={<GroupByOptions keys={labelKeys} chosen={groupBy} ungrouped={words.ungrouped} />}
        value={groupBy}
        onChange={(choice) => onGroupBy(tryParseGroupBy(choice) ?? 'no-group')}
      />
      <LabelChoices
        rows={rows}
        labels={filter.labels}
        error={errorAt?.('labels')}
        onChange={(labels) => onFilter({ ...filter, labels })}
      />
    </>
  )
}
