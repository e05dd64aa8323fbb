import { z } from 'zod'

import { formatLineRanges, parseLineRanges } from '../../ui/code/lineRanges.ts'

/** What a link to lines of an item carries. */
export type ContentSearch = {
  /** `3,12-20`; empty: none. */
  selected: string
}

export const ContentSearchSchema: z.ZodType<ContentSearch> = z.object({
  selected: z
    .string()
    .transform((text) => formatLineRanges(parseLineRanges(text)))
    .catch(''),
})

/** What a link to a check of an item carries. */
export type ChecksSearch = {
  /** Opens its panel. */
  checkId: string
}

export const ChecksSearchSchema: z.ZodType<ChecksSearch> = z.object({ checkId: z.string().catch('') })
