import type { Clock } from '@watchroom/shared/kernel'
import type { QueueVersion } from '@watchroom/shared/protocol'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

/** Kinds of events there are few. */
const MAX_NAMES = 500
/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 10_000

/** Servers differ in the columns: whatever moves is a change. */
const QueueSchema = z
  .looseObject({ name: z.string() })
  .transform(({ name, ...row }): QueueVersion => ({ name, version: JSON.stringify(row) }))

export function createEventQueueSource(deps: { backend: BackendClient; clock: Clock }): Source<QueueVersion> {
  const path = `/db/event_queue_summary?select=*&order=name&limit=${MAX_NAMES}`
  return {
    name: 'eventQueue',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = deps.clock.now()
      return { kind: 'all', asOf, ...(await readTable(deps.backend, path, QueueSchema, signal)) }
    },
  }
}
