import type { ReactNode } from 'react'

import type { DataState } from './dataState.ts'
import { ErrorState } from './ErrorState.tsx'
import { LoadingSkeleton } from './LoadingSkeleton.tsx'
import { Refused } from './Refused.tsx'
import { StaleNotice } from './StaleNotice.tsx'

interface DataStatesProps<Data> {
  state: DataState<Data>
  /** Stands where the data will be, in its shape. */
  skeleton?: ReactNode
  /** Further ways out of a failure. */
  actions?: ReactNode
  children: (data: Data) => ReactNode
}

/** The looks that every screen has, in one place: loading, failed, not allowed, not there, old. Empty is a look of the data. */
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
