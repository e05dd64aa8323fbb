import { MenuItem } from '@blueprintjs/core'
import { Box, Console, Download, EyeOff, EyeOpen, GitCommit, Link, Play } from '@blueprintjs/icons'
import { useNavigate } from '@tanstack/react-router'
import { NIL_UUID } from '@watchroom/shared/kernel'
import type { Component } from '@watchroom/shared/topology'

import { useMissing } from '../api/backendFacts.ts'
import { useDisabledAreas } from '../api/featureFlags.tsx'
import { errorText } from '../api/request.ts'
import { useSession } from '../api/session.tsx'
import { logsPath } from '../features/logs/logsPath.ts'
import { hideComponent } from '../features/topology/queries.ts'
import { LateMenu } from '../ui/LateMenu.tsx'
import { showErrorToast } from '../ui/toaster.ts'
import type { ComponentDialog } from './ComponentDialogs.tsx'

interface ComponentActionsProps {
  component: Component
  onOpen: (dialog: ComponentDialog) => void
}

/** What the person may do with a component. */
export function ComponentActions({ component, onOpen }: ComponentActionsProps) {
  const { id, name, hidden, agent_id: agentId } = component
  // Read-only if an agent pushes it: the next push would undo changes.
  const isOurs = agentId == null || agentId === NIL_UUID
  const { can } = useSession()
  const disabledAreas = useDisabledAreas()
  const isLensHere = useMissing('whatChanged') === null && !disabledAreas.has('config')
  const hasLogs = useMissing('logs') === null && !disabledAreas.has('logs') && can('read', 'database', 'logs')
  const hasPlaybooks = useMissing('playbooks') === null && !disabledAreas.has('playbooks')
  const navigate = useNavigate()
  const isIncidentHere = can('write', 'incident') && !disabledAreas.has('incidents')
  const hide = (): void => {
    hideComponent(id, hidden !== true).catch((error: unknown) => showErrorToast(errorText(error)))
  }
  return (
    <LateMenu aria-label={`Actions for ${name}`}>
      {hasPlaybooks && can('write', 'playbook_runs') ? (
        <MenuItem text="Run playbook" icon={<Play />} onClick={() => onOpen('playbook')} />
      ) : null}
      {hasLogs ? (
        <MenuItem
          text="View Logs"
          icon={<Console />}
          onClick={() => void navigate({ href: logsPath({ topologyId: id }) })}
        />
      ) : null}
      {can('write', 'database') && !disabledAreas.has('config') ? (
        <MenuItem text="Link to catalog" icon={<Box />} onClick={() => onOpen('catalog')} />
      ) : null}
      {isIncidentHere ? <MenuItem text="Link to incident" icon={<Link />} onClick={() => onOpen('incident')} /> : null}
      {can('read', 'database') && isLensHere ? (
        <MenuItem text="What changed" icon={<GitCommit />} onClick={() => onOpen('changes')} />
      ) : null}
      <MenuItem text="Download snapshot" icon={<Download />} onClick={() => onOpen('snapshot')} />
      {can('write', 'topologies') && isOurs ? (
        <MenuItem
          text={hidden ? 'Show component' : 'Hide component'}
          icon={hidden ? <EyeOpen /> : <EyeOff />}
          onClick={hide}
        />
      ) : null}
    </LateMenu>
  )
}
