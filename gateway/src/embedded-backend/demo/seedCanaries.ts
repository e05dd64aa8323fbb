import type { CanarySpec } from '@watchroom/shared/health/check-types'
import type { Pool } from 'pg'

/** A canary that the product brings along. Name, namespace and source identify it. */
export interface CanarySeed {
  readonly name: string
  readonly namespace: string
  /** `self`: measures the product; `demo`: the invented estate. */
  readonly source: 'self' | 'demo'
  readonly labels: Readonly<Record<string, string>>
  readonly spec: CanarySpec
}

/** Annotation with the hash of the spec as it was seeded: an equal hash means that nobody has edited it since. */
export const SEED_ANNOTATION = 'watchroom.seed'

const SEED = `
with seeds as (
  select name, namespace, source, labels, spec, md5(spec::text) as hash
  from jsonb_to_recordset($1::jsonb) as seed(name text, namespace text, source text, labels jsonb, spec jsonb)
), refreshed as (
  update canaries set spec = seeds.spec, annotations = canaries.annotations || jsonb_build_object('${SEED_ANNOTATION}', seeds.hash)
  from seeds
  where canaries.name = seeds.name and canaries.namespace = seeds.namespace and canaries.source = seeds.source
    and canaries.deleted_at is null
    and canaries.annotations ->> '${SEED_ANNOTATION}' = md5(canaries.spec::text)
    and canaries.annotations ->> '${SEED_ANNOTATION}' <> seeds.hash
)
insert into canaries (name, namespace, source, labels, spec, annotations)
select name, namespace, source, labels, spec, jsonb_build_object('${SEED_ANNOTATION}', hash)
from seeds
where not exists (
  select from canaries
  where canaries.name = seeds.name and canaries.namespace = seeds.namespace and canaries.source = seeds.source)`

/**
 * Adds the canaries that were never there. One that someone edited stays as it is, one that someone deleted stays deleted;
 * one that nobody touched follows the seed, for example to another port.
 */
export async function seedCanaries(pool: Pick<Pool, 'query'>, seeds: readonly CanarySeed[]): Promise<void> {
  await pool.query(SEED, [JSON.stringify(seeds)])
}
