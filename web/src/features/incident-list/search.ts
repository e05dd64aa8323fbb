import {
  INCIDENT_SEVERITIES,
  INCIDENT_STATUSES,
  INCIDENT_TYPES,
  type IncidentSeverity,
  type IncidentStatus,
  type IncidentType,
} from '@watchroom/shared/incidents'
import { z } from 'zod'

import { pageIndexField, pageSizeField } from '../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../ui/table/pages.ts'

/** Rows on a page of the list until someone chooses otherwise. */
export const DEFAULT_PAGE_SIZE = 100

// A type, not an interface: only types are assignable to the index signature of `useSearchState`.
/** The search parameters of the list of incidents. A missing or invalid key falls back to its default; the others stay. */
export type IncidentSearch = {
  type: IncidentType | 'all'
  severity: IncidentSeverity | 'all'
  status: IncidentStatus | 'all'
  /** Id of the person who opened the incident; empty: anyone. */
  owner: string
  /** Id of a component that the evidence is about; empty: any. */
  component: string
  search: string
  pageIndex: number
  pageSize: number
}

export const IncidentSearchSchema: z.ZodType<IncidentSearch> = z.object({
  type: z.enum(['all', ...INCIDENT_TYPES]).catch('all'),
  severity: z.enum(['all', ...INCIDENT_SEVERITIES]).catch('all'),
  status: z.enum(['all', ...INCIDENT_STATUSES]).catch('open'),
  owner: z.string().catch('').transform(noneForAll),
  component: z.string().catch('').transform(noneForAll),
  search: z.string().catch(''),
  pageIndex: pageIndexField,
  pageSize: pageSizeField(PAGE_SIZES, DEFAULT_PAGE_SIZE),
})

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
