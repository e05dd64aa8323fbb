import { HEALTH_BAR, type RelatedConfig, toTypeKey } from '@watchroom/shared/catalog'
import { toLabel } from '@watchroom/shared/incidents'

import type { FilterOption } from '../../ui/table/filterOption.ts'
import type { IncludeExcludeFilter } from '../../ui/table/ResourceToolbar.tsx'
import { parseThreeWay, stringifyThreeWay } from '../../url/threeWay.ts'
import { type RelationshipSearch, toTagKey } from './search.ts'

type FilterKey = 'configTypes' | 'status' | 'health' | 'tags'

/** The filters of the catalog, with what is there to choose from. @param rows all that is related, whatever is filtered */
export function toRelationshipFilters(
  search: RelationshipSearch,
  rows: readonly RelatedConfig[],
  onChange: (patch: Partial<RelationshipSearch>) => void,
): IncludeExcludeFilter[] {
  const toFilter = (key: FilterKey, title: string, options: readonly FilterOption[]): IncludeExcludeFilter => {
    const value = parseThreeWay(search[key])
    // What is chosen stays a choice where nothing has it any more.
    const known = new Set(options.map((option) => option.value))
    const chosen = [...value.keys()].filter((word) => !known.has(word)).map((word) => ({ value: word, label: word }))
    return {
      kind: 'threeWay',
      key,
      title,
      options: [...options, ...chosen],
      value,
      onChange: (next) => onChange({ [key]: stringifyThreeWay(next) }),
    }
  }
  return [
    toFilter('configTypes', 'Type', count(rows.map(({ type }) => [toTypeKey(type), type]))),
    toFilter('status', 'Status', count(rows.map(({ status }) => [status ?? '', status ?? '']))),
    toFilter(
      'health',
      'Health',
      HEALTH_BAR.map((value) => ({ value, label: toLabel(value) })),
    ),
    toFilter(
      'tags',
      'Tags',
      count(
        rows.flatMap(({ tags }) =>
          Object.entries(tags ?? {}).map(([key, value]) => [toTagKey(key, value), `${key}: ${value}`]),
        ),
      ),
    ),
  ]
}

/** Each once, with how many rows have it. @param pairs value and label */
function count(pairs: readonly (readonly string[])[]): FilterOption[] {
  const options = new Map<string, { value: string; label: string; count: number }>()
  for (const [value = '', label = ''] of pairs) {
    if (value === '') continue
    options.set(value, { value, label, count: (options.get(value)?.count ?? 0) + 1 })
  }
  return [...options.values()].toSorted((one, other) => one.label.localeCompare(other.label))
}
