// One sync of a topology: read, compare, write, relate. Ends with an outcome, whatever happens; its row in the job history is written
// by whoever asked for it. Components and the canaries they bring along are written in one transaction: there is no half tree.
import { createHash, randomUUID } from 'node:crypto'

import { NIL_UUID, type Clock, messageOf } from '@watchroom/shared/kernel'
import { findSpecFault, TopologySpecSchema } from '@watchroom/shared/specs'
import type { Pool } from 'pg'
import type { Logger } from 'pino'

import { inTransaction } from '../../../platform/database/inTransaction.ts'
import { createMasking } from '../../catalog/run/createMasking.ts'
import type { ReadDeps } from '../../catalog/run/readItems.ts'
import { ownAllComponents } from '../../incident-rules/ownComponents.ts'
import type { ResourceRow } from '../../jobs/resourceRun.ts'
import type { Vault } from '../../secrets/createVault.ts'
import { writeInlineCanaries } from './inlineCanaries.ts'
import { planSync, type SyncPlan } from './planSync.ts'
import { readWanted, type TopologyFacts } from './readWanted.ts'
import { LINK_KINDS, relateComponents } from './relate.ts'
import { readStoredComponents } from './storedComponents.ts'
import type { WantedComponent } from './wanted.ts'
import { hashOf, writeSync } from './writeSync.ts'

export interface SyncDeps extends ReadDeps {
  readonly pool: Pool
  readonly vault: Pick<Vault, 'list' | 'fillIn'>
  readonly clock: Clock
  readonly logger: Logger
}

export interface SyncOutcome {
  /** Components that there are now. */
  readonly successes: number
  /** For people: what could not be used; why it failed. */
  readonly errors: readonly string[]
  readonly details: { readonly changes: Readonly<Record<string, number>> }
}

export async function runTopology(row: ResourceRow, signal: AbortSignal, deps: SyncDeps): Promise<SyncOutcome> {
  try {
    return await sync(row, signal, deps)
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error
    if (!signal.aborted) deps.logger.warn({ err: error, topologyId: row.id }, 'topology failed')
    return toFailure(messageOf(reason))
  }
}

const toFailure = (error: string): SyncOutcome => ({ successes: 0, errors: [error], details: { changes: {} } })

async function sync({ id, spec }: ResourceRow, signal: AbortSignal, deps: SyncDeps): Promise<SyncOutcome> {
  const { pool, vault } = deps
  const stored = (await vault.list(pool, 'topologies', [id])).get(id) ?? []
  const { document, credentials: secrets } = await vault.fillIn({ spec }, stored)
  const { spec: filled } = document as { spec: unknown }
  const fault = findSpecFault('topologies', filled)
  if (fault !== null) return toFailure(fault)
  const topology = await readFacts(pool, id)
  if (topology === null) return toFailure('it was deleted')
  const wanted = await readWanted(topology, TopologySpecSchema.parse(filled), { ...deps, signal, secrets })
  signal.throwIfAborted()
  const components = maskAll(wanted.components, secrets)
  const version = createHash('sha256').update(JSON.stringify(stored)).digest('hex')
  const plan = await inTransaction(pool, async (client) => {
    // Whoever deletes it meanwhile waits, and deletes what was written here.
    const { rowCount } = await client.query('select from topologies where id = $1 and deleted_at is null for share', [
      id,
    ])
    if (rowCount === 0) return null
    const made = planComponents(components, await readStoredComponents(client, id))
    await writeSync(client, id, components, made)
    const owned = wanted.components.map((component, index) => ({ id: made.placed[index]?.id ?? '', component }))
    await writeInlineCanaries(client, owned, made.deleted, version)
    return made
  })
  if (plan === null) return toFailure('it was deleted')
  const problems = await relateAll(pool, id, plan)
  return {
    successes: plan.placed.length,
    errors: [...wanted.problems, ...problems],
    details: { changes: countChanges(plan) },
  }
}

export const planComponents = (
  components: readonly WantedComponent[],
  stored: Parameters<typeof planSync>[1],
): SyncPlan =>
  planSync(
    components.map((component) => ({ ...component, hash: hashOf(component) })),
    stored,
    randomUUID,
  )

/** @returns null where it is not there, or not ours */
export async function readFacts(pool: Pick<Pool, 'query'>, id: string): Promise<TopologyFacts | null> {
  const { rows } = await pool.query<TopologyFacts>(
    `select id, name, namespace from topologies where id = $1 and deleted_at is null and agent_id = '${NIL_UUID}'`,
    [id],
  )
  return rows[0] ?? null
}

/** Rows of components are read by many: what was filled in stands in the specs of canaries alone, which hide it themselves. */
export function maskAll(
  components: readonly WantedComponent[],
  secrets: readonly string[],
): readonly WantedComponent[] {
  if (secrets.length === 0) return components
  const masking = createMasking(secrets)
  return components.map((component) => masking.document(component) as WantedComponent)
}

async function relateAll(pool: Pool, topologyId: string, plan: SyncPlan): Promise<string[]> {
  const problems: string[] = []
  for (const kind of LINK_KINDS) problems.push(...(await relateComponents(pool, kind, topologyId)).problems)
  const isMoved = plan.deleted.length > 0 || plan.placed.some(({ change }) => change !== 'unchanged')
  // Teams name what they answer for by what components say of themselves.
  if (isMoved) problems.push(...(await ownAllComponents(pool)).errors)
  return problems
}

function countChanges({ placed, deleted }: SyncPlan): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { change } of placed) counts.set(change, (counts.get(change) ?? 0) + 1)
  if (deleted.length > 0) counts.set('deleted', deleted.length)
  return Object.fromEntries(counts)
}
