import { mutationOptions, queryOptions } from '@tanstack/react-query'
import {
  CheckRunResultSchema,
  CheckStatusSchema,
  type CheckSummary,
  CheckSummaryResponseSchema,
  CheckSummarySchema,
} from '@watchroom/shared/health'
import { z } from 'zod'

import { FRESH_MS } from '../../api/queryClient.ts'
import { request } from '../../api/request.ts'

export const checkKeys = {
  detail: (checkId: string) => ['check', checkId, 'detail'] as const,
  statuses: (checkId: string) => ['check', checkId, 'statuses'] as const,
  run: (checkId: string) => ['check', checkId, 'run'] as const,
}

/** The whole board by REST, for as long as the live link is down. A row that cannot be read costs that row only. */
export async function fetchCheckSummaries(signal: AbortSignal): Promise<CheckSummary[]> {
  const { checks_summary } = await request('/api/canary/api/summary', { schema: CheckSummaryResponseSchema, signal })
  return checks_summary.flatMap((row) => {
    const parsed = CheckSummarySchema.safeParse(row)
    return parsed.success ? [parsed.data] : []
  })
}

const CheckDetailSchema = z.object({
  id: z.string(),
  name: z.string().nullish(),
  type: z.string().nullish(),
  deleted_at: z.string().nullish(),
  agents: z.object({ id: z.string(), name: z.string().nullish() }).nullish(),
})
export type CheckDetail = z.infer<typeof CheckDetailSchema>

/** What the board's row does not say. `null` when there is no such check. */
export const checkDetailQuery = (checkId: string) =>
  queryOptions({
    queryKey: checkKeys.detail(checkId),
    queryFn: async ({ signal }): Promise<CheckDetail | null> => {
      const select = 'id,name,type,deleted_at,agents!checks_agent_id_fkey(id,name)'
      const path = `/api/db/checks?id=eq.${encodeURIComponent(checkId)}&select=${encodeURIComponent(select)}`
      const rows = await request(path, { schema: z.array(CheckDetailSchema), signal })
      return rows[0] ?? null
    },
  })

/** Results shown in the panel; the full history is paged elsewhere. */
export const RECENT_RESULTS = 50

export const checkStatusesQuery = (checkId: string) =>
  queryOptions({
    queryKey: checkKeys.statuses(checkId),
    queryFn: ({ signal }) =>
      request(
        `/api/db/check_statuses?check_id=eq.${encodeURIComponent(checkId)}&order=time.desc&limit=${RECENT_RESULTS}`,
        { schema: z.array(CheckStatusSchema), signal },
      ),
    staleTime: FRESH_MS.checkHistory,
  })

/** A check may take as long as its own deadline allows; the gateway ends it before this. */
const RUN_TIMEOUT_MS = 150_000

export const runCheckMutation = (checkId: string) =>
  mutationOptions({
    mutationKey: checkKeys.run(checkId),
    mutationFn: () =>
      request(`/api/canary/run/check/${encodeURIComponent(checkId)}`, {
        method: 'POST',
        // The call takes nothing, but an empty body that calls itself JSON is refused.
        body: {},
        // The answer is empty when the run produced nothing.
        schema: CheckRunResultSchema.optional().transform((result) => result ?? null),
        timeoutMs: RUN_TIMEOUT_MS,
      }),
  })
