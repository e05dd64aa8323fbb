import { INCIDENT_SEVERITIES, INCIDENT_STATUSES, INCIDENT_TYPES } from '@watchroom/shared/incidents'
import { z } from 'zod'

import { pageFields } from '../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../ui/table/pages.ts'

/** Rows on a page of the list until someone chooses otherwise. */
export const DEFAULT_PAGE_SIZE = 100

/** The search parameters of the list of incidents. A missing or invalid key falls back to its default; the others stay. */
export const IncidentSearchSchema = z.object({
  type: z.enum(['all', ...INCIDENT_TYPES]).catch('all'),
  severity: z.enum(['all', ...INCIDENT_SEVERITIES]).catch('all'),
  status: z.enum(['all', ...INCIDENT_STATUSES]).catch('open'),
  /** Id of the person who opened the incident; empty: anyone. */
  owner: z.string().catch('').transform(noneForAll),
  /** Id of a component that the evidence is about; empty: any. */
  component: z.string().catch('').transform(noneForAll),
  search: z.string().catch(''),
  ...pageFields(PAGE_SIZES, DEFAULT_PAGE_SIZE),
})
export type IncidentSearch = z.infer<typeof IncidentSearchSchema>

/** Links of older consoles say `all` where nothing is filtered. */
function noneForAll(id: string): string {
  return id === 'all' ? '' : id
}

/** No filter but the one every visit starts with. */
export const DEFAULT_FILTERS = {
  type: 'all',
  severity: 'all',
  status: 'open',
  owner: '',
  component: '',
  search: '',
  pageIndex: 0,
} as const satisfies Partial<IncidentSearch>

/** Nothing is filtered at all. */
export const NO_FILTERS = { ...DEFAULT_FILTERS, status: 'all' } as const satisfies Partial<IncidentSearch>
