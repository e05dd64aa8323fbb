import { Box, Console, Download, EyeOff, EyeOpen, GitCommit, Link, Play } from '@blueprintjs/icons'
import { useNavigate } from '@tanstack/react-router'
import type { Component } from '@watchroom/shared/topology'
import { lazy, Suspense, useState } from 'react'

import { useMissing } from '../api/backendFacts.ts'
import { useDisabledAreas } from '../api/featureFlags.tsx'
import { errorText } from '../api/request.ts'
import { useSession } from '../api/session.tsx'
import { logsPath } from '../features/logs/logsPath.ts'
import { hideComponent } from '../features/topology/queries.ts'
import { type RowAction, RowMenu } from '../ui/table/RowMenu.tsx'
import { showErrorToast } from '../ui/toaster.ts'
import { WhatChangedOf } from './WhatChanged.tsx'

const LinkToIncidentDialog = lazy(async () => {
  const { LinkToIncidentDialog: Dialog } = await import('../features/incident-link/components/LinkToIncidentDialog.tsx')
  return { default: Dialog }
})
const LinkToCatalogDialog = lazy(async () => {
  const { LinkToCatalogDialog: Dialog } = await import('../features/incident-room/evidence/LinkToCatalogDialog.tsx')
  return { default: Dialog }
})
const RunOnTarget = lazy(async () => {
  const { RunOnTarget: Dialog } = await import('../features/playbooks/components/RunOnTarget.tsx')
  return { default: Dialog }
})
const SnapshotDialog = lazy(async () => {
  const { SnapshotDialog: Dialog } = await import('../features/incident-room/evidence/SnapshotDialog.tsx')
  return { default: Dialog }
})

/** What can be done with a component from its card. */
export function ComponentMenu({ component }: { component: Component }) {
  const { id, name, hidden } = component
  const { can } = useSession()
  const disabledAreas = useDisabledAreas()
  const isLensHere = useMissing('whatChanged') === null
  const hasLogs = useMissing('logs') === null && !disabledAreas.has('logs')
  const hasPlaybooks = useMissing('playbooks') === null && !disabledAreas.has('playbooks')
  const navigate = useNavigate()
  const [open, setOpen] = useState<'playbook' | 'catalog' | 'incident' | 'changes' | 'snapshot' | null>(null)
  const close = (): void => setOpen(null)

  const hide = (): void => {
    hideComponent(id, hidden !== true).catch((error: unknown) => showErrorToast(errorText(error)))
  }
  const actions: RowAction[] = []
  if (hasPlaybooks && can('write', 'playbook_runs')) {
    actions.push({ text: 'Run playbook', icon: <Play />, onSelect: () => setOpen('playbook') })
  }
  if (hasLogs) {
    const onSelect = (): void => void navigate({ href: logsPath({ topologyId: id }) })
    actions.push({ text: 'View Logs', icon: <Console />, onSelect })
  }
  if (can('write', 'database') && !disabledAreas.has('config')) {
    actions.push({ text: 'Link to catalog', icon: <Box />, onSelect: () => setOpen('catalog') })
  }
  if (can('write', 'incident') && !disabledAreas.has('incidents')) {
    actions.push({ text: 'Link to incident', icon: <Link />, onSelect: () => setOpen('incident') })
  }
  if (can('read', 'database') && isLensHere) {
    actions.push({ text: 'What changed', icon: <GitCommit />, onSelect: () => setOpen('changes') })
  }
  actions.push({ text: 'Download snapshot', icon: <Download />, onSelect: () => setOpen('snapshot') })
  if (can('write', 'topologies')) {
    const icon = hidden ? <EyeOpen /> : <EyeOff />
    actions.push({ text: hidden ? 'Show component' : 'Hide component', icon, onSelect: hide })
  }
  return (
    <>
      <RowMenu name={name} actions={actions} />
      <Suspense>
        {open === 'incident' ? (
          <LinkToIncidentDialog
            evidence={{ type: 'topology', component_id: id, description: name, evidence: { id } }}
            onClose={close}
          />
        ) : null}
        {open === 'playbook' ? <RunOnTarget target={{ kind: 'component', id }} onClose={close} /> : null}
        {open === 'catalog' ? <LinkToCatalogDialog component={{ id, name }} onClose={close} /> : null}
        {open === 'changes' ? <WhatChangedOf start={{ start: 'component', id }} onClose={close} /> : null}
        {open === 'snapshot' ? <SnapshotDialog subject={{ kind: 'topology', id, name }} onClose={close} /> : null}
      </Suspense>
    </>
  )
}
