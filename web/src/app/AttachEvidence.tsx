import { Link } from '@blueprintjs/icons'
import { Suspense, useState } from 'react'

import { useDisabledAreas } from '../api/featureFlags.tsx'
import type { EvidenceDraft } from '../api/incidentCreation.ts'
import { useSession } from '../api/session.tsx'
import { CommandButton } from '../ui/CommandButton.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'

const LinkToIncidentDialog = lazyPart(async () => {
  const { LinkToIncidentDialog: Dialog } = await import('../features/incident-link/components/LinkToIncidentDialog.tsx')
  return Dialog
})

interface AttachEvidenceProps {
  evidence: EvidenceDraft
  /** Text of the button. */
  command?: string
  disabledReason?: string | undefined
  isSmall?: boolean
  isIcon?: boolean
  /** Preselected incident. */
  incidentId?: string
}

/** Attaches something to an incident as evidence. Nothing for people who may not, or where incidents are switched off. */
export function AttachEvidence({
  evidence,
  command = 'Attach as Evidence',
  disabledReason,
  isSmall = false,
  isIcon = false,
  incidentId,
}: AttachEvidenceProps) {
  const { can } = useSession()
  const disabledAreas = useDisabledAreas()
  const [isOpen, setOpen] = useState(false)
  if (!can('write', 'incident') || disabledAreas.has('incidents')) return null
  return (
    <>
      <CommandButton
        icon={<Link />}
        isIcon={isIcon}
        command={command}
        size={isSmall ? 'small' : 'medium'}
        disabledReason={disabledReason}
        onClick={() => setOpen(true)}
      />
      {disabledReason === undefined ? null : <span className="wr-muted">{disabledReason}</span>}
      {isOpen ? (
        <Suspense fallback={null}>
          <LinkToIncidentDialog evidence={evidence} incidentId={incidentId} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
