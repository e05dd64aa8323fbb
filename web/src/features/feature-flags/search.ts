import { z } from 'zod'

import { booleanField } from '../../url/searchFields.ts'

/** What a link to the feature flags carries; nonsense falls back key by key. */
export type FlagSearch = {
  query: string
  /** Opens the dialog that adds a flag. */
  add: boolean
  /** Opens the dialog of this flag. */
  name: string
  sortBy: 'name' | 'value' | 'source'
  sortOrder: 'asc' | 'desc'
}

export const FlagSearchSchema: z.ZodType<FlagSearch> = z.object({
  query: z.string().catch(''),
  add: booleanField(),
  name: z.string().catch(''),
  sortBy: z.enum(['name', 'value', 'source']).catch('name'),
  sortOrder: z.enum(['asc', 'desc']).catch('asc'),
})
