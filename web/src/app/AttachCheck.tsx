import { Link } from '@blueprintjs/icons'
import { type CheckSummary, toCheckTitle } from '@watchroom/shared/health'
import { lazy, Suspense, useState } from 'react'

import { useDisabledAreas } from '../api/featureFlags.tsx'
import { useSession } from '../api/session.tsx'
import { CommandButton } from '../ui/CommandButton.tsx'

const LinkToIncidentDialog = lazy(async () => {
  const { LinkToIncidentDialog: Dialog } = await import('../features/incident-link/components/LinkToIncidentDialog.tsx')
  return { default: Dialog }
})

/** Makes a check evidence of an incident. Nothing for those who may not, and where incidents are switched off. */
export function AttachCheck({ check }: { check: CheckSummary }) {
  const { can } = useSession()
  const disabledAreas = useDisabledAreas()
  const [isOpen, setOpen] = useState(false)
  if (!can('write', 'incident') || disabledAreas.has('incidents')) return null
  return (
    <>
      <CommandButton icon={<Link />} command="Attach as Evidence" onClick={() => setOpen(true)} />
      {isOpen ? (
        <Suspense fallback={null}>
          <LinkToIncidentDialog
            evidence={{ type: 'check', check_id: check.id, description: toCheckTitle(check) }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </>
  )
}
