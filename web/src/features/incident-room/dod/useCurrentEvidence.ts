import type { EvidenceView } from '@watchroom/shared/collab'

import { useIncidentItems } from '../../../collab/useIncident.ts'

/** Evidence of the whole incident, without what was removed itself or with its hypothesis. */
export function useCurrentEvidence(): readonly EvidenceView[] {
  return useIncidentItems('current', ({ view: { evidence, hypotheses } }) =>
    evidence.filter(
      ({ removed, hypothesis_id: owner }) => removed === null && (hypotheses.get(owner)?.removed ?? null) === null,
    ),
  )
}

/** Why there is nothing to choose from; null when there is. */
export function nothingToChoose(evidence: readonly EvidenceView[]): string | null {
  if (evidence.length === 0) return 'There are no evidences provided for this incident'
  return evidence.every(({ isDefinitionOfDone }) => isDefinitionOfDone)
    ? 'There are no evidences which are not part of definition of done'
    : null
}
