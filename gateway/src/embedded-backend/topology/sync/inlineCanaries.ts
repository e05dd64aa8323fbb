// Canaries that components bring along: each belongs to its component by its source, and comes and goes with it. They are made from
// specs of topologies alone, never from rows of components: who may write a spec that executes programs was asked when it was saved.
import { createHash } from 'node:crypto'

import { NIL_UUID } from '@watchroom/shared/kernel'

import { sortKeys } from '../../catalog/run/plan.ts'
import type { Database } from './storedComponents.ts'
import type { WantedComponent } from './wanted.ts'

/** Before the id of the component that a canary belongs to. */
export const INLINE_SOURCE = 'component/'

export const toInlineSource = (componentId: string): string => `${INLINE_SOURCE}${componentId}`

/** Annotation with a hash of the spec as it was written: the row itself has *** for its secrets. */
const ANNOTATION = 'watchroom.inline'

const UPSERT = `
with wanted as (
  select * from jsonb_to_recordset($1::jsonb) as wanted(name text, namespace text, source text, labels jsonb, spec jsonb, hash text)
), known as (
  update canaries set namespace = wanted.namespace, labels = wanted.labels, spec = wanted.spec, deleted_at = null,
    annotations = jsonb_build_object('${ANNOTATION}', wanted.hash)
  from wanted
  where canaries.source = wanted.source and canaries.name = wanted.name and canaries.agent_id = '${NIL_UUID}'
    and (canaries.annotations ->> '${ANNOTATION}' is distinct from wanted.hash or canaries.deleted_at is not null)
)
insert into canaries (name, namespace, source, labels, spec, annotations)
select name, namespace, source, labels, spec, jsonb_build_object('${ANNOTATION}', hash)
from wanted
where not exists (
  select from canaries where canaries.source = wanted.source and canaries.name = wanted.name and canaries.agent_id = '${NIL_UUID}')`

const SOFT_DELETE = `
update canaries set deleted_at = now()
where source = any($1::text[]) and agent_id = '${NIL_UUID}' and deleted_at is null and annotations ? '${ANNOTATION}'
  and not exists (
    select from jsonb_to_recordset($2::jsonb) as wanted(name text, source text)
    where wanted.source = canaries.source and wanted.name = canaries.name)`

export interface OwnedChecks {
  readonly id: string
  readonly component: Pick<WantedComponent, 'name' | 'namespace' | 'labels' | 'inlineChecks'>
}

/**
 * @param components all that the topology has
 * @param gone ids of those that it no longer has
 * @param version of the secrets that were filled in
 */
export async function writeInlineCanaries(
  database: Database,
  components: readonly OwnedChecks[],
  gone: readonly string[],
  version: string,
): Promise<void> {
  const wanted = components.flatMap(({ id, component }) =>
    component.inlineChecks.map((spec, index) => {
      const name = index === 0 ? component.name : `${component.name} ${index + 1}`
      const { namespace, labels } = component
      return {
        name,
        namespace,
        labels,
        source: toInlineSource(id),
        spec,
        hash: hashOf([namespace, labels, spec, version]),
      }
    }),
  )
  if (wanted.length > 0) await database.query(UPSERT, [JSON.stringify(wanted)])
  const sources = [...components.map(({ id }) => id), ...gone].map(toInlineSource)
  await database.query(SOFT_DELETE, [sources, JSON.stringify(wanted.map(({ name, source }) => ({ name, source })))])
}

const hashOf = (parts: readonly unknown[]): string =>
  createHash('sha256')
    .update(JSON.stringify(sortKeys(parts)))
    .digest('hex')
