import { PIVOT_CELL_TYPES, PIVOT_FIELDS, SORT_COLUMNS, tryParseGroupBy, tryParseTabBy } from '@watchroom/shared/health'
import { z } from 'zod'

import { booleanField, booleanText } from '../../url/searchFields.ts'
import { parseLabelFilter, stringifyLabelFilter } from './labelSearch.ts'

export const LAYOUTS = ['table', 'card'] as const
export type Layout = (typeof LAYOUTS)[number]

const PIVOT_BY = ['none', ...PIVOT_FIELDS, 'labels'] as const

const text = z.string().catch('')
const optionalText = z.string().optional().catch(undefined)

/** A key that one of our parsers reads; what it refuses is absent. */
const parsedBy = <Value>(parse: (text: string) => Value | null) =>
  z
    .string()
    .transform((given) => parse(given) ?? undefined)
    .optional()
    .catch(undefined)

/** The search parameters of the health page. A missing or invalid key falls back to its default; the others stay. */
export const HealthSearchSchema = z.object({
  query: text,
  /** Check whose panel is open. */
  checkId: z.string().min(1).optional().catch(undefined),
  layout: z.enum(LAYOUTS).catch('table'),
  /** Normal form of the label filter (`labelSearch.ts`). */
  labels: z
    .string()
    .transform((given) => stringifyLabelFilter(parseLabelFilter(given)))
    .catch(''),
  /** Absent: the worst first where passing checks are hidden, else by name. */
  sortBy: z.enum(SORT_COLUMNS).optional().catch(undefined),
  sortDesc: booleanField(),
  /** Absent: as this browser remembers it (`settings.ts`). */
  hidePassing: booleanText.optional().catch(undefined),
  groupBy: parsedBy(tryParseGroupBy),
  tabBy: parsedBy(tryParseTabBy),
  /** Empty: all tabs. */
  tab: text,
  pivotBy: z.enum(PIVOT_BY).catch('none'),
  /** Label key of a pivot by `labels`. */
  pivotLabel: text,
  pivotCellType: z.enum(PIVOT_CELL_TYPES).catch('status'),
  /** The keys of a time range, read by `url/useTimeRange.ts`, which falls back by itself; closing the panel clears them. */
  timeRange: optionalText,
  rangeType: optionalText,
  display: optionalText,
  range: optionalText,
  from: optionalText,
  to: optionalText,
})
