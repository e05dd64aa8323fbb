import { z } from 'zod'

import { sortFields } from '../../ui/table/listSearch.ts'
import { booleanField } from '../../url/searchFields.ts'

/** What a link to the feature flags carries; nonsense falls back key by key. */
export const FlagSearchSchema = z.object({
  query: z.string().catch(''),
  /** Opens the dialog that adds a flag. */
  add: booleanField(),
  /** Opens the dialog of this flag. */
  name: z.string().catch(''),
  ...sortFields(['name', 'value', 'source'], 'name', 'asc'),
})
