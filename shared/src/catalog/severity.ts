import { INCIDENT_SEVERITIES, type IncidentSeverity } from '../incidents/index.ts'

/** The one order of severities, lowest first, as incidents have it. Lower case on the wire. */
export const SEVERITIES = INCIDENT_SEVERITIES
export type Severity = IncidentSeverity

/** @returns null for words that are none; some sources write them with a capital */
export function tryParseSeverity(word: string | null | undefined): Severity | null {
  const lowered = word?.toLowerCase()
  return SEVERITIES.find((severity) => severity === lowered) ?? null
}

/** The word and what is worse: what a filter by one severity means. */
export const severitiesFrom = (severity: Severity): readonly Severity[] =>
  SEVERITIES.slice(SEVERITIES.indexOf(severity))

/** How many there are of a severity. */
export interface SeverityCount {
  /** A word that is no severity stands as it is. */
  readonly severity: string
  readonly count: number
}

const toCounted = (word: string): string => {
  const severity = tryParseSeverity(word)
  return severity === 'low' ? 'medium' : (severity ?? word)
}

/**
 * What chips count: the worst first, words that are none last. Low is counted as medium (second specification, part 4).
 *
 * @param counts by word; one that is there twice is added up, and nothing is left out but zeros
 */
export function toSeverityCounts(counts: Iterable<readonly [word: string, count: number]>): readonly SeverityCount[] {
  const totals = new Map<string, number>()
  for (const [word, count] of counts) {
    const severity = toCounted(word)
    if (count > 0) totals.set(severity, (totals.get(severity) ?? 0) + count)
  }
  const order: readonly string[] = SEVERITIES
  return [...totals]
    .map(([severity, count]) => ({ severity, count }))
    .toSorted((one, other) => order.indexOf(other.severity) - order.indexOf(one.severity))
}
