import { queryOptions } from '@tanstack/react-query'
import { type TryChecksResponse, TryChecksResponseSchema } from '@watchroom/shared/health'
import { JobHistorySchema } from '@watchroom/shared/settings'
import { z } from 'zod'

import { FRESH_MS } from '../../api/queryClient.ts'
import { canaryKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import { defineTable } from '../../api/tables.ts'
import { type CanaryRow, CanaryRowSchema } from './canaryRow.ts'

const path = (id: string, more = ''): string => `/api/db/canaries?id=eq.${encodeURIComponent(id)}${more}`

/** Null when there is no canary of this id. */
export const canaryQuery = (id: string) =>
  queryOptions({
    queryKey: canaryKeys.one(id),
    queryFn: async ({ signal }): Promise<CanaryRow | null> => {
      const rows = await request(path(id, '&select=*,agents(id,name)'), { schema: CanaryRowSchema.array(), signal })
      return rows[0] ?? null
    },
    staleTime: FRESH_MS.never,
  })

export interface CanaryValues {
  readonly labels: Readonly<Record<string, string>>
  readonly spec: Readonly<Record<string, unknown>>
}

export interface NewCanary extends CanaryValues {
  readonly name: string
  readonly namespace: string
}

export async function createCanary(canary: NewCanary, userId: string): Promise<string> {
  const body = { ...canary, source: 'UI', created_by: userId }
  const [row] = await request('/api/db/canaries', {
    method: 'POST',
    body,
    schema: z.array(z.object({ id: z.string() })).min(1),
  })
  return row?.id ?? ''
}

/**
 * Saves over exactly the version that was edited, so that nobody's work is overwritten unseen. Two conditions, because
 * `updated_at` moves with the spec alone.
 *
 * @returns false when it is another version by now, or gone
 */
export async function saveCanary(loaded: CanaryRow, values: CanaryValues): Promise<boolean> {
  const filter = [
    `updated_at=${loaded.updated_at ? `eq.${encodeURIComponent(loaded.updated_at)}` : 'is.null'}`,
    `labels=${loaded.labels ? `eq.${encodeURIComponent(JSON.stringify(loaded.labels))}` : 'is.null'}`,
    'deleted_at=is.null',
    'select=id',
  ]
  const rows = await request(path(loaded.id, `&${filter.join('&')}`), {
    method: 'PATCH',
    body: values,
    schema: z.array(z.object({ id: z.string() })),
  })
  return rows.length > 0
}

/** Soft: the row stays, its checks leave the board. */
export async function deleteCanary(id: string): Promise<void> {
  await request(path(id, '&select=id'), {
    method: 'PATCH',
    body: { deleted_at: 'now()' },
    schema: z.array(z.object({ id: z.string() })).min(1, 'not deleted'),
  })
}

/** Longer than the backend lets a trial take. */
const TRIAL_TIMEOUT_MS = 60_000

/** @param canaryId the stored canary whose secrets the *** of the definition stand for */
export const tryChecks = (
  spec: Readonly<Record<string, unknown>>,
  canaryId: string | null,
  signal: AbortSignal,
): Promise<TryChecksResponse> =>
  request('/api/canary/api/try', {
    method: 'POST',
    body: { spec, ...(canaryId === null ? {} : { canary_id: canaryId }) },
    schema: TryChecksResponseSchema,
    signal,
    timeoutMs: TRIAL_TIMEOUT_MS,
  })

const CheckRowSchema = z.object({ id: z.string(), name: z.string().nullish(), type: z.string().nullish() })
export type CheckRow = z.infer<typeof CheckRowSchema>

/** The checks that a canary has now; new ones appear a moment after it was saved. */
export const readChecksOf = (canaryId: string, signal?: AbortSignal): Promise<CheckRow[]> =>
  request(
    `/api/db/checks?canary_id=eq.${encodeURIComponent(canaryId)}&deleted_at=is.null&select=id,name,type&order=created_at`,
    { schema: CheckRowSchema.array(), signal },
  )

/** Internal work that was done, for canaries among others. */
export const jobTable = defineTable({ name: 'job_histories', row: JobHistorySchema })

export const JOB_PAGE_SIZE = 50

export const jobsQuery = (canaryId: string, pageIndex: number) =>
  jobTable.listQuery({
    filters: ['resource_type=eq.canary', `resource_id=eq.${encodeURIComponent(canaryId)}`],
    order: { by: 'created_at', direction: 'desc' },
    limit: JOB_PAGE_SIZE,
    offset: pageIndex * JOB_PAGE_SIZE,
  })
