// The backend's own `{column}.filter=` parameters, written as PostgREST filters. Everything else passes unchanged.
import { failed, ok, ownValue, type Result } from '@watchroom/shared/kernel'

import { tryParseDateMath } from './dateMath.ts'

const SUFFIX = '.filter'

/** Columns whose filter is a moment (backend reference 2.5). */
const DATE_COLUMNS = new Set([
  'acknowledged',
  'check_time',
  'closed',
  'created_at',
  'deleted_at',
  'end_time',
  'expires_at',
  'first_observed',
  'last_attempt',
  'last_login',
  'last_observed',
  'last_received',
  'last_runtime',
  'last_scraped_time',
  'last_seen',
  'last_transition_time',
  'next_runtime',
  'resolved',
  'scheduled_time',
  'silenced_at',
  'start_time',
  'time',
  'time_end',
  'time_start',
  'updated_at',
])

const COMPARISONS: Readonly<Record<string, string>> = { '<': 'lt', '>': 'gt', '=': 'eq' }

/**
 * @param query without `?`
 * @param now milliseconds since the epoch, for date math
 * @returns the query for PostgREST, or the filter that cannot be read
 */
export function rewriteFilters(query: string, now: number): Result<string, string> {
  if (!query.includes(SUFFIX)) return ok(query)
  const parameters = new URLSearchParams(query)
  const rewritten: [string, string][] = []
  for (const key of new Set(parameters.keys())) {
    if (!key.endsWith(SUFFIX)) {
      for (const value of parameters.getAll(key)) rewritten.push([key, value])
      continue
    }
    const column = key.slice(0, -SUFFIX.length)
    const filters = toFilters(column, parameters.get(key) ?? '', now)
    if (!filters) return failed(`${key}=${parameters.get(key) ?? ''}`)
    for (const filter of filters) rewritten.push([column, filter])
  }
  return ok(new URLSearchParams(rewritten.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))).toString())
}

function toFilters(column: string, value: string, now: number): string[] | null {
  if (DATE_COLUMNS.has(column)) return toDateFilters(value, now)
  const items = value.split(',').filter((item) => item !== '')
  const excluded = items.filter((item) => item.startsWith('!')).map((item) => item.slice(1))
  const patterns = items.filter((item) => !item.startsWith('!') && (item.startsWith('*') || item.endsWith('*')))
  const included = items.filter((item) => !item.startsWith('!') && !patterns.includes(item))
  return [
    ...(included.length > 0 ? [`in.${toList(included)}`] : []),
    ...(excluded.length > 0 ? [`not.in.${toList(excluded)}`] : []),
    ...patterns.map((pattern) => `like.${pattern}`),
  ]
}

/** A bare moment means "before". */
function toDateFilters(value: string, now: number): string[] | null {
  const comparison = ownValue(COMPARISONS, value[0] ?? '')
  const moment = tryParseDateMath(comparison ? value.slice(1) : value, now)
  return moment && [`${comparison ?? 'lt'}.${moment.toISOString()}`]
}

function toList(values: readonly string[]): string {
  return `(${values.map((value) => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')})`
}
