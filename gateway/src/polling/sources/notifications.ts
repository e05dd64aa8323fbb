import type { Clock } from '@watchroom/shared/kernel'
import type { NotificationActivity } from '@watchroom/shared/protocol'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

const MAX_RULES = 1_000
/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 10_000

/** Other servers lack the last column: there, what is counted moves. */
const SummarySchema = z
  .looseObject({
    id: z.string(),
    updated_at: z.string().nullish(),
    pending: z.unknown(),
    sent: z.unknown(),
    failed: z.unknown(),
    most_common_error: z.string().nullish(),
    last_activity: z.string().nullish(),
  })
  .transform(({ id, ...row }): NotificationActivity => {
    const version = [row.updated_at, row.pending, row.sent, row.failed, row.most_common_error, row.last_activity]
    return { id, version: JSON.stringify(version) }
  })

/** Rules of notifications as far as a list must know that something about them changed. */
export function createNotificationsSource(deps: {
  backend: BackendClient
  clock: Clock
}): Source<NotificationActivity> {
  const path = `/db/notifications_summary?select=*&order=updated_at.desc&limit=${MAX_RULES}`
  return {
    name: 'notifications',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = deps.clock.now()
      return { kind: 'all', asOf, ...(await readTable(deps.backend, path, SummarySchema, signal)) }
    },
  }
}
