import { Spinner } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useParams } from '@tanstack/react-router'

import { readFlowError } from '../../../api/identity.ts'
import { identityKeys } from '../../../api/queryKeys.ts'
import { errorText, RequestError } from '../../../api/request.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { SignInLayout } from '../components/SignInLayout.tsx'

import styles from '../signIn.module.css'

/** Statuses that mean that there is nothing to explain any more. */
const GONE = new Set([403, 404, 410])

export function FlowErrorScreen() {
  const { id = '' } = useParams({ strict: false })
  return <FlowErrorView id={id} />
}

export function FlowErrorView({ id }: { id: string }) {
  const query = useQuery({
    queryKey: identityKeys.flowError(id),
    queryFn: ({ signal }) => readFlowError(id, signal),
    retry: false,
  })
  if (query.error instanceof RequestError && GONE.has(query.error.status)) return <Navigate to="/" replace />
  const message = query.isError ? errorText(query.error) : query.data
  return (
    <SignInLayout title="An error occurred">
      {message === undefined ? (
        <div className={styles['wait']}>
          <Spinner size={28} aria-label="Loading the error" />
        </div>
      ) : (
        <ErrorState title={message} message={message} actions={<Link to="/">Go back</Link>} />
      )}
    </SignInLayout>
  )
}
