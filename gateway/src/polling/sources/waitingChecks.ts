// Checks that were saved and have no row yet, because the backend's runner looks for new ones every few minutes.
import { type CheckBoardRow, CheckBoardRowSchema, WAITING_STATUS, WAITING_TEXT } from '@watchroom/shared/health'
import { isCheckType } from '@watchroom/shared/health/check-types'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import { nameUuid } from '../../platform/nameUuid.ts'
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
type Canary = z.output<typeof CanarySchema>
const AnswerSchema = z.array(CanarySchema)

/** A check whose row has this very name: of others the server makes up the name, or makes several out of the result. */
const NamedCheckSchema = z.object({ name: z.string().min(1), transform: z.null().optional() })

/**
 * What was saved a moment ago for this server's own runner and is not on the board: one row for each new canary, and one for each check
 * that was added to another.
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
  const isSaved = `or=(created_at.gte.${since},updated_at.gte.${since})&order=updated_at.desc.nullslast`
  const path = `/db/canaries?select=id,name,namespace,labels,spec&deleted_at=is.null&agent_id=eq.${NIL_UUID}&${isSaved}&limit=${MAX_ROWS}`
  const canaries = await readUpstream(backend, path, signal, async (response) =>
    AnswerSchema.parse(await response.json()),
  )
  if (canaries.length === 0) return []
  const shown = new Map<string, Set<string>>()
  for (const { canary_id: id, name } of board) shown.set(id, (shown.get(id) ?? new Set()).add(name))
  return canaries.flatMap((canary) => {
    const names = shown.get(canary.id)
    return names === undefined
      ? [toRow(canary, toWhole(canary))]
      : addedTo(canary, names).map((added) => toRow(canary, added))
  })
}

interface Waiting {
  readonly id: string
  readonly name: string
  readonly type: string
}

const toWhole = ({ id, name, spec }: Canary): Waiting => ({
  id,
  name,
  type: Object.keys(spec ?? {}).find(isCheckType) ?? 'canary',
})

const addedTo = ({ id, spec }: Canary, shown: ReadonlySet<string>): Waiting[] =>
  Object.entries(spec ?? {}).flatMap(([type, checks]) => {
    if (!Array.isArray(checks)) return []
    const names = new Set(checks.flatMap((check) => NamedCheckSchema.safeParse(check).data?.name ?? []))
    return [...names].flatMap((name) => (shown.has(name) ? [] : { id: nameUuid(id, `${type}\n${name}`), name, type }))
  })

const toRow = (canary: Canary, { id, name, type }: Waiting): CheckBoardRow =>
  CheckBoardRowSchema.parse({
    id,
    canary_id: canary.id,
    canary_name: canary.name,
    canary_namespace: canary.namespace ?? '',
    name,
    namespace: canary.namespace,
    type,
    status: WAITING_STATUS,
    description: WAITING_TEXT,
    labels: z.record(z.string(), z.string()).catch({}).parse(canary.labels),
    uptime: { passed: 0, failed: 0 },
    latency: {},
  })
