import type { EvidenceView } from '@watchroom/shared/collab'
import type { ReactNode } from 'react'

import {
  EvidenceActions,
  EvidenceBodies,
  type EvidenceBody,
  RoomTools,
} from '../features/incident-room/evidenceActions.ts'
import { IncidentScreen } from '../features/incident-room/screens/IncidentScreen.tsx'
import { evidencePath } from '../features/logs/logsPath.ts'
import { AttachedRun } from '../features/playbooks/components/AttachedRun.tsx'
import { TargetPlaybooks } from '../features/playbooks/components/TargetPlaybooks.tsx'
import type { PlaybookTarget } from '../features/playbooks/queries.ts'
import { runOfEvidence } from './attachedRun.ts'
import { ViewLogs } from './ViewLogs.tsx'
import { WhatChanged } from './WhatChanged.tsx'

/** `/incidents/{id}`: the incident, the logs and runs that evidence came from, and the playbooks for what it is about. */
export function IncidentPage() {
  return (
    <EvidenceActions value={renderActions}>
      <EvidenceBodies value={renderBody}>
        <RoomTools value={renderTools}>
          <IncidentScreen />
        </RoomTools>
      </EvidenceBodies>
    </EvidenceActions>
  )
}

const renderTools = (incidentId: string): ReactNode => (
  <WhatChanged start={{ start: 'incident', id: incidentId }} isIcon />
)

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

function renderBody(evidence: EvidenceView): EvidenceBody | null {
  const runId = runOfEvidence(evidence)
  return runId === null ? null : { name: 'Playbook run', body: <AttachedRun id={runId} /> }
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
