import { z } from 'zod'

import { storedAtom } from '../../preferences/storedAtom.ts'

/** Types that stand first in the summary. */
export const favoriteTypesAtom = storedAtom<Readonly<Record<string, boolean>>>('configTypesFavorites', {
  schema: z.record(z.string(), z.boolean()),
  version: 1,
  fallback: {},
})
