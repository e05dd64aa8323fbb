import { type ComponentSort, isComponentSort, type SortOrder, toShownStatus } from '@watchroom/shared/topology'
import { z } from 'zod'

import { idField } from '../../url/searchFields.ts'

/** Links of other consoles say `All` where ours say nothing (backend reference 6.4). */
const word = z
  .string()
  .catch('')
  .transform((text) => (text === 'All' ? '' : text))

/** What a link to the topology carries (third specification, section 2); nonsense falls back key by key. */
export const TopologySearchSchema = z.object({
  status: word.transform(toShownStatus),
  type: word,
  team: word,
  /** Pairs such as `tier=1`, separated by commas. */
  labels: z
    .string()
    .refine((text) => text.split(',').every((pair) => pair.indexOf('=') > 0))
    .catch(''),
  agent_id: idField,
  showHiddenComponents: z.enum(['yes', 'no', '']).catch(''),
  sortBy: z
    .string()
    .refine((text): boolean => isComponentSort(text))
    .catch(''),
  sortOrder: z.enum(['asc', 'desc', '']).catch(''),
  /** The component whose card led here. */
  refererId: idField,
})
export type TopologySearch = z.infer<typeof TopologySearchSchema>

/** What a link to a single card carries. */
export const CardSearchSchema = z.object({
  id: idField,
  size: z.enum(['small', 'medium', 'large', 'extra_large']).catch('large'),
})

/** Keys that choose components; cards lead on with all but the status, which would hide what is in them. */
export const FILTER_KEYS = ['status', 'type', 'team', 'labels', 'agent_id'] as const

export interface Sorting {
  readonly by: ComponentSort
  readonly order: SortOrder
}
