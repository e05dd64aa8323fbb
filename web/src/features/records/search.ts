import { z } from 'zod'

import { PAGE_SIZES } from '../../ui/pages.ts'

const pageSize = z.coerce
  .number()
  .refine((size) => (PAGE_SIZES as readonly number[]).includes(size))
  .default(50)
  .catch(50)

/** What the address of a record list says; `sortBy` is checked against the list's own columns. */
export const recordSearch = z.object({
  query: z.string().default('').catch(''),
  pageIndex: z.coerce.number().int().min(0).default(0).catch(0),
  pageSize,
  sortBy: z.string().optional().catch(undefined),
  sortOrder: z.enum(['asc', 'desc']).optional().catch(undefined),
})
export type RecordSearch = z.infer<typeof recordSearch>
