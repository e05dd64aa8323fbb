import { RUN_STATUSES } from '@watchroom/shared/playbooks'
import { z } from 'zod'

import { pageIndexField } from '../../ui/table/listSearch.ts'
import { idField } from '../../url/searchFields.ts'

/** What a link to a run carries. */
export const RunSearchSchema = z.object({
  /** The step whose output is shown; empty: the last one. */
  step: z.string().catch(''),
  /** Marked lines: `12` or `12-20`. */
  line: z
    .string()
    .regex(/^\d{1,9}(?:-\d{1,9})?$/)
    .catch(''),
})

/** What a link to the runs carries, beside the time range. */
export const RunListSearchSchema = z.object({
  playbook: idField,
  status: z.enum([...RUN_STATUSES, '']).catch(''),
  configId: idField,
  pageIndex: pageIndexField,
})
export type RunListSearch = z.infer<typeof RunListSearchSchema>

/** Rows of a page: fewer of all runs than of those of one config item (second specification, section 9). */
export const RUN_PAGE_SIZE = { all: 150, config: 200 } as const

/** What a link to the playbooks carries. */
export const PlaybooksSearchSchema = z.object({
  query: z.string().catch(''),
  /** Opens the dialog that runs this playbook. */
  run: idField,
})
