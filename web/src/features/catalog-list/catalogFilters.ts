import { toLabelKey } from '@watchroom/shared/catalog'
import { toLabel } from '@watchroom/shared/incidents'

import type { FilterOption } from '../../ui/table/filterOption.ts'
import type { ChoiceFilter, IncludeExcludeFilter, ToolbarFilter } from '../../ui/table/ResourceToolbar.tsx'
import { parseThreeWay, stringifyThreeWay } from '../../url/threeWay.ts'
import { isPlainKey, NO_GROUPING, orderedGroups, parseGroupBy, tagGroup } from './grouping.ts'
import { fromPairFilter, parseLabels, parseTags, stringifyLabels, stringifyTags, toPairFilter } from './labelFilter.ts'
import { type CatalogSearch, isSummary } from './search.ts'

/** The values to choose from, as far as they are known. */
export interface CatalogOptions {
  readonly types: readonly string[]
  readonly statuses: readonly string[]
  readonly labels: readonly Pair[]
  readonly tags: readonly Pair[]
}

interface Pair {
  readonly key: string
  readonly value: string | null
}

type Change = (patch: Partial<CatalogSearch>) => void

const HEALTHS = ['healthy', 'unhealthy', 'warning', 'unknown']

const toOption = (value: string): FilterOption => ({ value, label: value })

const toPairOptions = (pairs: readonly Pair[]): FilterOption[] =>
  pairs.flatMap(({ key, value }) =>
    value === null ? [] : [{ value: toLabelKey(key, value), label: value === 'true' ? key : `${key}: ${value}` }],
  )

/** Selected values stay in the list, even if nothing has them any more. */
const withChosen = (values: readonly string[], chosen: Iterable<string>): FilterOption[] =>
  [...new Set([...values, ...chosen])].filter(Boolean).map(toOption)

function typeFilter({ configType }: CatalogSearch, types: readonly string[], onChange: Change): ChoiceFilter {
  return {
    kind: 'choice',
    key: 'configType',
    title: 'Type',
    options: withChosen(types, [configType]),
    value: configType,
    onChange: (next) => onChange({ configType: next }),
  }
}

function groupFilter(search: CatalogSearch, tags: readonly Pair[], onChange: Change): ChoiceFilter {
  // The database sorts by groups, and supports fewer keys.
  const keys = [...new Set(tags.map(({ key }) => key))].filter((key) => isSummary(search) || isPlainKey(key))
  const ofTags = keys.map((key) => ({ value: tagGroup(key), label: `Tag ${key}` }))
  const own = isSummary(search)
    ? [{ value: NO_GROUPING, label: 'None' }]
    : [
        { value: 'config_class', label: 'Class' },
        { value: 'type', label: 'Type' },
        { value: 'changed', label: 'Changed' },
      ]
  const known = [...own, ...ofTags]
  const isDone = isSummary(search) || orderedGroups(search).length > 0
  const asked = isDone ? search.groupBy || search.groupByProp : ''
  const chosen =
    known.some(({ value }) => value === asked) || asked === '' ? [] : [{ value: asked, label: toGroupLabel(asked) }]
  return {
    kind: 'choice',
    key: 'groupBy',
    title: 'Group By',
    none: isSummary(search) ? 'Class' : 'None',
    options: [...known, ...chosen],
    value: asked,
    onChange: (groupBy) => onChange({ groupBy, groupByProp: '' }),
  }
}

const GROUP_WORDS = { config_class: 'Class', type: 'Type', changed: 'Changed' } as const

const toGroupLabel = (text: string): string =>
  parseGroupBy(text)
    .map((group) => (group.by === 'tag' ? `Tag ${group.tag}` : GROUP_WORDS[group.by]))
    .join(', ') || text

const wordFilter = (
  key: 'status' | 'health',
  title: string,
  search: CatalogSearch,
  values: readonly string[],
  onChange: Change,
): IncludeExcludeFilter => {
  const value = parseThreeWay(search[key])
  return {
    kind: 'threeWay',
    key,
    title,
    options: withChosen(values, value.keys()).map((option) =>
      key === 'health' ? { ...option, label: toLabel(option.value) } : option,
    ),
    value,
    onChange: (next) => onChange({ [key]: stringifyThreeWay(next) }),
  }
}

/** Type, Group By, Labels, Tags, Status and Health: those of the third specification, section 2. */
export function toCatalogFilters(search: CatalogSearch, options: CatalogOptions, onChange: Change): ToolbarFilter[] {
  return [
    typeFilter(search, options.types, onChange),
    groupFilter(search, options.tags, onChange),
    {
      kind: 'threeWay',
      key: 'labels',
      title: 'Labels',
      options: toPairOptions(options.labels),
      value: toPairFilter(parseLabels(search.labels)),
      onChange: (value) => onChange({ labels: stringifyLabels(fromPairFilter(value)) }),
    },
    {
      kind: 'threeWay',
      key: 'tags',
      title: 'Tags',
      options: toPairOptions(options.tags),
      value: toPairFilter(parseTags(search.tags)),
      onChange: (value) => onChange({ tags: stringifyTags(fromPairFilter(value)) }),
    },
    wordFilter('status', 'Status', search, options.statuses, onChange),
    wordFilter('health', 'Health', search, HEALTHS, onChange),
  ]
}

/** No filter and no search. */
export const NO_FILTERS = {
  search: '',
  configType: '',
  labels: '',
  status: '',
  health: '',
  groupBy: '',
  groupByProp: '',
  tags: '',
} as const satisfies Partial<CatalogSearch>

/** Whether filters may hide rows; grouping hides nothing. */
export const isFiltered = (search: CatalogSearch): boolean =>
  [search.search.trim(), search.configType, search.labels, search.status, search.health, search.tags].some(Boolean)
