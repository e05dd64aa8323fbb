import { Console } from '@blueprintjs/icons'
import { useNavigate } from '@tanstack/react-router'

import { useMissing } from '../api/backendFacts.ts'
import { useDisabledAreas } from '../api/featureFlags.tsx'
import { useSession } from '../api/session.tsx'
import { CommandButton } from '../ui/CommandButton.tsx'

interface ViewLogsProps {
  /** URL on the page of logs. */
  path: string
  isIcon?: boolean
}

/** A link to logs. Nothing where they are switched off, not available on the backend, or not allowed for this person. */
export function ViewLogs({ path, isIcon = false }: ViewLogsProps) {
  const disabledAreas = useDisabledAreas()
  const missing = useMissing('logs')
  const mayRead = useSession().can('read', 'database', 'logs')
  const navigate = useNavigate()
  if (disabledAreas.has('logs') || missing !== null || !mayRead) return null
  return (
    <CommandButton
      isIcon={isIcon}
      size={isIcon ? 'small' : 'medium'}
      icon={<Console size={14} />}
      command="View Logs"
      onClick={() => void navigate({ href: path })}
    />
  )
}
