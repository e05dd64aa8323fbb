import { z } from 'zod'

import type { ListAsk } from '../../api/tables.ts'
import { textFilter } from '../../api/tables.ts'
import { pageIndexField, pageSizeField } from '../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../ui/table/pages.ts'
import { CHART_KEYS, type ChartKey } from './charts.ts'

/** Third specification, section 9. */
export const DEFAULT_PAGE_SIZE = 100
const ORDERS = ['name', 'integration_type', 'job_status', 'job_time_start', 'created_at', 'updated_at'] as const

/** What the address of the integrations says. */
export type IntegrationSearch = {
  query: string
  pageIndex: number
  pageSize: number
  sortBy: (typeof ORDERS)[number]
  sortOrder: 'asc' | 'desc'
  /** `true`: the choice of what to add is open; a chart: its form. */
  add: ChartKey | 'true' | ''
}

export const IntegrationSearchSchema: z.ZodType<IntegrationSearch> = z.object({
  query: z.string().catch(''),
  pageIndex: pageIndexField,
  pageSize: pageSizeField(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  sortBy: z.enum(ORDERS).catch('created_at'),
  sortOrder: z.enum(['asc', 'desc']).catch('desc'),
  add: z.enum(['true', '', ...CHART_KEYS]).catch(''),
})

export const toListAsk = (search: IntegrationSearch): ListAsk => ({
  filters: textFilter('name', search.query),
  order: { by: search.sortBy, direction: search.sortOrder },
  limit: search.pageSize,
  offset: search.pageIndex * search.pageSize,
})
