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

const SEED = `
with seed as (
  select $1::uuid as id, $2::text as name, $3::text as namespace, $4::jsonb as spec, md5($4::jsonb::text) as hash
), refreshed as (
  update topologies set spec = seed.spec
  from seed join watchroom_internal.seeded_topologies as seeded on seeded.id = seed.id
  where topologies.id = seed.id and topologies.deleted_at is null
    and seeded.hash = md5(topologies.spec::text) and seeded.hash <> seed.hash
  returning topologies.id
), added as (
  insert into topologies (id, name, namespace, spec, source)
  select id, name, namespace, spec, 'UI' from seed where not exists (
    select from topologies
    where topologies.id = seed.id
      or topologies.name = seed.name and topologies.namespace = seed.namespace and topologies.deleted_at is null)
  returning id
)
insert into watchroom_internal.seeded_topologies (id, hash)
select id, hash from seed where id in (select id from refreshed union all select id from added)
on conflict (id) do update set hash = excluded.hash`

/** Nothing where someone else has the name. One that nobody touched follows the seed, for example to another check. */
export async function seedTopology(
  pool: Pick<Pool, 'query'>,
  { id, name, namespace, spec }: TopologySeed,
): Promise<void> {
  await pool.query(SEED, [id, name, namespace, JSON.stringify(spec)])
}
