import { Spinner } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { safeReturnTo } from '@watchroom/shared/kernel'

import { checkSession } from '../../../api/identity.ts'
import { identityKeys } from '../../../api/queryKeys.ts'
import { errorText, RequestError } from '../../../api/request.ts'
import { systemClock } from '../../../live/clock.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { SignInLayout } from '../components/SignInLayout.tsx'
import { signInSearch } from '../search.ts'
import { type Destination, sessionVerdict } from '../sessionVerdict.ts'

import styles from '../signIn.module.css'

/** Where a refused request lands: finds out what is missing and sends the user there. */
export function AuthStateChecker() {
  const [search] = useSearchState(signInSearch)
  const returnTo = safeReturnTo(search.return_to)
  const query = useQuery({
    queryKey: identityKeys.sessionVerdict(returnTo),
    queryFn: ({ signal }) => judgeSession(returnTo, signal),
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (query.data) return <Navigate to={query.data.path} search={query.data.search} replace />
  return (
    <SignInLayout title="Checking your session">
      {query.isError ? (
        <ErrorState
          message={errorText(query.error)}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : (
        <div className={styles['wait']}>
          <Spinner size={28} aria-label="Checking your session" />
        </div>
      )}
    </SignInLayout>
  )
}

/** Rejects when the service cannot say: it failed, or it could not be reached. */
async function judgeSession(returnTo: string, signal: AbortSignal): Promise<Destination> {
  const refusal = await checkSession(signal).then(
    () => null,
    (error: unknown) => error,
  )
  const isRefusal = refusal instanceof RequestError && refusal.failure === 'http'
  if (refusal !== null && !isRefusal) throw refusal
  const verdict = sessionVerdict(isRefusal ? refusal.status : 200, returnTo, systemClock.monotonic())
  if (verdict === null) throw refusal
  return verdict
}
