import { Inbox } from '@blueprintjs/icons'
import { isAwaited, waitingRunsTopic } from '@watchroom/shared/protocol'
import { Suspense } from 'react'

import { useSession } from '../../../api/session.tsx'
import { useTopic } from '../../../live/useTopic.ts'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { lazyPart } from '../../../ui/lazyPart.tsx'
import { Popover } from '../../../ui/Popover.tsx'

// It is on every screen, so its content loads only when it is opened.
const WaitingRuns = lazyPart(async () => (await import('./WaitingRuns.tsx')).WaitingRuns)

/** How many runs wait for this person, and which. Nothing while none does. */
export function ApprovalsInbox() {
  const { user } = useSession()
  const topic = useTopic(waitingRunsTopic, {})
  const rows = topic.rows.filter((run) => isAwaited(run, user.id))
  if (rows.length === 0) return null
  const text = rows.length === 1 ? '1 needs approval' : `${rows.length} need approval`
  const list = (
    <Suspense>
      <WaitingRuns runs={rows} />
    </Suspense>
  )
  return (
    <Popover placement="bottom-end" content={list}>
      <CommandButton
        command="What needs approval"
        size="small"
        variant="outlined"
        icon={<Inbox />}
        aria-label={text}
        title={text}
        text={rows.length}
      />
    </Popover>
  )
}
