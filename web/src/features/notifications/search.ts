import { NOTIFICATION_EVENTS, SEND_STATUSES } from '@watchroom/shared/notifications'
import { z } from 'zod'

import { type ListAsk, quoteValue, textFilter, toLikePattern } from '../../api/tables.ts'
import { pageIndexField, pageSizeField } from '../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../ui/table/pages.ts'
import { booleanField, idField } from '../../url/searchFields.ts'

export const DEFAULT_PAGE_SIZE = 50
const order = z.enum(['asc', 'desc']).catch('desc')

/** What the address of the list of rules says. */
export type RuleSearch = {
  query: string
  /** The rule that is edited. */
  id: string
  add: boolean
  /** The rule whose most common error is shown. */
  failed: string
  pageIndex: number
  pageSize: number
  sortBy: 'created_at' | 'updated_at' | 'title' | 'sent' | 'failed' | 'pending'
  sortOrder: 'asc' | 'desc'
}

export const RuleSearchSchema: z.ZodType<RuleSearch> = z.object({
  query: z.string().catch(''),
  id: idField,
  add: booleanField(),
  failed: idField,
  pageIndex: pageIndexField,
  pageSize: pageSizeField(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  sortBy: z.enum(['created_at', 'updated_at', 'title', 'sent', 'failed', 'pending']).catch('created_at'),
  sortOrder: order,
})

/** By what the list shows: the title, or the name of a rule that has none. */
function toNameFilters(query: string): string[] {
  const pattern = toLikePattern(query)
  if (pattern === '') return []
  const like = `ilike.${quoteValue(pattern)}`
  return [`or=${encodeURIComponent(`(title.${like},and(or(title.is.null,title.eq.""),name.${like}))`)}`]
}

export const toRuleAsk = (search: RuleSearch): ListAsk => ({
  filters: toNameFilters(search.query),
  order: { by: search.sortBy, direction: search.sortOrder },
  limit: search.pageSize,
  offset: search.pageIndex * search.pageSize,
})

/** What the address of the history says. */
export type HistorySearch = {
  query: string
  event: string
  status: string
  rule: string
  /** The message that is open. */
  id: string
  pageIndex: number
  pageSize: number
  sortBy: 'created_at' | 'duration_millis' | 'count'
  sortOrder: 'asc' | 'desc'
}

const oneOf = (values: readonly string[]) =>
  z
    .string()
    .refine((text) => values.includes(text))
    .catch('')

export const HistorySearchSchema: z.ZodType<HistorySearch> = z.object({
  query: z.string().catch(''),
  event: oneOf(NOTIFICATION_EVENTS),
  status: oneOf(SEND_STATUSES),
  rule: idField,
  id: idField,
  pageIndex: pageIndexField,
  pageSize: pageSizeField(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  sortBy: z.enum(['created_at', 'duration_millis', 'count']).catch('created_at'),
  sortOrder: order,
})

export const toHistoryAsk = (search: HistorySearch): ListAsk => ({
  filters: [
    ...textFilter('recipient', search.query),
    ...(search.event === '' ? [] : [`source_event=eq.${search.event}`]),
    ...(search.status === '' ? [] : [`status=eq.${search.status}`]),
    ...(search.rule === '' ? [] : [`notification_id=eq.${search.rule}`]),
  ],
  order: { by: search.sortBy, direction: search.sortOrder },
  limit: search.pageSize,
  offset: search.pageIndex * search.pageSize,
})

/** What the address of the list of what happened says. */
export type WhySearch = {
  /** The resource that it is about. */
  resource_id: string
  event: string
  /** The transition that is explained. */
  id: string
  pageIndex: number
  pageSize: number
}

export const WhySearchSchema: z.ZodType<WhySearch> = z.object({
  resource_id: idField,
  event: oneOf(NOTIFICATION_EVENTS),
  id: idField,
  pageIndex: pageIndexField,
  pageSize: pageSizeField(PAGE_SIZES, DEFAULT_PAGE_SIZE),
})

/** Which resource a silence is about, as its parameters name it. */
export const SILENCE_PARAMETERS = ['check_id', 'canary_id', 'component_id', 'config_id'] as const
export type SilenceParameter = (typeof SILENCE_PARAMETERS)[number]

export type SilenceSearch = Record<SilenceParameter, string> & {
  add: boolean
  /** The silence that is edited. */
  id: string
}

export const SilenceSearchSchema: z.ZodType<SilenceSearch> = z.object({
  check_id: idField,
  canary_id: idField,
  component_id: idField,
  config_id: idField,
  add: booleanField(),
  id: idField,
})
