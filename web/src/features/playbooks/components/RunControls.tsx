import { Repeat, Stop } from '@blueprintjs/icons'
import { useMutation } from '@tanstack/react-query'
import { isEnded, type PlaybookRun } from '@watchroom/shared/playbooks'
import { useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { errorText } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { PHONE } from '../../../ui/breakpoints.ts'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { ConfirmMutation } from '../../../ui/dialog/ConfirmMutation.tsx'
import { showErrorToast, showToast } from '../../../ui/toaster.ts'
import { useMediaQuery } from '../../../ui/useMediaQuery.ts'
import { INITIALIZATION, type Step, titleOf } from '../runParts.ts'
import { cancelRun, retryRun } from '../runQueries.ts'

/** What can be done with a run besides running it again. */
export function RunControls({ run, steps }: { run: PlaybookRun; steps: readonly Step[] }) {
  const [isAsking, setAsking] = useState(false)
  const isPhone = useMediaQuery(PHONE)
  const cancel = useMutation({
    mutationFn: () => cancelRun(run.id),
    onSuccess: () => {
      setAsking(false)
      showToast('Run cancelled')
    },
  })
  const retry = useMutation({
    mutationFn: () => retryRun(run.id),
    onError: (error) => showErrorToast(errorText(error)),
  })
  const isHere = useMissing('runControl') === null
  if (!useSession().can('write', 'playbook_runs') || !isHere) return null
  const hasFailedStep = steps.some(({ id, status }) => status === 'failed' && id !== INITIALIZATION)
  if (run.status === 'failed' && hasFailedStep) {
    return (
      <CommandButton
        icon={<Repeat />}
        isIcon={isPhone}
        command="Retry failed step"
        loading={retry.isPending}
        onClick={() => retry.mutate()}
      />
    )
  }
  if (isEnded(run.status)) return null
  return (
    <>
      <CommandButton icon={<Stop />} isIcon={isPhone} command="Cancel run" onClick={() => setAsking(true)} />
      {isAsking ? (
        <ConfirmMutation
          title={`Cancel this run of ${titleOf(run.playbooks)}?`}
          action="Cancel run"
          cancel="Keep running"
          mutation={cancel}
          onCancel={() => setAsking(false)}
          onConfirm={() => cancel.mutate()}
        >
          The running step is stopped and no other starts. Completed work isn’t rolled back.
        </ConfirmMutation>
      ) : null}
    </>
  )
}
