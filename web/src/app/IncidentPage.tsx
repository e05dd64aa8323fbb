import type { EvidenceView } from '@watchroom/shared/collab'
import type { ReactNode } from 'react'

import { EvidenceActions } from '../features/incident-room/evidenceActions.ts'
import { IncidentScreen } from '../features/incident-room/screens/IncidentScreen.tsx'
import { evidencePath } from '../features/logs/logsPath.ts'
import { TargetPlaybooks } from '../features/playbooks/components/TargetPlaybooks.tsx'
import type { PlaybookTarget } from '../features/playbooks/queries.ts'
import { ViewLogs } from './ViewLogs.tsx'

/** `/incidents/{id}`: the incident, the logs that evidence came from, and the playbooks for what it is about. */
export function IncidentPage() {
  return (
    <EvidenceActions value={renderActions}>
      <IncidentScreen />
    </EvidenceActions>
  )
}

function renderActions(evidence: EvidenceView): ReactNode {
  const target = toTarget(evidence)
  const path = evidence.type === 'log' ? evidencePath(evidence) : null
  return (
    <>
      {path === null ? null : <ViewLogs path={path} isIcon />}
      {target === null ? null : <TargetPlaybooks target={target} isSmall />}
    </>
  )
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
