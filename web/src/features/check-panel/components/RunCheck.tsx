import { Callout, Spinner } from '@blueprintjs/core'
import { Play } from '@blueprintjs/icons'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { mayRunChecks } from '@watchroom/shared/access'
import type { CheckRunResult } from '@watchroom/shared/health'
import { formatDuration } from '@watchroom/shared/time'
import { useState } from 'react'

import { checkKeys } from '../../../api/queryKeys.ts'
import { errorText } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { useServerNow } from '../../../ui/clock.tsx'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { runCheckMutation } from '../queries.ts'

import styles from '../checkPanel.module.css'

interface RunCheckProps {
  checkId: string
  /** If false, an agent runs it, out of reach; the footer says which. */
  isRunHere: boolean
}

/** Runs the check now and shows the result. Nothing for people who may not. */
export function RunCheck({ checkId, isRunHere }: RunCheckProps) {
  const { roles } = useSession()
  const queryClient = useQueryClient()
  const run = useMutation({
    ...runCheckMutation(checkId),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: checkKeys.results(checkId) }),
  })
  if (!mayRunChecks(roles)) return null

  return (
    <>
      <section className={styles['runOutcome']} aria-label="Outcome of the run" aria-live="polite">
        {run.isPending ? <Elapsed /> : null}
        {run.isError ? (
          <Callout intent="danger" icon={null} compact>
            The check could not be run: {errorText(run.error)}
          </Callout>
        ) : null}
        {run.isSuccess ? <Outcome result={run.data} /> : null}
      </section>
      <CommandButton
        command="Run Now"
        aria-keyshortcuts="r"
        icon={run.isPending ? <Spinner size={16} /> : <Play />}
        intent="primary"
        disabled={!isRunHere}
        // Not disabled: a disabled button drops the focus, and Escape would no longer reach the panel.
        aria-disabled={run.isPending}
        onClick={() => {
          // Asks the cache, because a double click is faster than the next render.
          if (queryClient.isMutating({ mutationKey: checkKeys.run(checkId) }) === 0) run.mutate()
        }}
      />
    </>
  )
}

/** Seconds since the run began, because it may take a minute. Not for screen readers, which would read out every second. */
function Elapsed() {
  const now = useServerNow(1_000)
  const [startedAt] = useState(now)
  return (
    <span className="wr-muted">
      Running…<span aria-hidden>{now > startedAt ? ` ${formatDuration(now - startedAt)}` : null}</span>
    </span>
  )
}

function Outcome({ result }: { result: CheckRunResult | null }) {
  if (result === null) {
    return (
      <Callout icon={null} compact>
        The run ended without a result.
      </Callout>
    )
  }
  const took = typeof result.duration === 'number' ? ` in ${formatDuration(result.duration)}` : ''
  const text = result.error || result.message
  // The original runner omits `pass` when it is false.
  const hasPassed = result.pass === true
  return (
    <Callout intent={hasPassed ? 'success' : 'danger'} icon={null} compact>
      {result.invalid ? 'The definition is broken' : `${hasPassed ? 'Passed' : 'Failed'}${took}`}
      {text ? `: ${text}` : null}
    </Callout>
  )
}
