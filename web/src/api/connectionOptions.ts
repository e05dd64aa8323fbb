// Names and types of connections, for choosing one without reading what it holds.
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { FRESH_MS } from './queryClient.ts'
import { connectionOptionKeys } from './queryKeys.ts'
import { request } from './request.ts'

const ConnectionOptionSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string().nullish(),
  namespace: z.string().nullish(),
})
export type ConnectionOption = z.infer<typeof ConnectionOptionSchema>

const PATH = '/api/db/connections_list?select=id,name,type,namespace&order=name.asc'

/** Needs write on notifications. */
export const connectionOptionsQuery = queryOptions({
  queryKey: connectionOptionKeys.all,
  // Someone who has just added one wants to choose it.
  staleTime: FRESH_MS.never,
  queryFn: ({ signal }) => request(PATH, { schema: z.array(ConnectionOptionSchema), signal }),
})

/** How definitions refer to it. */
export const toReference = ({ name, namespace }: Pick<ConnectionOption, 'name' | 'namespace'>): string =>
  `connection://${namespace || 'default'}/${name}`
