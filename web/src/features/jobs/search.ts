import { type TimeRangeMoments, tryParseDuration } from '@watchroom/shared/time'
import { z } from 'zod'

import { type ListAsk, toPageAsk } from '../../api/tables.ts'
import { pageFields, sortFields } from '../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../ui/table/pages.ts'
import { idField } from '../../url/searchFields.ts'
import { parseThreeWay, stringifyThreeWay, type ThreeWayFilter } from '../../url/threeWay.ts'

/** Third specification, section 9. */
export const DEFAULT_PAGE_SIZE = 150
/** Few people are interested in jobs that succeeded. */
const DEFAULT_STATUS = 'SUCCESS:-1'
/** In the URL: no filter by status. An empty value would mean the default. */
const ANY = 'any'

/** Columns that can order the list. */
const ORDERS = [
  'created_at',
  'name',
  'resource_type',
  'status',
  'duration_millis',
  'success_count',
  'error_count',
] as const

/** What the address of every list of jobs says. */
export const OpenJobSchema = z.object({
  /** The job whose details are open. */
  job: idField,
})

/** What the address of the job history says, beside the time range. */
export const JobSearchSchema = OpenJobSchema.extend({
  /** Three-way filters: `FAILED:1,SUCCESS:-1`. */
  name: z.string().catch(''),
  resource_type: z.string().catch(''),
  status: z.string().catch(DEFAULT_STATUS),
  /** Took at least this long: `10s`. */
  runDuration: z
    .string()
    .refine((text) => tryParseDuration(text) !== null)
    .catch(''),
  ...pageFields(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  ...sortFields(ORDERS, 'created_at'),
})
export type JobSearch = z.infer<typeof JobSearchSchema>

export const readStatuses = ({ status }: JobSearch): ThreeWayFilter => parseThreeWay(status === ANY ? '' : status)
export const writeStatuses = (chosen: ThreeWayFilter): string => stringifyThreeWay(chosen) || ANY

/** The default filters. */
export const DEFAULT_FILTERS = { name: '', resource_type: '', status: DEFAULT_STATUS, runDuration: '' }

/** What the server is asked for. @param isOpenEnded the range reaches to now, and whatever begins meanwhile is in it */
export function toListAsk(search: JobSearch, { from, to }: TimeRangeMoments, isOpenEnded: boolean): ListAsk {
  const leastMs = search.runDuration === '' ? null : tryParseDuration(search.runDuration)
  return toPageAsk(search, [
    ...threeWayFilters('name', parseThreeWay(search.name)),
    ...threeWayFilters('resource_type', parseThreeWay(search.resource_type)),
    ...threeWayFilters('status', readStatuses(search)),
    ...(leastMs === null ? [] : [`duration_millis=gte.${Math.round(leastMs)}`]),
    `created_at=gte.${new Date(from).toISOString()}`,
    ...(isOpenEnded ? [] : [`created_at=lte.${new Date(to).toISOString()}`]),
  ])
}

function threeWayFilters(column: string, filter: ThreeWayFilter): string[] {
  const list = (wanted: 1 | -1): string =>
    Array.from(filter, ([value, choice]) => (choice === wanted ? [`"${encodeURIComponent(quoted(value))}"`] : []))
      .flat()
      .join(',')
  const [included, excluded] = [list(1), list(-1)]
  return [
    ...(included === '' ? [] : [`${column}=in.(${included})`]),
    ...(excluded === '' ? [] : [`${column}=not.in.(${excluded})`]),
  ]
}

/** Within the quotes of a list. */
const quoted = (value: string): string => value.replaceAll(/["\\]/g, String.raw`\$&`)
