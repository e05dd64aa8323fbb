import { queryOptions } from '@tanstack/react-query'
import { ResourceSearchAnswerSchema, type SearchKind } from '@watchroom/shared/resources'

import { FRESH_MS } from './queryClient.ts'
import { resourceSearchKey } from './queryKeys.ts'
import { request } from './request.ts'

/** Results per kind: to see others, one types another letter. */
const PER_KIND = 6

/** Resources by how their words begin, on agents too. */
export const resourceSearchQuery = (text: string, kinds: readonly SearchKind[]) =>
  queryOptions({
    queryKey: resourceSearchKey(text, kinds),
    queryFn: ({ signal }) =>
      request('/api/resources/search', {
        method: 'POST',
        body: {
          limit: PER_KIND,
          ...Object.fromEntries(kinds.map((kind) => [kind, [{ search: text, agent: 'all' }]])),
        },
        schema: ResourceSearchAnswerSchema,
        signal,
      }),
    // People search for what was created a moment ago.
    staleTime: FRESH_MS.never,
  })
