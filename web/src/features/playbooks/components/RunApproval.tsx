import { Button, Callout } from '@blueprintjs/core'
import { useMutation } from '@tanstack/react-query'
import type { PlaybookApproval, PlaybookRun } from '@watchroom/shared/playbooks'

import { errorText } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { showErrorToast, showToast } from '../../../ui/toaster.ts'
import { readPlaybookSpec } from '../playbookSpec.ts'
import type { Step } from '../runParts.ts'
import { approveRun, confirmStep } from '../runQueries.ts'

import styles from '../playbooks.module.css'

interface RunApprovalProps {
  run: PlaybookRun
  steps: readonly Step[]
  approvals: readonly PlaybookApproval[]
}

/** What a run waits for: approval before it starts, or two people for a step. Nothing while it waits for nobody. */
export function RunApproval({ run, steps, approvals }: RunApprovalProps) {
  const { user } = useSession()
  const waiting = steps.find(({ status }) => status === 'waiting')
  const { approval } = readPlaybookSpec(run.spec ?? run.playbooks?.spec)
  if (run.status === 'pending') {
    return (
      <Waiting
        title="This run waits for approval"
        text={describeApprovers(approval)}
        isForOthers={approval?.excludesRequester === true && run.created_by?.id === user.id}
        action="Approve"
        done="Approved"
        approvals={approvals.filter(({ action_id: id }) => !id)}
        onApprove={() => approveRun(run.playbook_id, run.id)}
      />
    )
  }
  if (waiting === undefined || run.status !== 'waiting') return null
  return (
    <Waiting
      title={`${waiting.name} waits for people`}
      text="Two different people confirm a dangerous step, both on this page. An approval step needs its approvers."
      action="Confirm"
      done="Confirmed"
      isForOthers={false}
      approvals={approvals.filter(({ action_id: id }) => id === waiting.id)}
      onApprove={() => confirmStep(waiting.id)}
    />
  )
}

interface WaitingProps {
  title: string
  text: string
  action: string
  done: string
  approvals: readonly PlaybookApproval[]
  /** Not for whoever looks at it. */
  isForOthers: boolean
  onApprove: () => Promise<unknown>
}

function Waiting({ title, text, action, done, approvals, isForOthers, onApprove }: WaitingProps) {
  const { user, can } = useSession()
  const approve = useMutation({
    mutationFn: onApprove,
    onSuccess: () => showToast(done),
    onError: (error) => showErrorToast(errorText(error)),
  })
  const isDone = approvals.some(({ person }) => person?.id === user.id)
  return (
    <Callout intent="warning" icon={null} title={title} className={styles['waiting'] ?? ''} aria-live="polite">
      <p>{text}</p>
      {approvals.map(({ id, person, created_at: at }) => (
        <p key={id}>
          {`${done} by ${person?.name || 'somebody'} `}
          <TimeAgo at={at} />
        </p>
      ))}
      {can('write', 'playbook_runs') && !isDone && !isForOthers ? (
        <Button intent="primary" text={action} loading={approve.isPending} onClick={() => approve.mutate()} />
      ) : null}
    </Callout>
  )
}

/** Who may approve a run, as its playbook says. */
function describeApprovers(approval: ReturnType<typeof readPlaybookSpec>['approval']): string {
  if (approval === null) return 'Its playbook names who may approve it.'
  const names = [...approval.people, ...approval.teams.map((team) => `team ${team}`)].join(', ')
  const rule = approval.needsAll ? 'Each of these has to approve it' : 'One of these has to approve it'
  return `${rule}: ${names}.${approval.excludesRequester ? ' Not whoever asked for it.' : ''}`
}
