import { z } from 'zod'

/** Second specification, section 4. */
export const INCIDENT_STATUSES = ['new', 'open', 'investigating', 'mitigated', 'resolved', 'closed'] as const
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number]
export const IncidentStatusSchema = z.enum(INCIDENT_STATUSES)

/** Allowed next statuses; staying is always allowed and not listed. */
const NEXT_STATUSES: Record<IncidentStatus, readonly IncidentStatus[]> = {
  new: ['open', 'investigating', 'mitigated', 'resolved', 'closed'],
  open: ['investigating', 'mitigated', 'resolved', 'closed'],
  investigating: ['mitigated', 'resolved', 'closed'],
  mitigated: ['resolved', 'closed', 'open'],
  resolved: ['closed', 'open'],
  closed: ['open'],
}

/** As people may change it. To what it is already is no change, and allowed. */
export function canChangeStatus(from: IncidentStatus, to: IncidentStatus): boolean {
  return from === to || NEXT_STATUSES[from].includes(to)
}

/** Lowest first. The picker offers info and warning too; rows written by rules may spell them with a capital. */
export const INCIDENT_SEVERITIES = ['info', 'warning', 'low', 'medium', 'high', 'blocker', 'critical'] as const
export type IncidentSeverity = (typeof INCIDENT_SEVERITIES)[number]
export const IncidentSeveritySchema = z.enum(INCIDENT_SEVERITIES)

export const INCIDENT_TYPES = [
  'cost',
  'availability',
  'performance',
  'security',
  'integration',
  'compliance',
  'technicalDebt',
  'reliability',
] as const
export type IncidentType = (typeof INCIDENT_TYPES)[number]
export const IncidentTypeSchema = z.enum(INCIDENT_TYPES)
