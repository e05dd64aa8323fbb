import type { ReactNode } from 'react'

import type { EvidenceDraft } from '../api/incidentCreation.ts'
import { LogsScreen } from '../features/logs/screens/LogsScreen.tsx'
import { AttachEvidence } from './AttachEvidence.tsx'

const renderAttach = (evidence: EvidenceDraft, disabledReason: string | undefined): ReactNode => (
  <AttachEvidence evidence={evidence} disabledReason={disabledReason} isSmall />
)

/** `/logs`: lines of components, and the incidents they can be attached to. */
export function LogsPage() {
  return <LogsScreen renderAttach={renderAttach} />
}
