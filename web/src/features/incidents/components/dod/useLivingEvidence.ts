import type { EvidenceView } from '@watchroom/shared/collab'
import { useMemo } from 'react'

import { useIncidentPart } from '../../../../collab/useIncident.ts'

/** Evidence of the whole incident without what was removed, alone or with its hypothesis. */
export function useLivingEvidence(): readonly EvidenceView[] {
  const evidence = useIncidentPart((room) => room.view.evidence)
  const hypotheses = useIncidentPart((room) => room.view.hypotheses)
  return useMemo(
    () =>
      evidence.filter(
        ({ removed, hypothesis_id: owner }) => removed === null && (hypotheses.get(owner)?.removed ?? null) === null,
      ),
    [evidence, hypotheses],
  )
}

/** Why there is nothing to choose from; null when there is. */
export function nothingToChoose(evidence: readonly EvidenceView[]): string | null {
  if (evidence.length === 0) return 'There are no evidences provided for this incident'
  return evidence.every(({ isDefinitionOfDone }) => isDefinitionOfDone)
    ? 'There are no evidences which are not part of definition of done'
    : null
}
