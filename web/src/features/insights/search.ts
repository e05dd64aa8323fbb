import { ANALYSIS_TYPES, INSIGHT_STATUSES, SEVERITIES } from '@watchroom/shared/catalog'
import { isUuid } from '@watchroom/shared/kernel'
import { z } from 'zod'

import type { ListAsk } from '../../api/tables.ts'
import { pageFields, sortFields } from '../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../ui/table/pages.ts'

/** Third specification, section 2. */
export const DEFAULT_PAGE_SIZE = 50
const ORDERS = ['analyzer', 'analysis_type', 'severity', 'status', 'first_observed', 'last_observed'] as const

const idField = z.string().refine(isUuid).or(z.literal('')).catch('')

/** Some links write severities with a capital. */
const lowered = z.string().transform((text) => text.toLowerCase())

/** What the address of a list of insights says. Empty: any. */
export const InsightSearchSchema = z.object({
  /** Id of a component that the items are linked to. */
  component: idField,
  type: z.enum([...ANALYSIS_TYPES, '']).catch(''),
  severity: lowered.pipe(z.enum([...SEVERITIES, ''])).catch(''),
  status: z.enum([...INSIGHT_STATUSES, '']).catch(''),
  analyzer: z.string().catch(''),
  configType: z
    .string()
    .transform((type) => (type === 'All' ? '' : type))
    .catch(''),
  /** The insight whose details are open. */
  insight: idField,
  ...pageFields(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  ...sortFields(ORDERS, 'first_observed'),
})
export type InsightSearch = z.infer<typeof InsightSearchSchema>

/** Nothing is filtered. */
export const NO_FILTERS = {
  component: '',
  type: '',
  severity: '',
  status: '',
  analyzer: '',
  configType: '',
  pageIndex: 0,
} as const satisfies Partial<InsightSearch>

export const isFiltered = (search: InsightSearch): boolean =>
  [search.component, search.type, search.severity, search.status, search.analyzer, search.configType].some(Boolean)

const equals = (column: string, value: string): string[] =>
  value === '' ? [] : [`${column}=eq.${encodeURIComponent(value)}`]

/** The database alone would put severities in the order of the alphabet. Among those that are equally bad the newest is the first. */
function toOrder({ sortBy: by, sortOrder: direction }: InsightSearch, isRanked: boolean): ListAsk['order'] {
  if (by !== 'severity') return { by, direction }
  const before = isRanked ? `severity_rank.${direction}.nullslast,` : ''
  return { by: `${before}first_observed`, direction: 'desc' }
}

/** Rows of a function have no rank: to be sorted by it, insights of a component are found by the links of their items. */
export const isFoundByLinks = ({ component, sortBy }: InsightSearch, isRanked: boolean): boolean =>
  isRanked && component !== '' && sortBy === 'severity'

function ofComponent(search: InsightSearch, isRanked: boolean): string[] {
  if (search.component === '') return []
  // An argument of the function that is asked, not a filter of its rows.
  if (!isFoundByLinks(search, isRanked)) return [`id=${search.component}`]
  return [`config.links.component_id=eq.${search.component}`, 'config.links.deleted_at=is.null']
}

/**
 * @param configId insights of this item alone
 * @param isRanked the database knows which severity is worse
 */
export function toInsightAsk(search: InsightSearch, configId: string | undefined, isRanked: boolean): ListAsk {
  const isOfFunction = search.component !== '' && !isFoundByLinks(search, isRanked)
  return {
    filters: [
      ...ofComponent(search, isRanked),
      ...equals('config_id', configId ?? ''),
      ...equals('analysis_type', search.type),
      ...equals('severity', search.severity),
      ...equals('status', search.status),
      ...equals('analyzer', search.analyzer),
      // The function answers with rows that do not say of what type their item is.
      ...equals(isOfFunction ? 'config.type' : 'config_type', search.configType),
    ],
    order: toOrder(search, isRanked),
    limit: search.pageSize,
    offset: search.pageIndex * search.pageSize,
  }
}
