import { type CheckSummary, CheckSummaryResponseSchema, CheckSummarySchema } from '@watchroom/shared/health'

import { request } from './request.ts'

/** Every check by REST, for as long as the live link is down. A row that cannot be read costs only that row. */
export async function fetchCheckSummaries(signal: AbortSignal): Promise<CheckSummary[]> {
  const { checks_summary } = await request('/api/canary/api/summary', { schema: CheckSummaryResponseSchema, signal })
  return checks_summary.flatMap((row) => CheckSummarySchema.safeParse(row).data ?? [])
}
