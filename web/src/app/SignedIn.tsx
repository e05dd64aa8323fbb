import { Button, Spinner } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import type { User } from '@watchroom/shared/identity'
import { featureFlagsTopic } from '@watchroom/shared/protocol'
import { type ReactNode, Suspense, useEffect, useState } from 'react'

import { BackendFactsWatch } from '../api/backendFacts.ts'
import { FeatureFlagsProvider, useEarlyFeatureFlags, useFollowFlags } from '../api/featureFlags.tsx'
import { sessionKeys } from '../api/queryKeys.ts'
import { errorText, RequestError } from '../api/request.ts'
import { isStandalone, SessionProvider, useSession } from '../api/session.tsx'
import { announceSessionEnded } from '../api/sessionEnded.ts'
import { systemClock } from '../live/clock.ts'
import { LiveProvider, useLiveClient } from '../live/LiveProvider.tsx'
import { LocalTime, ServerTime } from '../live/ServerTime.tsx'
import { useTopic } from '../live/useTopic.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'

// Only loaded after a failure.
const SessionFailure = lazyPart(async () => (await import('./SessionFailure.tsx')).SessionFailure)

interface SignedInProps {
  /** If false, nothing counts as switched off until the flags are known. */
  awaitsFlags?: boolean
  children: ReactNode
}

/** Everything a signed-in screen relies on: the session, feature flags, live data, the server's time. */
export function SignedIn({ awaitsFlags = true, children }: SignedInProps) {
  // Does not wait for the session: if there is none, this request finds out just as well.
  useEarlyFeatureFlags()
  return (
    <SessionProvider loading={<Waiting />} failed={renderFailure}>
      <FeatureFlagsProvider isAwaited={awaitsFlags} loading={<Waiting />} failed={renderFlagsFailure}>
        <LiveProvider>
          <SessionWatch />
          <BackendFactsWatch />
          <FlagWatch />
          <ServerTime>{children}</ServerTime>
        </LiveProvider>
      </FeatureFlagsProvider>
    </SessionProvider>
  )
}

/** A page that only listens sends no request that could be refused. Its socket tells it when the session ends or its rights change. */
function SessionWatch(): null {
  const client = useLiveClient()
  const queryClient = useQueryClient()
  useEffect(
    () => client?.onRights(() => void queryClient.invalidateQueries({ queryKey: sessionKeys.all })),
    [client, queryClient],
  )
  useEffect(
    () =>
      client?.onLink(() => {
        const link = client.link()
        if (link.kind === 'ended' && link.reaction === 'signIn') announceSessionEnded()
      }),
    [client],
  )
  return null
}

/** Flags changed elsewhere take effect here within a second. */
function FlagWatch(): null {
  const { rows, state } = useTopic(featureFlagsTopic, {})
  useFollowFlags(state === 'live' || state === 'delayed' ? rows : null)
  return null
}

/** After this long, offers a way out: an answer may never come. */
const LONG_MS = 10_000

function Waiting() {
  const [isLong, setLong] = useState(false)
  useEffect(() => systemClock.schedule(() => setLong(true), LONG_MS), [])
  return (
    <div className="wr-full-page">
      <output className="wr-state">
        <Spinner size={32} aria-label="Loading Watchroom" className="wr-late" />
        {isLong ? (
          <>
            <p className="wr-state-text">This takes longer than usual.</p>
            <Button text="Reload" onClick={() => window.location.reload()} />
          </>
        ) : null}
      </output>
    </div>
  )
}

/** The page is on its way to the sign-in. Announces the end of the session again, because the refused request may have handled it silently. */
function Leaving() {
  useEffect(announceSessionEnded, [])
  return <Waiting />
}

interface FailureProps {
  error: unknown
  retry: () => void
}

const renderFlagsFailure = (error: unknown, retry: () => void): ReactNode => (
  <FlagsFailure error={error} retry={retry} />
)

function FlagsFailure({ error, retry }: FailureProps): ReactNode {
  return renderFailure(error, retry, useSession().user)
}

function renderFailure(error: unknown, retry: () => void, caller?: User): ReactNode {
  // Where nobody signs in, a 401 cannot lead to the sign-in.
  const leads = caller === undefined || !isStandalone(caller)
  if (leads && error instanceof RequestError && error.status === 401) return <Leaving />
  return <Failure error={error} retry={retry} />
}

function Failure({ error, retry }: FailureProps) {
  const isUnavailable = error instanceof RequestError && (error.status === 404 || error.status >= 500)
  return (
    <main className="wr-full-page">
      {isUnavailable ? (
        <Suspense>
          <LocalTime>
            <SessionFailure error={error} onRetry={retry} />
          </LocalTime>
        </Suspense>
      ) : (
        <ErrorState message={errorText(error)} onRetry={retry} />
      )}
    </main>
  )
}
