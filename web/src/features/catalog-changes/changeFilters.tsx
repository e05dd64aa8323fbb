import { SEVERITIES } from '@watchroom/shared/catalog'
import { toLabel } from '@watchroom/shared/incidents'
import type { TimeRange } from '@watchroom/shared/time'

import type { FilterOption } from '../../ui/table/filterOption.ts'
import type { ToolbarFilter } from '../../ui/table/ResourceToolbar.tsx'
import { TimeRangePicker, toRangeLabel } from '../../ui/time-range/TimeRangePicker.tsx'
import { parseThreeWay, stringifyThreeWay } from '../../url/threeWay.ts'
import { type ChangeSearch, readTypes, writeTypes } from './search.ts'

export interface ChangeFilterOptions {
  readonly search: ChangeSearch
  readonly onChange: (patch: Partial<ChangeSearch>) => void
  readonly range: TimeRange
  readonly onRange: (range: TimeRange | undefined) => void
  /** Of the person. */
  readonly zone: string
  readonly types: readonly string[]
  readonly changeTypes: readonly string[]
  readonly tags: readonly string[]
  /** Items and people by id. */
  readonly nameOf: (id: string) => string | undefined
}

type Plain = 'id' | 'summary' | 'source' | 'external_created_by' | 'changeType' | 'tags'

const SEVERITY_OPTIONS: readonly FilterOption[] = [
  ...SEVERITIES.toReversed().map((value) => ({
    value,
    label: value === 'critical' ? 'Critical' : `${toLabel(value)} or worse`,
  })),
  ...SEVERITIES.map((value) => ({ value: `!${value}`, label: `Not ${value}` })),
]

/** Type, change, severity, tags and time are always offered; filters chosen from a row only while they are set. */
export function toChangeFilters(options: ChangeFilterOptions): ToolbarFilter[] {
  const { search, onChange, range, onRange, zone, nameOf } = options
  const threeWay = (key: Plain, title: string, values: readonly string[]): ToolbarFilter => {
    const value = parseThreeWay(search[key])
    return {
      kind: 'threeWay',
      key,
      title,
      options: toOptions(values, value.keys(), nameOf),
      value,
      onChange: (next) => onChange({ [key]: stringifyThreeWay(next) }),
    }
  }
  const chosen = (key: Plain, title: string): ToolbarFilter[] => (search[key] === '' ? [] : [threeWay(key, title, [])])
  const types = readTypes(search)
  return [
    {
      kind: 'threeWay',
      key: 'configTypes',
      title: 'Type',
      options: toOptions(options.types, types.keys(), nameOf),
      value: types,
      onChange: (next) => onChange({ configTypes: writeTypes(next), configType: '' }),
    },
    ...one(search, onChange, nameOf),
    threeWay('changeType', 'Change', options.changeTypes),
    {
      kind: 'choice',
      key: 'severity',
      title: 'Severity',
      options: SEVERITY_OPTIONS,
      value: search.severity,
      onChange: (severity) => onChange({ severity }),
    },
    threeWay('tags', 'Tags', options.tags),
    ...chosen('id', 'Item'),
    ...chosen('summary', 'Summary'),
    ...chosen('source', 'Source'),
    ...(search.created_by === '' ? chosen('external_created_by', 'By') : []),
    {
      kind: 'own',
      key: 'range',
      title: 'Time',
      value: toRangeLabel(range, zone),
      control: <TimeRangePicker key="range" value={range} onChange={onRange} />,
    },
  ]
}

const toOptions = (
  values: readonly string[],
  chosen: Iterable<string>,
  nameOf: ChangeFilterOptions['nameOf'],
): FilterOption[] => [...new Set([...chosen, ...values])].map((value) => ({ value, label: nameOf(value) ?? value }))

/** One type, carried over from another tab, or one person. Three-way types replace it. */
function one(
  { configType, configTypes, created_by: person }: ChangeSearch,
  onChange: ChangeFilterOptions['onChange'],
  nameOf: ChangeFilterOptions['nameOf'],
): ToolbarFilter[] {
  const choice = (key: 'configType' | 'created_by', title: string, value: string): ToolbarFilter => ({
    kind: 'choice',
    key,
    title,
    options: [{ value, label: nameOf(value) ?? value }],
    value,
    onChange: (next) => onChange({ [key]: next }),
  })
  return [
    ...(configType !== '' && configTypes === '' ? [choice('configType', 'Only type', configType)] : []),
    ...(person === '' ? [] : [choice('created_by', 'By', person)]),
  ]
}
