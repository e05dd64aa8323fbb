import {
  DEFAULT_GROUP_BY,
  type GroupBy,
  SORT_COLUMNS,
  type SortColumn,
  tryParseGroupBy,
} from '@watchroom/shared/health'
import { RANGE_KEYS, type RangeKey } from '@watchroom/shared/time'
import { z } from 'zod'

// A type and not an interface: only those are assignable to the index signature of `useSearchState`.
/** What a link to the health page carries; a key that is absent or nonsense falls back alone. */
export type HealthSearch = {
  query: string
  /** Check whose panel is open. */
  checkId?: string | undefined
  sortBy: SortColumn
  sortDesc: boolean
  /** Absent: as this browser remembers it (`settings.ts`). */
  hidePassing?: boolean | undefined
  groupBy?: GroupBy | undefined
  timeRange: RangeKey
}

const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
const groupBy = z.string().transform((text, context): GroupBy => {
  const parsed = tryParseGroupBy(text)
  if (parsed !== null) return parsed
  context.addIssue('names no grouping')
  return DEFAULT_GROUP_BY
})

export const HealthSearchSchema: z.ZodType<HealthSearch> = z.object({
  query: z.string().catch(''),
  checkId: z.string().min(1).optional().catch(undefined),
  sortBy: z.enum(SORT_COLUMNS).catch('name'),
  sortDesc: flag.catch(false),
  hidePassing: flag.optional().catch(undefined),
  groupBy: groupBy.optional().catch(undefined),
  timeRange: z.enum(RANGE_KEYS).catch('1h'),
})
