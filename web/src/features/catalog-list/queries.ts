import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ConfigSummarySchema, toWordFilterText } from '@watchroom/shared/catalog'
import { z } from 'zod'

import { catalogListKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import { parseThreeWay } from '../../url/threeWay.ts'
import { summaryGroups } from './grouping.ts'
import { byKey, type PairChoice, parseLabels, parseTags } from './labelFilter.ts'
import type { CatalogSearch } from './search.ts'

/** Third specification, section 9. */
const WINDOW = '30d'
/** How long the labels and tags that can be chosen stay fresh (third specification, section 9). */
const LABELS_FRESH_MS = 60_000

// An empty answer is `null`.
const SummaryAnswer = z
  .array(ConfigSummarySchema)
  .nullable()
  .transform((rows) => rows ?? [])

/** Wanted and unwanted values of each key, as the backend takes them: it decodes each of them. */
const toPairBody = (pairs: readonly PairChoice[]): Record<string, string> =>
  Object.fromEntries(
    Array.from(byKey(pairs), ([key, { wanted, unwanted }]) => [
      key,
      [...wanted.map(encodeURIComponent), ...unwanted.map((value) => `!${encodeURIComponent(value)}`)].join(),
    ]),
  )

function toSummaryBody(search: CatalogSearch, hidesDeleted: boolean) {
  const groups = summaryGroups(search).flatMap((group) => (group.by === 'tag' ? [group.tag] : []))
  const tags = parseTags(search.tags)
  return {
    // Without a type, a row would not say what it counts.
    groupBy: ['type', ...groups],
    deleted: !hidesDeleted,
    filter: toPairBody(parseLabels(search.labels)),
    // Older servers, which cannot filter by tags, would refuse the whole call.
    ...(tags.length > 0 && { tags: toPairBody(tags) }),
    health: toWordFilterText(parseThreeWay(search.health)),
    status: toWordFilterText(parseThreeWay(search.status)),
    changes: { since: WINDOW },
    analysis: { since: WINDOW },
    cost: WINDOW,
  }
}

/** What there is, by type. */
export function summaryQuery(search: CatalogSearch, hidesDeleted: boolean) {
  const body = toSummaryBody(search, hidesDeleted)
  return queryOptions({
    queryKey: catalogListKeys.summary(body),
    queryFn: ({ signal }) => request('/api/catalog/summary', { method: 'POST', body, schema: SummaryAnswer, signal }),
    placeholderData: keepPreviousData,
  })
}

const options = <Row extends object>(view: string, row: z.ZodType<Row>, staleTime?: number) =>
  queryOptions({
    queryKey: catalogListKeys.options(view),
    queryFn: ({ signal }) => request(`/api/db/${view}`, { schema: z.array(row), signal }),
    ...(staleTime === undefined ? {} : { staleTime }),
  })

const PairSchema = z.object({ key: z.string(), value: z.string().nullable().catch(null) })

export const typesQuery = options('config_types', z.object({ type: z.string().nullable() }))
export const statusesQuery = options('config_statuses', z.object({ status: z.string().nullable() }))
export const labelsQuery = options('config_labels', PairSchema, LABELS_FRESH_MS)
export const tagsQuery = options('config_tags', PairSchema, LABELS_FRESH_MS)
