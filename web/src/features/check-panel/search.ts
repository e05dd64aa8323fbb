import { z } from 'zod'

import { SHORT_PAGE_SIZES } from '../../ui/table/pages.ts'
import { tryParseDurationFilter } from './durationFilter.ts'

export const PANEL_TABS = ['history', 'graph', 'spec', 'relationships'] as const
export type PanelTab = (typeof PANEL_TABS)[number]

/** What a link to an open panel carries beside `checkId` and the time range. `tab` alone is the board's. */
export const PanelSearchSchema = z.object({
  checkTab: z.enum(PANEL_TABS).catch('history'),
  /** Of the history. */
  status: z.enum(['all', 'healthy', 'unhealthy']).catch('all'),
  /** Least duration of a result, as it was chosen or typed: `500ms`, `1.5s`. */
  minDuration: z
    .string()
    .refine((text) => tryParseDurationFilter(text).ok)
    .optional()
    .catch(undefined),
  /** Counted from 0. */
  pageIndex: z
    .string()
    .regex(/^\d{1,7}$/)
    .transform(Number)
    .catch(0),
  // First specification, section 9: 50 unless another of the three is chosen.
  pageSize: z
    .string()
    .transform(Number)
    .refine((size) => (SHORT_PAGE_SIZES as readonly number[]).includes(size))
    .catch(SHORT_PAGE_SIZES[0]),
})
export type PanelSearch = z.infer<typeof PanelSearchSchema>

/** What the panel leaves behind in the address when it closes: nothing. */
export const CLOSED_PANEL: PanelSearch = { ...PanelSearchSchema.parse({}), minDuration: undefined }
