// Topologies that the product brings along. Each has an id of its own: what someone edited stays as it is, and what someone deleted
// stays deleted.
import type { TopologySpec } from '@watchroom/shared/specs'
import type { Pool } from 'pg'

/** Written as people write it, before defaults are filled in. */
export interface TopologySeed {
  readonly id: string
  readonly name: string
  readonly namespace: string
  readonly spec: { readonly [Key in keyof TopologySpec]?: unknown }
}

/** Nothing where someone else has the name. */
export async function seedTopology(
  pool: Pick<Pool, 'query'>,
  { id, name, namespace, spec }: TopologySeed,
): Promise<void> {
  await pool.query(
    `insert into topologies (id, name, namespace, spec, source)
     select $1::uuid, $2, $3, $4, 'UI' where not exists (
       select from topologies where id = $1 or (name = $2 and namespace = $3 and deleted_at is null))`,
    [id, name, namespace, JSON.stringify(spec)],
  )
}
