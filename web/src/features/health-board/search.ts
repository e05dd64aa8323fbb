import {
  type GroupBy,
  PIVOT_CELL_TYPES,
  PIVOT_FIELDS,
  type PivotCellType,
  type PivotField,
  SORT_COLUMNS,
  type SortColumn,
  type TabBy,
  tryParseGroupBy,
  tryParseTabBy,
} from '@watchroom/shared/health'
import { z } from 'zod'

import { booleanField, booleanText } from '../../url/searchFields.ts'
import { parseLabelFilter, stringifyLabelFilter } from './labelSearch.ts'

export const LAYOUTS = ['table', 'card'] as const
export type Layout = (typeof LAYOUTS)[number]

const PIVOT_BY = ['none', ...PIVOT_FIELDS, 'labels'] as const
export type PivotBy = 'none' | PivotField | 'labels'

// A type, not an interface: only types are assignable to the index signature of `useSearchState`.
/** The search parameters of the health page. A missing or invalid key falls back to its default; the others stay. */
export type HealthSearch = {
  query: string
  /** Check whose panel is open. */
  checkId?: string | undefined
  layout: Layout
  /** Normal form of the label filter (`labelSearch.ts`). */
  labels: string
  /** Absent: the worst first where passing checks are hidden, else by name. */
  sortBy?: SortColumn | undefined
  sortDesc: boolean
  /** Absent: as this browser remembers it (`settings.ts`). */
  hidePassing?: boolean | undefined
  groupBy?: GroupBy | undefined
  tabBy?: TabBy | undefined
  /** Empty: all tabs. */
  tab: string
  pivotBy: PivotBy
  /** Label key of a pivot by `labels`. */
  pivotLabel: string
  pivotCellType: PivotCellType
  /** The keys of a time range, read by `url/useTimeRange.ts`, which falls back by itself; closing the panel clears them. */
  timeRange?: string | undefined
  rangeType?: string | undefined
  display?: string | undefined
  range?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

const text = z.string().catch('')
const optionalText = z.string().optional().catch(undefined)

/** A key that one of our parsers reads; what it refuses is absent. */
const parsedBy = <Value>(parse: (text: string) => Value | null) =>
  z
    .string()
    .transform((given) => parse(given) ?? undefined)
    .optional()
    .catch(undefined)

export const HealthSearchSchema: z.ZodType<HealthSearch> = z.object({
  query: text,
  checkId: z.string().min(1).optional().catch(undefined),
  layout: z.enum(LAYOUTS).catch('table'),
  labels: z
    .string()
    .transform((given) => stringifyLabelFilter(parseLabelFilter(given)))
    .catch(''),
  sortBy: z.enum(SORT_COLUMNS).optional().catch(undefined),
  sortDesc: booleanField(),
  hidePassing: booleanText.optional().catch(undefined),
  groupBy: parsedBy(tryParseGroupBy),
  tabBy: parsedBy(tryParseTabBy),
  tab: text,
  pivotBy: z.enum(PIVOT_BY).catch('none'),
  pivotLabel: text,
  pivotCellType: z.enum(PIVOT_CELL_TYPES).catch('status'),
  timeRange: optionalText,
  rangeType: optionalText,
  display: optionalText,
  range: optionalText,
  from: optionalText,
  to: optionalText,
})
