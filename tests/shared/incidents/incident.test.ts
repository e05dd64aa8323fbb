import {
  canChangeStatus,
  childType,
  EVIDENCE_TYPES,
  HYPOTHESIS_STATUSES,
  HYPOTHESIS_TYPES,
  INCIDENT_SEVERITIES,
  INCIDENT_STATUSES,
  INCIDENT_TYPES,
  type IncidentStatus,
} from '@watchroom/shared/incidents'
import { describe, expect, it } from 'vitest'

// Written by hand from the second specification, sections 3 and 4: the second opinion on the lists.
describe('canChangeStatus', () => {
  it.each<[IncidentStatus, string]>([
    ['new', 'new open investigating mitigated resolved closed'],
    ['open', 'open investigating mitigated resolved closed'],
    ['investigating', 'investigating mitigated resolved closed'],
    ['mitigated', 'open mitigated resolved closed'],
    ['resolved', 'open resolved closed'],
    ['closed', 'open closed'],
  ])('leads from %s to %s and nowhere else', (from, allowed) => {
    expect(INCIDENT_STATUSES.filter((to) => canChangeStatus(from, to)).join(' ')).toBe(allowed)
  })
})

describe('the words of an incident', () => {
  it('are those of the specification', () => {
    expect(INCIDENT_STATUSES).toEqual(['new', 'open', 'investigating', 'mitigated', 'resolved', 'closed'])
    expect(INCIDENT_SEVERITIES).toEqual(['info', 'warning', 'low', 'medium', 'high', 'blocker', 'critical'])
    expect(INCIDENT_TYPES.join(' ')).toBe(
      'cost availability performance security integration compliance technicalDebt reliability',
    )
  })

  it('are those of the specification for hypotheses and evidence too', () => {
    expect(HYPOTHESIS_STATUSES.join(' ')).toBe('proven likely possible unlikely improbable disproven')
    expect(HYPOTHESIS_TYPES).toEqual(['root', 'factor', 'solution'])
    expect(EVIDENCE_TYPES.join(' ')).toBe('log config topology check config_analysis config_change comment')
  })
})

describe('childType', () => {
  it('goes from root to factor to solution, which gets no children', () => {
    expect(HYPOTHESIS_TYPES.map(childType)).toEqual(['factor', 'solution', null])
  })
})
