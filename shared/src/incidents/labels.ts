import { capitalize } from '../kernel/index.ts'
import {
  INCIDENT_SEVERITIES,
  INCIDENT_STATUSES,
  INCIDENT_TYPES,
  type IncidentSeverity,
  type IncidentStatus,
  type IncidentType,
} from './incident.ts'

/** `technicalDebt` gives `Technical debt`; words that nobody foresaw are readable too. */
export function toLabel(word: string): string {
  const spaced = word
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
  return capitalize(spaced)
}

interface Option<Value extends string> {
  readonly value: Value
  readonly label: string
}

const toOptions = <Value extends string>(values: readonly Value[]): readonly Option<Value>[] =>
  values.map((value) => ({ value, label: toLabel(value) }))

export const INCIDENT_TYPE_OPTIONS: readonly Option<IncidentType>[] = toOptions(INCIDENT_TYPES)
export const INCIDENT_SEVERITY_OPTIONS: readonly Option<IncidentSeverity>[] = toOptions(INCIDENT_SEVERITIES)
export const INCIDENT_STATUS_OPTIONS: readonly Option<IncidentStatus>[] = toOptions(INCIDENT_STATUSES)
