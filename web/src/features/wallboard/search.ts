import { type GroupBy, tryParseGroupBy } from '@watchroom/shared/health'
import { type WallFilter, WallFilterSchema } from '@watchroom/shared/wall'
import { z } from 'zod'

import { THEMES } from '../../preferences/theme.ts'
import { booleanField } from '../../url/searchFields.ts'

/** Seconds a page or a board stays, unless the address says otherwise. */
export const DEFAULT_SECONDS = 20
const MAX_SECONDS = 3_600
const MAX_COLUMNS = 40

/** In addresses: checks without a namespace, as on the health page. */
export const NO_NAMESPACE = 'none'

const groupBy = z.string().transform((text): GroupBy => tryParseGroupBy(text) ?? 'no-group')
const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most)

/** Everything a wallboard is, as its address carries it; a key that is absent or nonsense falls back alone. */
export const WallSearchSchema = z.object({
  query: z.string().max(200).catch(''),
  /** JSON map of label id to 1 or -1, as on the health page. */
  labels: z.string().catch(''),
  namespace: z.string().min(1).max(200).optional().catch(undefined),
  groupBy: groupBy.catch('no-group'),
  // Given twice they are all meant.
  /** Ids of saved boards in rotation, separated by commas; the filter above is theirs then. */
  boards: z.union([z.string(), z.array(z.string()).transform((lists) => lists.join(','))]).catch(''),
  /** 0 stops the rotation. */
  seconds: whole(0, MAX_SECONDS).catch(DEFAULT_SECONDS),
  theme: z.enum(THEMES).catch('dark'),
  columns: whole(1, MAX_COLUMNS).optional().catch(undefined),
})
export type WallSearch = z.infer<typeof WallSearchSchema>

type FilterSearch = Pick<WallSearch, 'query' | 'labels' | 'namespace'>

export function toFilter({ query, labels, namespace }: FilterSearch): WallFilter {
  return {
    query,
    labels: parseLabels(labels),
    ...(namespace === undefined ? {} : { namespace: namespace === NO_NAMESPACE ? '' : namespace }),
  }
}

function parseLabels(text: string): WallFilter['labels'] {
  try {
    const parsed = WallFilterSchema.shape.labels.safeParse(JSON.parse(text === '' ? '{}' : text))
    return parsed.success ? parsed.data : {}
  } catch {
    // A link that was cut off: its other keys still count.
    return {}
  }
}

/** The other way round. */
export const toFilterSearch = ({ query, labels, namespace }: WallFilter): FilterSearch => ({
  query,
  labels: Object.keys(labels).length === 0 ? '' : JSON.stringify(labels),
  namespace: namespace === '' ? NO_NAMESPACE : namespace,
})

export const toBoardIds = (boards: string): string[] => [...new Set(boards.split(',').filter((id) => id !== ''))]

/** Of the list of saved boards: whether one is being added, and which one is being changed. */
export const BoardsSearchSchema = z.object({
  new: booleanField(),
  edit: z.string().optional().catch(undefined),
})
