import { z } from 'zod'

import { idField } from '../../url/searchFields.ts'

/** What a link to logs carries, beside the time range. */
export const LogsSearchSchema = z.object({
  /** Component; empty: none. */
  topologyId: idField,
  /** Name of one of its log selectors; empty: the first. */
  logsSelector: z.string().catch(''),
  query: z.string().max(1_000).catch(''),
  /** Marked lines by their ids, from the first to the last; `lineTo` empty: one line. */
  line: z.string().catch(''),
  lineTo: z.string().catch(''),
  /** Shows the lines around this one instead of search results. */
  around: z.string().catch(''),
  /** Start, in links of the specification's form: a short key or `now-…`. A range from the picker takes precedence. */
  start: z.string().max(40).catch(''),
})
export type LogsSearch = z.infer<typeof LogsSearchSchema>
