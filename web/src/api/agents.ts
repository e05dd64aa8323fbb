import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { agentsKey } from './queryKeys.ts'
import { request } from './request.ts'

const AgentSchema = z.object({ id: z.string(), name: z.string().nullish(), deleted_at: z.string().nullish() })
export type NamedAgent = z.infer<typeof AgentSchema>

/** Agents by name, also those that were deleted: what they left keeps their name. */
export const agentsQuery = queryOptions({
  queryKey: agentsKey,
  queryFn: ({ signal }) =>
    request('/api/db/agents?select=id,name,deleted_at&order=name.asc', { schema: AgentSchema.array(), signal }),
  staleTime: 60_000,
})
