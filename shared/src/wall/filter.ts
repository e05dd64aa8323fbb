import { z } from 'zod'

import { type CheckSummary, matchesLabels, matchesQuery, toSearchText } from '../health/index.ts'

const MAX_TEXT_CHARACTERS = 200
const MAX_LABELS = 50

/** Which checks a wallboard shows. The gateway judges it for screens without an account, the browser for everyone else. */
export const WallFilterSchema = z.object({
  /** Part of name, description, group or endpoint, as on the health page. */
  query: z.string().max(MAX_TEXT_CHARACTERS).default(''),
  /** Absent: all of them. Empty: those of checks without a namespace. */
  namespace: z.string().max(MAX_TEXT_CHARACTERS).optional(),
  /** Label id (`canary:key:value`) to 1, include, or -1, exclude. */
  labels: z
    .record(z.string().max(MAX_TEXT_CHARACTERS), z.union([z.literal(1), z.literal(-1)]))
    .refine((labels) => Object.keys(labels).length <= MAX_LABELS, `At most ${MAX_LABELS} labels`)
    .default({}),
})
export type WallFilter = z.infer<typeof WallFilterSchema>

type FilterableCheck = Pick<
  CheckSummary,
  'id' | 'name' | 'description' | 'endpoint' | 'canary_name' | 'canary_namespace' | 'namespace' | 'labels'
>

/** Namespace of a check; without one of its own, that of its canary. */
export const toNamespace = (check: Pick<CheckSummary, 'namespace' | 'canary_namespace'>): string =>
  check.namespace || check.canary_namespace

/**
 * Whether the check belongs on a board. One excluded label hides it; of the included ones it needs any, as on the health page.
 * But an included label that nothing carries shows nothing: a screen without an account must not see more for a typing error.
 */
export function matchesFilter(check: FilterableCheck, filter: WallFilter): boolean {
  if (filter.namespace !== undefined && toNamespace(check) !== filter.namespace) return false
  if (filter.query !== '' && !matchesQuery({ searchText: toSearchText(check) }, filter.query)) return false
  return matchesLabels(check.labels, new Map(Object.entries(filter.labels)))
}
