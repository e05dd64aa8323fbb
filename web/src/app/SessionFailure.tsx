import { Spinner } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import { organizationsQuery } from '../api/organizations.ts'
import { errorText } from '../api/request.ts'
import { useScreenClock } from '../ui/clock.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'

const AGAIN_MS = 5_000

interface SessionFailureProps {
  error: unknown
  onRetry: () => void
}

/** The server could not identify the person. In hosted mode this happens while an organization's backend is still being set up. */
export function SessionFailure({ error, onRetry }: SessionFailureProps) {
  const hosted = useQuery(organizationsQuery)
  if (hosted.isPending) return <Spinner size={32} aria-label="Loading Watchroom" />
  if (!hosted.data) return <ErrorState message={errorText(error)} onRetry={onRetry} />
  return <Provisioning onRetry={onRetry} hasOthers={hosted.data.organizations.length > 1} />
}

function Provisioning({ onRetry, hasOthers }: Pick<SessionFailureProps, 'onRetry'> & { hasOthers: boolean }) {
  const { clock } = useScreenClock()
  // `onRetry` is a new function after each answer, which schedules the next attempt.
  useEffect(() => clock.schedule(onRetry, AGAIN_MS), [clock, onRetry])
  return (
    <output>
      <Spinner size={32} aria-hidden />
      <p>Please wait, instance provisioning in-progress ...</p>
      {hasOthers ? (
        <p>
          <a href="/organizations">Choose another organization</a>
        </p>
      ) : null}
    </output>
  )
}
