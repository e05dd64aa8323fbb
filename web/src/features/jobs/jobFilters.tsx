import { JOB_RESOURCE_TYPES, JOB_STATUSES } from '@watchroom/shared/settings'
import type { TimeRange } from '@watchroom/shared/time'

import type { ToolbarFilter } from '../../ui/table/ResourceToolbar.tsx'
import { TimeRangePicker, toRangeLabel } from '../../ui/time-range/TimeRangePicker.tsx'
import { parseThreeWay, stringifyThreeWay } from '../../url/threeWay.ts'
import { type JobSearch, readStatuses, writeStatuses } from './search.ts'

const DURATIONS = ['1s', '10s', '1m', '5m', '15m', '1h']

interface JobFilters {
  readonly search: JobSearch
  /** Names that can be chosen. */
  readonly names: readonly string[]
  readonly range: TimeRange
  /** Of the person. */
  readonly zone: string
  readonly onChange: (patch: Partial<JobSearch>) => void
  readonly onRange: (range: TimeRange | undefined) => void
}

const toOption = (value: string) => ({ value, label: value.toLowerCase().replaceAll('_', ' ') })

/** Job name, resource type, status, duration and time: those of the third specification, section 2. */
export const toJobFilters = ({ search, names, range, zone, onChange, onRange }: JobFilters): ToolbarFilter[] => [
  {
    kind: 'threeWay',
    key: 'name',
    title: 'Job name',
    options: names.map((value) => ({ value, label: value })),
    value: parseThreeWay(search.name),
    onChange: (value) => onChange({ name: stringifyThreeWay(value) }),
  },
  {
    kind: 'threeWay',
    key: 'resource_type',
    title: 'Resource type',
    options: JOB_RESOURCE_TYPES.map(toOption),
    value: parseThreeWay(search.resource_type),
    onChange: (value) => onChange({ resource_type: stringifyThreeWay(value) }),
  },
  {
    kind: 'threeWay',
    key: 'status',
    title: 'Status',
    options: JOB_STATUSES.map(toOption),
    value: readStatuses(search),
    onChange: (value) => onChange({ status: writeStatuses(value) }),
  },
  {
    kind: 'choice',
    key: 'runDuration',
    title: 'Duration',
    options: [...new Set([...DURATIONS, search.runDuration])].filter(Boolean).map((value) => ({
      value,
      label: `at least ${value}`,
    })),
    value: search.runDuration,
    onChange: (runDuration) => onChange({ runDuration }),
  },
  {
    kind: 'own',
    key: 'range',
    title: 'Time',
    value: toRangeLabel(range, zone),
    control: <TimeRangePicker key="range" value={range} onChange={onRange} />,
  },
]
