export { EVIDENCE_TYPES, type EvidenceType, EvidenceTypeSchema } from './evidence.ts'
export {
  childType,
  HYPOTHESIS_STATUSES,
  HYPOTHESIS_TYPES,
  type HypothesisStatus,
  HypothesisStatusSchema,
  type HypothesisType,
  HypothesisTypeSchema,
  NOT_BELOW_ITSELF,
  SOLUTION_HAS_NO_CHILDREN,
} from './hypothesis.ts'
export { historyLabel, historyText, historyType } from './historyText.ts'
export {
  canChangeStatus,
  INCIDENT_SEVERITIES,
  INCIDENT_STATUSES,
  INCIDENT_TYPES,
  type IncidentSeverity,
  IncidentSeveritySchema,
  type IncidentStatus,
  IncidentStatusSchema,
  type IncidentType,
  IncidentTypeSchema,
} from './incident.ts'
export { INCIDENT_SEVERITY_OPTIONS, INCIDENT_STATUS_OPTIONS, INCIDENT_TYPE_OPTIONS, toLabel } from './labels.ts'
export { formatMention, parseComment } from './mentions.ts'
export {
  type HistoryEvent,
  HistoryEventSchema,
  type IncidentEvent,
  IncidentEventSchema,
  MAX_HISTORY,
  type ResponderEvent,
} from './incidentEvent.ts'
export { type Face, type IncidentSummary, IncidentSummarySchema } from './incidentSummary.ts'
export { type DodClause, type DodVerdict, DodVerdictSchema } from './definitionOfDone.ts'
