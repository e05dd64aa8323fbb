// A playbook run as evidence of an incident: its id, with a description that every console shows.
import type { EvidenceView } from '@watchroom/shared/collab'
import { isUuid } from '@watchroom/shared/kernel'

import type { EvidenceDraft } from '../api/incidentCreation.ts'

const KEY = 'playbook_run_id'

export const toRunEvidence = ({ id, title }: { id: string; title: string }): EvidenceDraft => ({
  type: 'log',
  description: `Run of ${title}`,
  evidence: { [KEY]: id, lines: [] },
})

/** Null for evidence of anything else. */
export function runOfEvidence({ type, evidence }: Pick<EvidenceView, 'type' | 'evidence'>): string | null {
  const id = type === 'log' ? evidence?.[KEY] : undefined
  return typeof id === 'string' && isUuid(id) ? id : null
}
