import { NOTIFICATION_EVENTS, SEND_STATUSES } from '@watchroom/shared/notifications'
import { z } from 'zod'

import { type ListAsk, quoteValue, textFilter, toLikePattern, toPageAsk } from '../../api/tables.ts'
import { pageFields, sortFields } from '../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../ui/table/pages.ts'
import { booleanField, idField } from '../../url/searchFields.ts'

export const DEFAULT_PAGE_SIZE = 50

/** What the address of the list of rules says. */
export const RuleSearchSchema = z.object({
  query: z.string().catch(''),
  /** The rule that is edited. */
  id: idField,
  add: booleanField(),
  /** The rule whose most common error is shown. */
  failed: idField,
  ...pageFields(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  ...sortFields(['created_at', 'updated_at', 'title', 'sent', 'failed', 'pending'], 'created_at'),
})
export type RuleSearch = z.infer<typeof RuleSearchSchema>

/** By what the list shows: the title, or the name of a rule that has none. */
function toNameFilters(query: string): string[] {
  const pattern = toLikePattern(query)
  if (pattern === '') return []
  const like = `ilike.${quoteValue(pattern)}`
  return [`or=${encodeURIComponent(`(title.${like},and(or(title.is.null,title.eq.""),name.${like}))`)}`]
}

export const toRuleAsk = (search: RuleSearch): ListAsk => toPageAsk(search, toNameFilters(search.query))

const oneOf = (values: readonly string[]) =>
  z
    .string()
    .refine((text) => values.includes(text))
    .catch('')

/** What the address of the history says. */
export const HistorySearchSchema = z.object({
  query: z.string().catch(''),
  event: oneOf(NOTIFICATION_EVENTS),
  status: oneOf(SEND_STATUSES),
  rule: idField,
  /** The message that is open. */
  id: idField,
  ...pageFields(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  ...sortFields(['created_at', 'duration_millis', 'count'], 'created_at'),
})
export type HistorySearch = z.infer<typeof HistorySearchSchema>

export const toHistoryAsk = (search: HistorySearch): ListAsk =>
  toPageAsk(search, [
    ...textFilter('recipient', search.query),
    ...(search.event === '' ? [] : [`source_event=eq.${search.event}`]),
    ...(search.status === '' ? [] : [`status=eq.${search.status}`]),
    ...(search.rule === '' ? [] : [`notification_id=eq.${search.rule}`]),
  ])

/** What the address of the list of what happened says. */
export const WhySearchSchema = z.object({
  /** The resource that it is about. */
  resource_id: idField,
  event: oneOf(NOTIFICATION_EVENTS),
  /** The transition that is explained. */
  id: idField,
  ...pageFields(PAGE_SIZES, DEFAULT_PAGE_SIZE),
})

/** Which resource a silence is about, as its parameters name it. */
export const SILENCE_PARAMETERS = ['check_id', 'canary_id', 'component_id', 'config_id'] as const

export const SilenceSearchSchema = z.object({
  check_id: idField,
  canary_id: idField,
  component_id: idField,
  config_id: idField,
  add: booleanField(),
  /** The silence that is edited. */
  id: idField,
})
export type SilenceSearch = z.infer<typeof SilenceSearchSchema>
