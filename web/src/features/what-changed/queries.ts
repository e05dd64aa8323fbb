import { queryOptions } from '@tanstack/react-query'
import { type LensStartKind, WhatChangedSchema } from '@watchroom/shared/catalog'

import { FRESH_MS } from '../../api/queryClient.ts'
import { whatChangedKey } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'

/** What one asks about. An instant without a moment is now. */
export interface LensStart {
  readonly start: LensStartKind
  readonly id?: string
  /** ISO moment; what the start itself says when absent. */
  readonly at?: string
}

/** What may have caused it, the most likely first. */
export const whatChangedQuery = (start: LensStart) =>
  queryOptions({
    queryKey: whatChangedKey(start),
    queryFn: ({ signal }) =>
      request('/api/catalog/what-changed', { method: 'POST', body: start, schema: WhatChangedSchema, signal }),
    staleTime: FRESH_MS.never,
    // One answer for as long as someone looks at it, and none of an earlier look: another order would choose something else.
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
