import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { FRESH_MS } from './queryClient.ts'
import { teamKeys } from './queryKeys.ts'
import { request } from './request.ts'

const TeamOptionSchema = z.array(z.object({ id: z.string(), name: z.string() }))

/** Teams to choose from. */
export const teamOptionsQuery = queryOptions({
  queryKey: teamKeys.options,
  // Someone who has just added one wants to choose it.
  staleTime: FRESH_MS.never,
  queryFn: ({ signal }) =>
    request('/api/db/teams?select=id,name&deleted_at=is.null&order=name.asc', { schema: TeamOptionSchema, signal }),
})
