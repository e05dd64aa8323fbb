import { Menu, MenuItem } from '@blueprintjs/core'
import { Inbox } from '@blueprintjs/icons'
import { useNavigate } from '@tanstack/react-router'
import type { PlaybookRunSummary } from '@watchroom/shared/playbooks'
import { playbookRunsTopic } from '@watchroom/shared/protocol'

import { useSession } from '../../../api/session.tsx'
import { useTopic } from '../../../live/useTopic.ts'
import { PHONE } from '../../../ui/breakpoints.ts'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { Popover } from '../../../ui/Popover.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { useMediaQuery } from '../../../ui/useMediaQuery.ts'
import { targetOf, titleOf } from '../runParts.ts'

/** How many runs wait for approval, and which. Nothing while none does, and for those who may approve none. */
export function ApprovalsInbox() {
  const { rows } = useTopic(playbookRunsTopic, {})
  const mayApprove = useSession().can('write', 'playbook_runs')
  const waiting = rows.filter(({ status }) => status === 'pending')
  const isPhone = useMediaQuery(PHONE)
  if (!mayApprove || waiting.length === 0) return null
  const text = waiting.length === 1 ? '1 needs approval' : `${waiting.length} need approval`
  return (
    <Popover placement="bottom-end" content={<Waiting runs={waiting} />}>
      <CommandButton
        command="Runs that need approval"
        size="small"
        variant="outlined"
        icon={<Inbox />}
        aria-label={text}
        text={isPhone ? waiting.length : text}
      />
    </Popover>
  )
}

function Waiting({ runs }: { runs: readonly PlaybookRunSummary[] }) {
  const navigate = useNavigate()
  return (
    <Menu aria-label="Runs that need approval">
      {runs.map((run) => (
        <MenuItem
          key={run.id}
          multiline
          text={[titleOf(run.playbooks), targetOf(run)?.name].filter(Boolean).join(' · ')}
          labelElement={<TimeAgo at={run.created_at} />}
          onClick={() => void navigate({ to: '/playbooks/runs/$id', params: { id: run.id } })}
        />
      ))}
    </Menu>
  )
}
