import type { EvidenceView } from '@watchroom/shared/collab'
import type { ReactNode } from 'react'

import { EvidenceActions } from '../features/incident-room/evidenceActions.ts'
import { IncidentScreen } from '../features/incident-room/screens/IncidentScreen.tsx'
import { TargetPlaybooks } from '../features/playbooks/components/TargetPlaybooks.tsx'
import type { PlaybookTarget } from '../features/playbooks/queries.ts'

/** `/incidents/{id}`: the incident, and the playbooks that can be run on what its evidence is about. */
export function IncidentPage() {
  return (
    <EvidenceActions value={renderPlaybooks}>
      <IncidentScreen />
    </EvidenceActions>
  )
}

function renderPlaybooks(evidence: EvidenceView): ReactNode {
  const target = toTarget(evidence)
  return target === null ? null : <TargetPlaybooks target={target} isSmall />
}

function toTarget({
  check_id: checkId,
  component_id: componentId,
  config_id: configId,
}: EvidenceView): PlaybookTarget | null {
  if (checkId !== null) return { kind: 'check', id: checkId }
  if (componentId !== null) return { kind: 'component', id: componentId }
  return configId === null ? null : { kind: 'config', id: configId }
}
