// A topology that an agent pushes as one tree of components (backend reference 14.1): the agent's own rows from then on, and only read
// here. Pushing it again changes nothing; what the tree no longer has is deleted.
import { createHash } from 'node:crypto'

import { failed, ok, ownValue, type Result } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'
import { z } from 'zod'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import { describeIssues } from '../../platform/http/requestFault.ts'
import { PUSH_KINDS, type PushedRow } from './pushKinds.ts'
import { readJson } from './readPush.ts'
import { lockAgent } from './receivePush.ts'
import { type RowRefusal, storeRows } from './storeRows.ts'

const MAX_COMPONENTS = 10_000

const ComponentSchema = z.looseObject({
  id: z.guid().nullish(),
  name: z.string().min(1, 'name is required').max(1_024),
  type: z.string().nullish(),
  components: z.array(z.unknown()).nullish(),
})

const RootSchema = ComponentSchema.extend({ topology_id: z.guid(), namespace: z.string().nullish() })

export interface ReadTopology {
  readonly topology: PushedRow & { readonly id: string }
  /** Parents before their children. */
  readonly components: readonly (PushedRow & { readonly id: string })[]
}

/** @param body as it came. @returns what is wrong, when it is no tree of components */
export function readTopology(body: unknown): Result<ReadTopology, string> {
  const json = readJson(body)
  if (!json.ok) return json
  const root = RootSchema.safeParse(json.value)
  if (!root.success) return failed(describeIssues(root.error))
  const { topology_id: topologyId, name, namespace } = root.data
  const components: (PushedRow & { id: string })[] = []
  const open: { given: unknown; parentId: string | null }[] = [{ given: root.data, parentId: null }]
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const read = ComponentSchema.safeParse(next.given)
    if (!read.success) return failed(describeIssues(read.error))
    if (components.length === MAX_COMPONENTS) return failed(`more than ${MAX_COMPONENTS} components`)
    const { components: children, ...component } = read.data
    const { parentId } = next
    const id = component.id ?? toId([topologyId, parentId ?? '', component.type ?? '', component.name])
    // What a config is called there nobody knows here.
    components.push({ ...component, id, parent_id: parentId, topology_id: topologyId, config_id: null })
    for (const child of children ?? []) open.push({ given: child, parentId: id })
  }
  const labels = ownValue(root.data, 'labels')
  return ok({
    topology: { id: topologyId, name, namespace: namespace || 'default', labels, source: 'Push' },
    components,
  })
}

/** An agent without a database gives its components no ids: what identifies them there does here, too. */
function toId(parts: readonly string[]): string {
  const hex = createHash('sha256').update(parts.join('\n')).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** @returns the rows that cannot be kept; then nothing was. @throws AgentGone */
export async function receiveTopology(
  pool: Pool,
  agentId: string,
  { topology, components }: ReadTopology,
  now: number,
): Promise<readonly RowRefusal[]> {
  const refusals: RowRefusal[] = []
  const refuse = (refusal: RowRefusal): void => void refusals.push(refusal)
  await inTransaction(pool, async (client) => {
    await lockAgent(client, agentId)
    await client.query('set constraints all immediate')
    await storeRows(client, PUSH_KINDS.topologies, agentId, [topology], refuse)
    // Where one of these was under another id before, it makes room.
    await client.query(
      `update components set deleted_at = now() where topology_id = $1 and agent_id = $2 and deleted_at is null
         and id <> all($3::uuid[])`,
      [topology.id, agentId, components.map(({ id }) => id)],
    )
    await storeRows(client, PUSH_KINDS.components, agentId, components, refuse)
    if (refusals.length > 0) throw new SomeRefused()
    await client.query(
      'update agents set last_seen = greatest(last_seen, $2), last_received = greatest(last_received, $2) where id = $1',
      [agentId, new Date(now)],
    )
  }).catch((error: unknown) => {
    if (!(error instanceof SomeRefused)) throw error
  })
  return refusals
}

/** Takes the transaction back: half a tree would be another tree. */
class SomeRefused extends Error {
  override readonly name = 'SomeRefused'
}
