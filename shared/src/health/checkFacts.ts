import { parseTimestamp } from '../time/index.ts'
import type { CheckSummary } from './checkSummary.ts'
import { type Health, toHealth } from './health.ts'
import type { Sortable } from './sortChecks.ts'

/** What the board needs of a row again and again, worked out once per row. Times are ms since the epoch, durations ms. */
export interface CheckFacts extends Sortable {
  readonly row: CheckSummary
  readonly id: string
  /** Name, else description, else endpoint. */
  readonly title: string
  readonly health: Health
  readonly lastRunAt: number | null
  /** Since when its agent is silent, null while it is heard. */
  readonly unknownSinceAt: number | null
  /** Lower-cased text that the search looks through. */
  readonly searchText: string
}

/** The latency a table shows: p95, else p97, else p99. Zero means "not measured" on the wire. */
export function toTableLatency(latency: CheckSummary['latency']): number | null {
  return latency.p95 || latency.p97 || latency.p99 || null
}

/** First text that says something. */
export function toCheckTitle(row: Pick<CheckSummary, 'name' | 'description' | 'endpoint' | 'id'>): string {
  return row.name || row.description || row.endpoint || row.id
}

// A line break cannot be typed into the search field, so no match spans two fields.
const FIELD_SEPARATOR = '\n'

/** Derives once per row what every list of checks needs. Times are ms since the epoch, durations ms; null when unknown. */
export function toCheckFacts(row: CheckSummary): CheckFacts {
  const title = toCheckTitle(row)
  return {
    row,
    id: row.id,
    title,
    sortName: title.toLowerCase(),
    sortId: row.id,
    health: toHealth(row),
    passed: row.uptime.passed,
    failed: row.uptime.failed,
    latencyMs: toTableLatency(row.latency),
    lastRunAt: parseTimestamp(row.last_runtime),
    unknownSinceAt: parseTimestamp(row.unknown_since),
    transitionAt: parseTimestamp(row.last_transition_time),
    searchText: toSearchText(row),
  }
}

/** What a check is found by: title, name, description, canary name and endpoint. The title may be an id that stands for them. */
export function toSearchText(
  row: Pick<CheckSummary, 'id' | 'name' | 'description' | 'canary_name' | 'endpoint'>,
): string {
  const texts = new Set([toCheckTitle(row), row.name, row.description, row.canary_name, row.endpoint])
  return [...texts].filter(Boolean).join(FIELD_SEPARATOR).toLowerCase()
}

/** Case-insensitive substring of one of the texts. An empty query matches everything. */
export function matchesQuery({ searchText }: Pick<CheckFacts, 'searchText'>, query: string): boolean {
  const wanted = query.trim().toLowerCase()
  return wanted === '' || searchText.includes(wanted)
}
