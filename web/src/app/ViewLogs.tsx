import { Console } from '@blueprintjs/icons'
import { useNavigate } from '@tanstack/react-router'

import { useMissing } from '../api/backendFacts.ts'
import { useDisabledAreas } from '../api/featureFlags.tsx'
import { CommandButton } from '../ui/CommandButton.tsx'

interface ViewLogsProps {
  /** Address on the page of logs. */
  path: string
  isIcon?: boolean
}

/** Leads to logs. Nothing where they are switched off, or the backend has none. */
export function ViewLogs({ path, isIcon = false }: ViewLogsProps) {
  const disabledAreas = useDisabledAreas()
  const missing = useMissing('logs')
  const navigate = useNavigate()
  if (disabledAreas.has('logs') || missing !== null) return null
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
