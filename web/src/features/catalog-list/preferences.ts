import { z } from 'zod'

import { storedAtom } from '../../preferences/storedAtom.ts'

/** Types that stand first in the summary. */
export const favoriteTypesAtom = storedAtom<Readonly<Record<string, boolean>>>('configTypesFavorites', {
  schema: z.record(z.string(), z.boolean()),
  version: 1,
  fallback: {},
})

/** `Hide Deleted Catalog`, third specification, section 2. */
export const hideDeletedAtom = storedAtom<'yes' | 'no'>('areDeletedConfigsHidden', {
  schema: z.enum(['yes', 'no']),
  version: 1,
  fallback: 'yes',
})
