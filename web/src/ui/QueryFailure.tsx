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

/** In place of something that did not come: a failure with a way to try again, or whom to ask where it is a refusal. */
export function QueryFailure({ what, title = `Could not load ${what}`, query }: QueryFailureProps): ReactNode {
  const { error, isFetching, refetch } = query
  const state = toQueryState({ data: undefined, error, isFetching, refetch, isPlaceholderData: false }, what)
  if (state.refusal !== null || state.failure === null) return <DataStates state={state}>{() => null}</DataStates>
  return <ErrorState title={title} {...state.failure} />
}
