import type { ReactNode } from 'react'

import type { DataState } from './dataState.ts'
import { ErrorState } from './ErrorState.tsx'
import { LoadingSkeleton } from './LoadingSkeleton.tsx'
import { Refused } from './Refused.tsx'
import { StaleNotice } from './StaleNotice.tsx'

interface DataStatesProps<Data> {
  state: DataState<Data>
  /** Shown until the data arrives, in its shape. */
  skeleton?: ReactNode
  /** More actions after a failure. */
  actions?: ReactNode
  children: (data: Data) => ReactNode
}

/** The states that every screen has, in one place: loading, failed, not allowed, not available, old. An empty list is up to the children. */
export function DataStates<Data>({ state, skeleton, actions, children }: DataStatesProps<Data>): ReactNode {
  const { what, data, refusal, reason, failure } = state
  if (refusal !== null) return <Refused refusal={refusal} reason={reason} />
  if (data !== undefined) {
    return (
      <>
        {failure === null ? null : (
          <StaleNotice what={what} reason={failure.message} onRetry={failure.onRetry} isRetrying={failure.isRetrying} />
        )}
        {children(data)}
      </>
    )
  }
  if (failure === null) return skeleton ?? <LoadingSkeleton label={`Loading ${what}`} />
  return (
    <ErrorState
      title={`Could not load ${what}`}
      message={failure.message}
      onRetry={failure.onRetry}
      isRetrying={failure.isRetrying}
      actions={actions}
    />
  )
}
