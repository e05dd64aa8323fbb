import { z } from 'zod'

import { type ListAsk, textFilter, toPageAsk } from '../../api/tables.ts'
import { pageFields, sortFields } from '../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../ui/table/pages.ts'
import { CHART_KEYS } from './charts.ts'

/** Third specification, section 9. */
export const DEFAULT_PAGE_SIZE = 100
const ORDERS = ['name', 'integration_type', 'job_status', 'job_time_start', 'created_at', 'updated_at'] as const

/** What the address of the integrations says. */
export const IntegrationSearchSchema = z.object({
  query: z.string().catch(''),
  ...pageFields(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  ...sortFields(ORDERS, 'created_at'),
  /** `true`: the choice of what to add is open; a chart: its form. */
  add: z.enum(['true', '', ...CHART_KEYS]).catch(''),
})
export type IntegrationSearch = z.infer<typeof IntegrationSearchSchema>

export const toListAsk = (search: IntegrationSearch): ListAsk => toPageAsk(search, textFilter('name', search.query))
