import type { ReactNode } from 'react'

import { DataStates } from './DataStates.tsx'
import { ErrorState } from './ErrorState.tsx'
import { type QueryLook, toQueryState } from './QueryStates.tsx'

interface QueryFailureProps {
  /** What is loaded, for sentences: `the links`. */
  what: string
  title?: string
  /** The one that failed. */
  query: Pick<QueryLook<unknown>, 'error' | 'isFetching' | 'refetch'>
}

/** Shown instead of something that failed to load: the failure with a retry, or for a refusal whom to ask. */
export function QueryFailure({ what, title = `Could not load ${what}`, query }: QueryFailureProps): ReactNode {
  const { error, isFetching, refetch } = query
  const state = toQueryState({ data: undefined, error, isFetching, refetch, isPlaceholderData: false }, what)
  if (state.refusal !== null || state.failure === null) return <DataStates state={state}>{() => null}</DataStates>
  return <ErrorState title={title} {...state.failure} />
}
