import type { PlaybookApproval, PlaybookRun } from '@watchroom/shared/playbooks'
import { isAwaited, waitingRunsTopic } from '@watchroom/shared/protocol'

import { useMissing } from '../../../api/backendFacts.ts'
import { useSession } from '../../../api/session.tsx'
import { useTopic } from '../../../live/useTopic.ts'
import { type ReadApproval, readPlaybookSpec } from '../playbookSpec.ts'
import type { Step } from '../runParts.ts'
import { approveRun } from '../runQueries.ts'
import { StepConfirmation } from './StepConfirmation.tsx'
import { WaitingForPeople } from './WaitingForPeople.tsx'

interface RunApprovalProps {
  run: PlaybookRun
  steps: readonly Step[]
  approvals: readonly PlaybookApproval[]
}

/** What a run is waiting for: approval of the run or of a step, or two people to confirm a step. Nothing while it waits for nobody. */
export function RunApproval({ run, steps, approvals }: RunApprovalProps) {
  const { user } = useSession()
  const asked = useTopic(waitingRunsTopic, {}).rows.find(({ id }) => id === run.id)
  const isControlled = useMissing('runControl') === null
  const spec = readPlaybookSpec(run.spec ?? run.playbooks?.spec)
  const waiting = run.status === 'waiting' ? steps.find(({ status }) => status === 'waiting') : undefined
  if (run.status !== 'pending' && waiting === undefined) return null
  const own = approvals.filter(({ action_id: id }) => (waiting === undefined ? !id : id === waiting.id))
  if (waiting !== undefined && isControlled && spec.isDangerous(waiting.name)) {
    return <StepConfirmation runId={run.id} step={waiting} confirmations={own} />
  }
  const approval = waiting === undefined ? spec.approval : spec.approvalOf(waiting.name)
  // An agent, perhaps.
  if (waiting !== undefined && approval === null) return null
  return (
    <WaitingForPeople
      title={waiting === undefined ? 'This run is waiting for approval' : `${waiting.name} is waiting for approval`}
      text={[describeApprovers(approval), ...describeUnable(approval, asked?.unable ?? [])].join(' ')}
      isForOthers={
        (approval?.excludesRequester === true && run.created_by?.id === user.id) ||
        (asked !== undefined && !isAwaited(asked, user.id))
      }
      action="Approve"
      done="Approved"
      approvals={own}
      onApprove={() => approveRun(run.playbook_id, run.id)}
    />
  )
}

/** Who may approve it, as the playbook says. */
function describeApprovers(approval: ReadApproval | null): string {
  if (approval === null) return 'Its playbook defines who can approve it.'
  const names = [...approval.people, ...approval.teams.map((team) => `team ${team}`)].join(', ')
  const exception = approval.excludesRequester ? ' Not the person who requested it.' : ''
  if (names === '') return `Anyone who can run playbooks can approve it.${exception}`
  const rule = approval.needsAll ? 'Each of these must approve it' : 'One of these must approve it'
  return `${rule}: ${names}.${exception}`
}

/** Approvers who cannot approve, and whether the run has to wait for them. */
function describeUnable(approval: ReadApproval | null, unable: readonly string[]): string[] {
  if (approval === null || unable.length === 0) return []
  const isStuck = approval.needsAll || unable.length === approval.people.length + approval.teams.length
  return [
    `Nobody here can approve as ${unable.join(', ')}: they need an account, the right to run playbooks, and an address that is proved or confirmed.`,
    ...(isStuck ? ['The run waits until that changes.'] : []),
  ]
}
