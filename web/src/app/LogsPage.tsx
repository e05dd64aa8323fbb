import type { ReactNode } from 'react'

import type { EvidenceDraft } from '../api/incidentCreation.ts'
import { LogsScreen } from '../features/logs/screens/LogsScreen.tsx'
import { AttachEvidence } from './AttachEvidence.tsx'

const renderAttach = (evidence: EvidenceDraft, disabledReason: string | undefined): ReactNode => (
  <AttachEvidence evidence={evidence} disabledReason={disabledReason} isSmall />
)

/** `/logs`: logs of components, whose lines can be attached to incidents. */
export function LogsPage() {
  return <LogsScreen renderAttach={renderAttach} />
}
