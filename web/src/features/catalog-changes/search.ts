import { fromTypeKey, SEVERITIES, toTypeKey, toWordFilterText } from '@watchroom/shared/catalog'
import type { ConfigChangesParams } from '@watchroom/shared/protocol'
import { formatRequirements } from '@watchroom/shared/resources'
import { parseTimestamp, resolveTimeRange, type TimeRange, toRangeExpressions, type Zone } from '@watchroom/shared/time'
import { z } from 'zod'

import { pageSizeField } from '../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../ui/table/pages.ts'
import { booleanField, idField } from '../../url/searchFields.ts'
import { parseThreeWay, stringifyThreeWay, type ThreeWayFilter } from '../../url/threeWay.ts'

/** Third specification, section 9. */
export const DEFAULT_PAGE_SIZE = 200

/** Columns that the backend can order by. */
const ORDERS = ['name', 'change_type', 'summary', 'source', 'created_at', 'count'] as const

const text = z.string().catch('')
const moment = z
  .string()
  .refine((word) => parseTimestamp(word) !== null)
  .catch('')
/** Items have ids; any other word would match nothing. */
const items = z
  .string()
  .transform((list) =>
    stringifyThreeWay(new Map([...parseThreeWay(list)].filter(([id]) => z.guid().safeParse(id).success))),
  )
const severities: ReadonlySet<string> = new Set(SEVERITIES)

/** The search parameters of the changes, besides the time range. */
export const ChangeSearchSchema = z.object({
  /** Three-way filters: `diff:1,Pulled:-1`. `id` is about config items. */
  id: items.catch(''),
  summary: text,
  source: text,
  external_created_by: text,
  changeType: text,
  /** `::` of types is written `__`. */
  configTypes: text,
  /** Keys are `tag:value`. */
  tags: text,
  /** A person. Excludes `external_created_by`: the backend accepts only one of the two. */
  created_by: idField,
  /** This one or worse; with `!` all but this one. */
  severity: z
    .string()
    .transform((word) => word.toLowerCase())
    .refine((word) => severities.has(word.replace('!', '')))
    .catch(''),
  /** One type, carried over from the other tabs of the catalog. */
  configType: text,
  /** Counted from 1. */
  page: z.coerce.number().int().min(1).catch(1),
  pageSize: pageSizeField(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  sortBy: z.enum(ORDERS).catch('created_at'),
  sortDirection: z.enum(['asc', 'desc']).catch('desc'),
  /** Changes of what the item consists of, and of what it is part of: on the page of an item. */
  downstream: booleanField(true),
  upstream: booleanField(),
  /** The change whose details are open. */
  change: idField,
  /** `lanes`: the list below a picture. `versions`, on the page of an item: what it looked like. */
  view: z.enum(['list', 'lanes', 'versions']).catch('list'),
  /** What a lane of the picture holds the changes of. */
  lanes: z.enum(['type', 'item']).catch('type'),
  /** Moments of the version that is looked at, and of the one it is compared with. Empty: the newest, and the one before. */
  at: moment,
  against: moment,
})
export type ChangeSearch = z.infer<typeof ChangeSearchSchema>

/** Keys that filter. */
const FILTERS = [
  'id',
  'summary',
  'source',
  'external_created_by',
  'changeType',
  'configTypes',
  'tags',
  'created_by',
  'severity',
  'configType',
] as const

export const NO_FILTERS: Partial<ChangeSearch> = Object.fromEntries(FILTERS.map((key) => [key, '']))

/** Types contain `::`, which would be split at the colons. */
export const readTypes = ({ configTypes }: ChangeSearch): ThreeWayFilter =>
  new Map(Array.from(parseThreeWay(configTypes), ([type, choice]) => [fromTypeKey(type), choice]))
export const writeTypes = (chosen: ThreeWayFilter): string =>
  stringifyThreeWay(new Map(Array.from(chosen, ([type, choice]) => [toTypeKey(type), choice])))

/** What `POST /catalog/changes` takes. */
export interface ChangesAsk {
  readonly id?: string
  /** Three-way lists. */
  readonly config_type?: string
  readonly type?: string
  readonly summary?: string
  readonly source?: string
  readonly created_by?: string
  readonly severity?: string
  readonly tags?: string
  readonly from: string
  readonly to: string
  readonly recursive: ConfigChangesParams['recursive']
  readonly depth?: number
  readonly include_deleted_configs: boolean
  readonly page: number
  readonly page_size: number
  readonly sort_by: string
}

/** The item that the changes are of. */
export interface ChangeScope {
  readonly configId: string
  readonly areDeletedHidden: boolean
}

/** How many steps away an item may be for its changes to count. */
const DEPTH = 5

interface AskOptions {
  readonly range: TimeRange
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly zone: Zone
  /** Undefined: changes of all items. */
  readonly scope?: ChangeScope | undefined
}

/** What the backend is asked for. */
export function toChangesAsk(search: ChangeSearch, { range, now, zone, scope }: AskOptions): ChangesAsk {
  return {
    ...toEnds(range, now, zone),
    ...withoutEmpty({
      id: scope?.configId ?? toWordFilterText(parseThreeWay(search.id)),
      config_type: toWordFilterText(readTypes(search)) || search.configType,
      type: toWordFilterText(parseThreeWay(search.changeType)),
      // The backend decodes these three.
      summary: toEncodedText(parseThreeWay(search.summary)),
      source: toEncodedText(parseThreeWay(search.source)),
      created_by: search.created_by || toEncodedText(parseThreeWay(search.external_created_by)),
      severity: search.severity,
      tags: toSelector(parseThreeWay(search.tags)),
    }),
    ...(scope === undefined ? { recursive: 'none' as const } : toRelatives(search)),
    // Leaving out deleted items would hide what a filter asks for.
    include_deleted_configs: scope === undefined || !scope.areDeletedHidden,
    page: search.page,
    page_size: search.pageSize,
    sort_by: `${search.sortDirection === 'desc' ? '-' : ''}${search.sortBy}`,
  }
}

const withoutEmpty = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

const toRelatives = ({ downstream, upstream }: ChangeSearch): Pick<ChangesAsk, 'recursive' | 'depth'> => {
  if (!downstream && !upstream) return { recursive: 'none' }
  return { recursive: downstream && upstream ? 'all' : downstream ? 'downstream' : 'upstream', depth: DEPTH }
}

/** Expressions that mean the same everywhere are sent as they are, so that an open page keeps sending the same request. */
function toEnds(range: TimeRange, now: number, zone: Zone): { from: string; to: string } {
  const ends = toRangeExpressions(range)
  const moments = resolveTimeRange(range, { now, zone })
  const toEnd = (end: 'from' | 'to'): string =>
    // The start of a day is not the same in every zone.
    /^now[^/]*$/.test(ends[end]) ? ends[end] : new Date(moments[end]).toISOString()
  return { from: toEnd('from'), to: toEnd('to') }
}

const toEncodedText = (filter: ThreeWayFilter): string =>
  toWordFilterText(Array.from(filter, ([word, choice]) => [encodeURIComponent(word), choice]))

/** `key in (a,b),other!=c`. */
function toSelector(filter: ThreeWayFilter): string {
  const groups = new Map<string, { key: string; operator: 'in' | 'not-in'; values: string[] }>()
  for (const [item, choice] of filter) {
    const [key = '', ...rest] = item.split(':')
    const operator = choice === -1 ? 'not-in' : 'in'
    const group = groups.get(`${operator} ${key}`) ?? { key, operator, values: [] }
    group.values.push(rest.join(':'))
    groups.set(`${operator} ${key}`, group)
  }
  return formatRequirements([...groups.values()])
}
