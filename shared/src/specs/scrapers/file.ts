import { z } from 'zod'

import { REQUIRED, required } from '../common.ts'
import { ITEM_FIELDS } from './itemFields.ts'

export const FILE_FORMATS = ['yaml', 'json', 'properties', 'toml'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

const isEmpty = (input: unknown): boolean => input === undefined || (typeof input === 'string' && input.trim() === '')

/** Files of this machine: below `sources` of the data directory, or in a folder of WATCHROOM_SOURCE_ROOTS. */
export const FileElementSchema = z.strictObject({
  ...ITEM_FIELDS,
  format: z.enum(FILE_FORMATS, {
    error: ({ input }) => (isEmpty(input) ? REQUIRED : `Must be ${FILE_FORMATS.join(', ')}`),
  }),
  icon: required,
  /** Files, folders with all below, and patterns: `*` and `?` within a name, `**` for any folders. All of `sources` when absent. */
  paths: z.array(required.max(1_000)).min(1, REQUIRED).max(100).default(['.']),
  /** Whether a saved file is read at once. */
  watch: z.boolean().optional(),
})
export type FileElement = z.output<typeof FileElementSchema>
