import { z } from 'zod'

import { idField } from '../../url/searchFields.ts'

/** What a link to logs carries, beside the time range. */
export type LogsSearch = {
  /** Component; empty: none. */
  topologyId: string
  /** Name of one of its log selectors; empty: the first. */
  logsSelector: string
  query: string
  /** Marked lines by their ids, from the first to the last; `lineTo` empty: one line. */
  line: string
  lineTo: string
  /** Shows the lines around this one instead of search results. */
  around: string
  /** Start, in links of the specification's form: a short key or `now-…`. A range from the picker takes precedence. */
  start: string
}

export const LogsSearchSchema: z.ZodType<LogsSearch> = z.object({
  topologyId: idField,
  logsSelector: z.string().catch(''),
  query: z.string().max(1_000).catch(''),
  line: z.string().catch(''),
  lineTo: z.string().catch(''),
  around: z.string().catch(''),
  start: z.string().max(40).catch(''),
})
