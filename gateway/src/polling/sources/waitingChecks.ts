// Checks that were saved and have no row yet, because the backend's runner looks for new ones every few minutes.
import { type CheckBoardRow, CheckBoardRowSchema, WAITING_STATUS, WAITING_TEXT } from '@watchroom/shared/health'
import { isCheckType } from '@watchroom/shared/health/check-types'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import { readUpstream } from './upstream.ts'

/** The runner looks every 5 minutes, and takes a moment. Who has no row then has no check that could run. */
const WAIT_MS = 360_000
const MAX_ROWS = 200

const CanarySchema = z.object({
  id: z.string(),
  name: z.string(),
  namespace: z.string().nullish(),
  labels: z.unknown(),
  spec: z.record(z.string(), z.unknown()).nullable().catch(null),
})
const AnswerSchema = z.array(CanarySchema)

/**
 * One row for each new canary of this server's own runner. What is on the board already is not among them.
 *
 * @throws CodedError of `pollingErrors`
 */
export async function readWaitingChecks(
  backend: BackendClient,
  signal: AbortSignal,
  now: number,
  board: readonly CheckBoardRow[],
): Promise<CheckBoardRow[]> {
  const since = new Date(now - WAIT_MS).toISOString()
  const path = `/db/canaries?select=id,name,namespace,labels,spec&deleted_at=is.null&agent_id=eq.${NIL_UUID}&created_at=gte.${since}&limit=${MAX_ROWS}`
  const canaries = await readUpstream(backend, path, signal, async (response) =>
    AnswerSchema.parse(await response.json()),
  )
  if (canaries.length === 0) return []
  const known = new Set(board.map(({ canary_id: id }) => id))
  return canaries.flatMap((canary) => (known.has(canary.id) ? [] : [toRow(canary)]))
}

const toRow = ({ id, name, namespace, labels, spec }: z.output<typeof CanarySchema>): CheckBoardRow =>
  CheckBoardRowSchema.parse({
    id,
    canary_id: id,
    canary_name: name,
    canary_namespace: namespace ?? '',
    name,
    namespace,
    type: Object.keys(spec ?? {}).find(isCheckType) ?? 'canary',
    status: WAITING_STATUS,
    description: WAITING_TEXT,
    labels: z.record(z.string(), z.string()).catch({}).parse(labels),
    uptime: { passed: 0, failed: 0 },
    latency: {},
  })
