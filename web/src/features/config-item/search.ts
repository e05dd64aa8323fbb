import { z } from 'zod'

import { formatLineRanges, parseLineRanges } from '../../ui/code/lineRanges.ts'

/** What a link to lines of an item carries. */
export const ContentSearchSchema = z.object({
  /** `3,12-20`; empty: none. */
  selected: z
    .string()
    .transform((text) => formatLineRanges(parseLineRanges(text)))
    .catch(''),
})

/** What a link to a check of an item carries. */
export const ChecksSearchSchema = z.object({
  /** Opens its panel. */
  checkId: z.string().catch(''),
})
