import { CARD_SIZES, type ComponentSort, isComponentSort, toCardWidth } from '@watchroom/shared/topology'
import { z } from 'zod'

import { storedAtom } from '../../preferences/storedAtom.ts'

const sort = z.string().refine(isComponentSort).nullable()

/** CSS pixels. What is stored and no width of the slider becomes the nearest one. */
export const cardWidthAtom = storedAtom<number>('topology_card_width', {
  schema: z.unknown().transform(toCardWidth),
  version: 1,
  fallback: CARD_SIZES.extra_large,
})

export const hiddenShownAtom = storedAtom<boolean>('topologyHiddenShown', {
  schema: z.boolean(),
  version: 1,
  fallback: false,
})

/** The sort that was chosen last: one of every page, and one by a headline property. */
export const standardSortAtom = storedAtom<ComponentSort | null>('topologyCardsSortByStandard', {
  schema: sort,
  version: 1,
  fallback: null,
})
export const customSortAtom = storedAtom<ComponentSort | null>('topologyCardsSortByCustom', {
  schema: sort,
  version: 1,
  fallback: null,
})
export const sortOrderAtom = storedAtom<'asc' | 'desc'>('topologyCardsSortOrder', {
  schema: z.enum(['asc', 'desc']),
  version: 1,
  fallback: 'desc',
})
