import { type TryChecksResponse, TryChecksResponseSchema } from '@watchroom/shared/health'
import { z } from 'zod'

import { request } from '../../api/request.ts'
import { defineTable } from '../../api/tables.ts'
import { CanaryRowSchema } from './canaryRow.ts'

/** Definitions of checks. */
export const canaryTable = defineTable({
  name: 'canaries',
  row: CanaryRowSchema,
  select: '*,agents(id,name)',
  filter: 'deleted_at=is.null',
})

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
