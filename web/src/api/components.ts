import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { componentsKey } from './queryKeys.ts'
import { request } from './request.ts'

const NamedSchema = z.array(z.object({ id: z.string(), name: z.string().nullish() }))

/** Components, for filters by component. */
export const componentsQuery = queryOptions({
  queryKey: componentsKey,
  queryFn: ({ signal }) =>
    request('/api/db/components?select=id,name&deleted_at=is.null&order=name.asc', { schema: NamedSchema, signal }),
})
