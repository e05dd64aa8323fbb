import { ANALYSIS_TYPES, INSIGHT_STATUSES, SEVERITIES } from '@watchroom/shared/catalog'
import { toLabel } from '@watchroom/shared/incidents'
import { assertNever } from '@watchroom/shared/kernel'

import type { FilterOption } from '../../ui/table/filterOption.ts'
import type { ChoiceFilter } from '../../ui/table/ResourceToolbar.tsx'
import type { InsightSearch } from './search.ts'

/** The values to choose from, as far as they are known. */
export interface InsightOptions {
  readonly components: readonly FilterOption[]
  /** Their names are still loading. */
  readonly isNaming: boolean
  readonly analyzers: readonly string[]
}

type FilterKey = 'component' | 'type' | 'severity' | 'status' | 'analyzer' | 'configType'

interface InsightFilters {
  readonly search: InsightSearch
  readonly options: InsightOptions
  /** The filters that make sense on the page. */
  readonly keys: readonly FilterKey[]
  readonly onChange: (patch: Partial<InsightSearch>) => void
}

const TITLES: Readonly<Record<FilterKey, string>> = {
  component: 'Component',
  type: 'Type',
  severity: 'Severity',
  status: 'Status',
  analyzer: 'Analyzer',
  configType: 'Catalog type',
}

const toOption = (value: string): FilterOption => ({ value, label: value })
const toWord = (value: string): FilterOption => ({ value, label: toLabel(value) })

function optionsOf(key: FilterKey, { components, analyzers }: InsightOptions): readonly FilterOption[] {
  switch (key) {
    case 'component':
      return components
    case 'type':
      return ANALYSIS_TYPES.map(toWord)
    case 'severity':
      return SEVERITIES.toReversed().map(toWord)
    case 'status':
      return INSIGHT_STATUSES.map(toWord)
    case 'analyzer':
      return analyzers.map(toOption)
    case 'configType':
      return []
    default:
      return assertNever(key, 'filter of insights')
  }
}

/** Component, type, severity and analyzer: those of the third specification, section 2; status and the type of items beside them. */
export const toInsightFilters = ({ search, options, keys, onChange }: InsightFilters): ChoiceFilter[] =>
  keys
    .map((key): ChoiceFilter => ({
      kind: 'choice',
      key,
      title: TITLES[key],
      options: optionsOf(key, options),
      value: search[key],
      isLoading: key === 'component' && options.isNaming,
      onChange: (next) => onChange({ [key]: next, pageIndex: 0 }),
    }))
    // The type of items is carried over from another page; it cannot be chosen here.
    .filter(({ options: choices, value }) => choices.length > 0 || value !== '')
