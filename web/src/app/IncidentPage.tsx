import type { EvidenceView } from '@watchroom/shared/collab'
import { type ReactNode, useCallback, useState } from 'react'

import {
  EvidenceActions,
  EvidenceBodies,
  type EvidenceBody,
  RoomTools,
} from '../features/incident-room/evidenceActions.ts'
import { IncidentScreen } from '../features/incident-room/screens/IncidentScreen.tsx'
import { evidencePath } from '../features/logs/logsPath.ts'
import { AttachedRun } from '../features/playbooks/components/AttachedRun.tsx'
import { TargetPlaybooks, type WantedRun, WantedRunDialog } from '../features/playbooks/components/TargetPlaybooks.tsx'
import type { PlaybookTarget } from '../features/playbooks/queries.ts'
import { runOfEvidence } from './attachedRun.ts'
import { ViewLogs } from './ViewLogs.tsx'
import { WhatChanged } from './WhatChanged.tsx'

/** `/incidents/{id}`: the incident, with the logs and runs that its evidence came from, and playbooks for what the evidence is about. */
export function IncidentPage() {
  return (
    <RoomParts>
      <IncidentScreen />
    </RoomParts>
  )
}

/** What other areas add to an incident. */
export function RoomParts({ children }: { readonly children: ReactNode }) {
  // Not in the row of the evidence: others may remove the row, or push it out of view, while someone fills in the dialog.
  const [wanted, setWanted] = useState<WantedRun | null>(null)
  const actionsOf = useCallback((evidence: EvidenceView) => renderActions(evidence, setWanted), [])
  return (
    <EvidenceActions value={actionsOf}>
      <EvidenceBodies value={renderBody}>
        <RoomTools value={renderTools}>{children}</RoomTools>
      </EvidenceBodies>
      {wanted === null ? null : <WantedRunDialog run={wanted} onClose={() => setWanted(null)} />}
    </EvidenceActions>
  )
}

const renderTools = (incidentId: string): ReactNode => (
  <WhatChanged start={{ start: 'incident', id: incidentId }} isIcon />
)

function renderActions(evidence: EvidenceView, onRun: (run: WantedRun) => void): ReactNode {
  const target = toTarget(evidence)
  const path = evidence.type === 'log' ? evidencePath(evidence) : null
  return (
    <>
      {path === null ? null : <ViewLogs path={path} isIcon />}
      {target === null ? null : <TargetPlaybooks target={target} isSmall onRun={onRun} />}
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
