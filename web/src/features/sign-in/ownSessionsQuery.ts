import { queryOptions } from '@tanstack/react-query'

import { readOwnSessions } from '../../api/identity.ts'
import { FRESH_MS } from '../../api/queryClient.ts'
import { identityKeys } from '../../api/queryKeys.ts'

/** The session of this browser, then the others of the same person. */
export const ownSessionsQuery = () =>
  queryOptions({
    queryKey: identityKeys.ownSessions,
    queryFn: ({ signal }) => readOwnSessions(signal),
    retry: false,
    // Sessions begin and end, and addresses are verified, on other pages.
    staleTime: FRESH_MS.never,
  })
