import { RUN_STATUSES, type RunStatus } from '@watchroom/shared/playbooks'
import { z } from 'zod'

import { pageIndexField } from '../../ui/table/listSearch.ts'
import { idField } from '../../url/searchFields.ts'

/** What a link to a run carries. */
export type RunSearch = {
  /** The step whose output is shown; empty: the last one. */
  step: string
  /** Marked lines: `12` or `12-20`. */
  line: string
}

export const RunSearchSchema: z.ZodType<RunSearch> = z.object({
  step: z.string().catch(''),
  line: z
    .string()
    .regex(/^\d{1,9}(?:-\d{1,9})?$/)
    .catch(''),
})

/** What a link to the runs carries, beside the time range. */
export type RunListSearch = {
  playbook: string
  status: RunStatus | ''
  configId: string
  pageIndex: number
}

export const RunListSearchSchema: z.ZodType<RunListSearch> = z.object({
  playbook: idField,
  status: z.enum([...RUN_STATUSES, '']).catch(''),
  configId: idField,
  pageIndex: pageIndexField,
})

/** Rows of a page: fewer of all runs than of those of one config item (second specification, section 9). */
export const RUN_PAGE_SIZE = { all: 150, config: 200 } as const

/** What a link to the playbooks carries. */
export type PlaybooksSearch = {
  query: string
  /** Opens the dialog that runs this playbook. */
  run: string
}

export const PlaybooksSearchSchema: z.ZodType<PlaybooksSearch> = z.object({
  query: z.string().catch(''),
  run: idField,
})
