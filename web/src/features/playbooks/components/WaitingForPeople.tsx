import { Button, Callout } from '@blueprintjs/core'
import { useMutation } from '@tanstack/react-query'
import type { PlaybookApproval } from '@watchroom/shared/playbooks'

import { errorText } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { showErrorToast, showToast } from '../../../ui/toaster.ts'

import styles from '../playbooks.module.css'

interface WaitingForPeopleProps {
  title: string
  text: string
  action: string
  done: string
  approvals: readonly PlaybookApproval[]
  /** Not for whoever looks at it. */
  isForOthers: boolean
  /** A note on the approval of someone whose approval does not count now. */
  describeAbsence?: (personId: string) => string
  onApprove: () => Promise<unknown>
}

/** Says what is awaited and who has confirmed, with a button for people who may and have not. */
export function WaitingForPeople({ title, text, action, done, approvals, ...props }: WaitingForPeopleProps) {
  const { user, can } = useSession()
  const approve = useMutation({
    mutationFn: props.onApprove,
    onSuccess: () => showToast(done),
    onError: (error) => showErrorToast(errorText(error)),
  })
  const isDone = approvals.some(({ person }) => person?.id === user.id)
  return (
    <Callout intent="warning" icon={null} title={title} className={styles['waiting'] ?? ''} aria-live="polite">
      <p>{text}</p>
      {approvals.map(({ id, person, created_at: at }) => (
        <p key={id}>
          {`${done} by ${person?.name || 'someone'} `}
          <TimeAgo at={at} />
          {person ? props.describeAbsence?.(person.id) : null}
        </p>
      ))}
      {can('write', 'playbook_runs') && !isDone && !props.isForOthers ? (
        <Button intent="primary" text={action} loading={approve.isPending} onClick={() => approve.mutate()} />
      ) : null}
    </Callout>
  )
}
