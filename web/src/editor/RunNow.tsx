import { Play } from '@blueprintjs/icons'
import { useMutation } from '@tanstack/react-query'
import { NIL_UUID } from '@watchroom/shared/kernel'

import { CommandButton } from '../ui/CommandButton.tsx'
import { errorText } from '../ui/errorText.ts'
import { showErrorToast, showToast } from '../ui/toaster.ts'

/** What a run tells: that it did something, or why not. */
export interface RunTold {
  readonly text: string
  readonly isFailure: boolean
}

interface RunNowProps {
  /** Whose it is to run; this installation's when absent. */
  agentId: string | null | undefined
  run: () => Promise<RunTold>
}

/** Runs now what has a schedule, and says what it did. */
export function RunNow({ agentId, run }: RunNowProps) {
  const running = useMutation({
    mutationFn: run,
    onSuccess: ({ text, isFailure }) => (isFailure ? showErrorToast(text) : showToast(text)),
    onError: (error) => showErrorToast(errorText(error)),
  })
  const isElsewhere = Boolean(agentId) && agentId !== NIL_UUID
  return (
    <CommandButton
      icon={<Play />}
      command="Run now"
      variant="outlined"
      loading={running.isPending}
      disabledReason={isElsewhere ? 'Its agent runs it.' : undefined}
      onClick={() => running.mutate()}
    />
  )
}
