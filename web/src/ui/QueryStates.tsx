import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { type DataState, DENIED } from './dataState.ts'
import { DataStates } from './DataStates.tsx'
import { errorText } from './errorText.ts'

/** The part of a query's result that its state is derived from. */
export type QueryLook<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching' | 'isPlaceholderData'> & {
  readonly refetch: () => unknown
}

const FORBIDDEN = 403
/** How the gateway's own refusals begin, which say no more than the page does. */
const OWN_WORDS = 'You do not have permission'
/** From the gateway's catalog (docs/errors.md). */
const NOT_OFFERED = 'PROXY_NOT_OFFERED'

function toRefusal(error: Error): string | null {
  const { status, details } = error as { readonly status?: number; readonly details?: { readonly code?: string } }
  return status === FORBIDDEN ? DENIED : details?.code === NOT_OFFERED ? error.message : null
}

/** The state of a query, for `DataStates`. */
export function toQueryState<Data>(query: QueryLook<Data>, what: string): DataState<Data> {
  const { data, error, isFetching, isPlaceholderData, refetch } = query
  const refusal = error && toRefusal(error)
  return {
    what,
    data,
    refusal,
    reason: refusal === DENIED && !error?.message.startsWith(OWN_WORDS) ? error?.message : undefined,
    failure:
      error === null
        ? null
        : {
            message: errorText(error),
            onRetry: () => void refetch(),
            isRetrying: isFetching,
          },
    isOld: isPlaceholderData,
  }
}

interface QueryStatesProps<Data> {
  query: QueryLook<Data>
  /** What is loaded, for sentences: `results`. */
  what: string
  skeleton?: ReactNode
  children: (data: Data) => ReactNode
}

/** Shows the data of a query, or its loading, failed or refused state. */
export function QueryStates<Data>({ query, what, ...rest }: QueryStatesProps<Data>): ReactNode {
  return <DataStates state={toQueryState(query, what)} {...rest} />
}
