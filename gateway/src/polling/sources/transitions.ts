import type { Clock } from '@watchroom/shared/kernel'
import type { TransitionVersion } from '@watchroom/shared/protocol'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

/** More than the first page of what happened; pages behind it are of the past. */
const NEWEST = 200
/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 10_000

const TransitionSchema = z
  .object({ id: z.string(), decided: z.number(), told: z.number() })
  .transform(({ id, decided, told }): TransitionVersion => ({ id, version: `${decided} ${told}` }))

export function createTransitionsSource(deps: { backend: BackendClient; clock: Clock }): Source<TransitionVersion> {
  const path = `/db/notification_transitions?select=id,decided,told&order=happened_at.desc,id&limit=${NEWEST}`
  return {
    name: 'transitions',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = deps.clock.now()
      return { kind: 'all', asOf, ...(await readTable(deps.backend, path, TransitionSchema, signal)) }
    },
  }
}
