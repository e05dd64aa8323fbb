import { Lock } from '@blueprintjs/icons'
import type { ReactNode } from 'react'

import { type DataState, DENIED } from './dataState.ts'
import { EmptyState } from './EmptyState.tsx'
import { ErrorState } from './ErrorState.tsx'
import { LoadingSkeleton } from './LoadingSkeleton.tsx'
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
  const { what, data, refusal, failure } = state
  if (refusal !== null) {
    return (
      <EmptyState title={refusal} icon={<Lock size={24} />}>
        {refusal === DENIED ? 'You do not have permission to access this page' : null}
      </EmptyState>
    )
  }
  if (data !== undefined) {
    return (
      <>
        {failure === null ? null : (
          <StaleNotice
            what={`These ${what}`}
            reason={failure.message}
            onRetry={failure.onRetry}
            isRetrying={failure.isRetrying}
          />
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
