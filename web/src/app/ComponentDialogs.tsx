import type { Component } from '@watchroom/shared/topology'
import { Suspense } from 'react'

import { lazyPart } from '../ui/lazyPart.tsx'
import { toComponentEvidence } from './componentEvidence.ts'
import { WhatChangedOf } from './WhatChanged.tsx'

const LinkToIncidentDialog = lazyPart(async () => {
  const { LinkToIncidentDialog: Dialog } = await import('../features/incident-link/components/LinkToIncidentDialog.tsx')
  return Dialog
})
const LinkToCatalogDialog = lazyPart(async () => {
  const { LinkToCatalogDialog: Dialog } = await import('../features/incident-room/evidence/LinkToCatalogDialog.tsx')
  return Dialog
})
const RunOnTarget = lazyPart(async () => {
  const { RunOnTarget: Dialog } = await import('../features/playbooks/components/RunOnTarget.tsx')
  return Dialog
})
const SnapshotDialog = lazyPart(async () => {
  const { SnapshotDialog: Dialog } = await import('../features/incident-room/evidence/SnapshotDialog.tsx')
  return Dialog
})

export type ComponentDialog = 'playbook' | 'catalog' | 'incident' | 'changes' | 'snapshot'

interface ComponentDialogsProps {
  component: Component
  open: ComponentDialog
  onClose: () => void
}

/** The dialogs that the menu of a component opens. */
export function ComponentDialogs({ component, open, onClose }: ComponentDialogsProps) {
  const { id, name } = component
  return (
    <Suspense>
      {open === 'incident' ? (
        <LinkToIncidentDialog evidence={toComponentEvidence(component, name)} onClose={onClose} />
      ) : null}
      {open === 'playbook' ? <RunOnTarget target={{ kind: 'component', id }} onClose={onClose} /> : null}
      {open === 'catalog' ? <LinkToCatalogDialog component={{ id, name }} onClose={onClose} /> : null}
      {open === 'changes' ? <WhatChangedOf start={{ start: 'component', id }} onClose={onClose} /> : null}
      {open === 'snapshot' ? <SnapshotDialog subject={{ kind: 'topology', id, name }} onClose={onClose} /> : null}
    </Suspense>
  )
}
