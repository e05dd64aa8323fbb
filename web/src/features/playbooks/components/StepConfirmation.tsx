import type { PlaybookApproval } from '@watchroom/shared/playbooks'

import { useSession } from '../../../api/session.tsx'
import { usePagePeers } from '../../../collab/usePagePeers.ts'
import type { Step } from '../runParts.ts'
import { confirmStep } from '../runQueries.ts'
import { WaitingForPeople } from './WaitingForPeople.tsx'

interface StepConfirmationProps {
  runId: string
  step: Step
  confirmations: readonly PlaybookApproval[]
}

/** A dangerous step: two different people confirm it, and are both on the page when the second one does. */
export function StepConfirmation({ runId, step, confirmations }: StepConfirmationProps) {
  const { user } = useSession()
  const others = usePagePeers('playbook_runs', runId).filter((peer) => peer.user.id !== user.id)
  const present = new Set([user.id, ...others.map((peer) => peer.user.id)])
  return (
    <WaitingForPeople
      title={`${step.name} waits for two people`}
      text={
        others.length === 0
          ? 'Two people on this page must confirm a dangerous step. You’re the only one here.'
          : 'Two people on this page must confirm a dangerous step.'
      }
      isForOthers={false}
      action="Confirm"
      done="Confirmed"
      approvals={confirmations}
      describeAbsence={(id) => (present.has(id) ? '' : ' · left this page, so it doesn’t count')}
      onApprove={() => confirmStep(step.id)}
    />
  )
}
