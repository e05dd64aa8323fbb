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
