import { z } from 'zod'

import { LogLineSchema } from './logLine.ts'

/** Lines of one answer at most. */
export const MAX_LOG_LINES = 1_000
const DEFAULT_LINES = 500
const MAX_QUERY = 1_000
/** Of `nextPage`: below what a body may have in all. */
export const MAX_PAGE_CHARACTERS = 900_000

/** Body of `POST /logs`. */
export const LogQuerySchema = z.object({
  /** Of a component. */
  id: z.guid(),
  /** Of one of its log selectors; the first when it is empty. */
  name: z.string().max(500).default(''),
  /** Words: a line has all of them, in its message or its labels, regardless of case. */
  query: z.string().max(MAX_QUERY).default(''),
  /** A line has all of them. */
  labels: z.record(z.string(), z.string()).default({}),
  /** Timestamps or date math, for example `now-1h`. */
  start: z.string().default('now-1h'),
  end: z.string().default('now'),
  limit: z.number().int().min(1).max(MAX_LOG_LINES).default(DEFAULT_LINES),
  /** `nextPage` of an earlier answer: what is older. It may name all lines of a moment. */
  page: z.string().max(MAX_PAGE_CHARACTERS).optional(),
  /** Id of a line: finds the lines around it, whatever the query and the range; at most half of them are newer. */
  around: z.string().max(1_000).optional(),
  /**
   * What came since an earlier answer, whose `tail` this is; empty to begin. The answer waits a moment for lines to come. A backend
   * that does not know it answers as always, without a `tail`.
   */
  follow: z.string().max(20_000).optional(),
})
export type LogQuery = z.output<typeof LogQuerySchema>

/** Answer of `POST /logs`; an empty one has no keys. */
export const LogPageSchema = z.object({
  /** In the whole range, where the source counts them. */
  total: z.number().optional(),
  /** Newest first. */
  results: z.array(LogLineSchema).optional(),
  /** Where older lines begin. */
  nextPage: z.string().optional(),
  /** Where newer lines begin; of a call with `follow`. */
  tail: z.string().optional(),
  /** Lines that came since and are not among the results; of a call with `follow`. */
  dropped: z.number().optional(),
  /** Names of log backends that hold lines of this selector and are not asked here, for example because of a templated query. */
  notAsked: z.array(z.string()).optional(),
})
export type LogPage = z.infer<typeof LogPageSchema>

/** What other servers answer: every field of a line may be missing. */
const ForeignPageSchema = z.object({
  results: z
    .array(
      z.object({
        id: z.string().nullish().catch(null),
        timestamp: z.string().nullish().catch(null),
        message: z.string().nullish().catch(null),
        labels: z.record(z.string(), z.coerce.string()).nullish().catch(null),
      }),
    )
    .nullish(),
  total: z.number().nullish().catch(null),
  nextPage: z.string().nullish().catch(null),
  tail: z.string().nullish().catch(null),
  dropped: z.number().nullish().catch(null),
  notAsked: z.array(z.string()).nullish().catch(null),
})

/**
 * An answer of any backend's `POST /logs`. A line without an id gets one of what it says, and of how often the page has said that.
 *
 * @throws ZodError when it is no answer at all
 */
export function readLogPage(answer: unknown): LogPage {
  const { results, total, nextPage, tail, dropped, notAsked } = ForeignPageSchema.parse(answer)
  const seen = new Map<string, number>()
  const lines = results?.map(({ id, timestamp, message, labels }) => {
    const line = { timestamp: timestamp ?? '', message: message ?? '', labels: labels ?? {} }
    if (id) return { id, ...line }
    const said = `${line.timestamp} ${line.message}`
    const times = (seen.get(said) ?? 0) + 1
    seen.set(said, times)
    return { id: `${said} #${times}`, ...line }
  })
  return {
    ...(typeof total === 'number' && { total }),
    ...(lines && { results: lines }),
    ...(nextPage && { nextPage }),
    ...(tail && { tail }),
    ...(dropped && { dropped }),
    ...(notAsked && { notAsked }),
  }
}
