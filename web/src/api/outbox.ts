import { queryOptions } from '@tanstack/react-query'
import { OutboxSchema } from '@watchroom/shared/people'
import { z } from 'zod'

import { outboxKey } from './queryKeys.ts'
import { request } from './request.ts'

/** Mail comes and goes while someone waits for it. */
const REFRESH_MS = 5_000

export const outboxQuery = queryOptions({
  queryKey: outboxKey,
  queryFn: ({ signal }) => request('/api/mail/outbox', { schema: OutboxSchema, signal }),
  staleTime: 0,
  refetchInterval: REFRESH_MS,
})

export async function sendAgain(id: string): Promise<void> {
  await request(`/api/mail/outbox/${id}/retry`, { method: 'POST', schema: z.unknown() })
}
