// Brings the rows of a topology's components in line with a plan, in one transaction of the caller. What did not change is not written.
import { createHash } from 'node:crypto'

import { sortKeys } from '../../catalog/run/plan.ts'
import type { PlacedNode, SyncPlan } from './planSync.ts'
import type { Database } from './storedComponents.ts'
import type { WantedComponent } from './wanted.ts'

/** Of all that is written of it but its place. */
export const hashOf = ({ parent: _, isComplete: __, ...wanted }: WantedComponent): string =>
  createHash('sha256')
    .update(JSON.stringify(sortKeys(wanted)))
    .digest('hex')

const RECORD = `jsonb_to_recordset($1::jsonb) as wanted(
  id uuid, topology_id uuid, external_id text, parent_id uuid, config_id uuid, name text, text text, topology_type text, namespace text,
  labels jsonb, hidden boolean, status text, status_expr text, health_expr text, description text, lifecycle text, tooltip text,
  icon text, type text, owner text, selectors jsonb, log_selectors jsonb, component_checks jsonb, configs jsonb, properties jsonb,
  path text, is_leaf boolean, hash text)`

const INSERT = `
insert into components (id, topology_id, external_id, parent_id, config_id, name, text, topology_type, namespace, labels, hidden,
  status, status_expr, health_expr, description, lifecycle, tooltip, icon, type, owner, selectors, log_selectors, component_checks,
  configs, properties, path, is_leaf)
select id, topology_id, external_id, parent_id, config_id, name, text, topology_type, namespace, labels, hidden,
  coalesce(status, ''), status_expr, health_expr, description, lifecycle, tooltip, icon, type, owner, selectors, log_selectors,
  component_checks, configs, properties, path, is_leaf
from ${RECORD}`

/**
 * Whoever hid it differs from the spec until the spec says something else. The row shows the status that was worked out: what goes on
 * is what was said beside it, and of an expression that is gone, or a lookup that says no status any more, nothing.
 */
const UPDATE = `
update components set external_id = wanted.external_id, parent_id = wanted.parent_id, config_id = wanted.config_id,
  text = wanted.text, topology_type = wanted.topology_type, namespace = wanted.namespace, labels = wanted.labels,
  hidden = case when synced.hidden = wanted.hidden then components.hidden else wanted.hidden end,
  status = case
    when wanted.status_expr is not null then coalesce(said.status, components.status)
    when wanted.status is not null then wanted.status
    when components.status_expr is not null then ''
    when coalesce(said.status, components.status) = synced.status then ''
    else coalesce(said.status, components.status) end,
  status_expr = wanted.status_expr, health_expr = wanted.health_expr, description = wanted.description,
  lifecycle = wanted.lifecycle, tooltip = wanted.tooltip, icon = wanted.icon, owner = wanted.owner, selectors = wanted.selectors,
  log_selectors = wanted.log_selectors, component_checks = wanted.component_checks, configs = wanted.configs,
  properties = wanted.properties, path = wanted.path, is_leaf = wanted.is_leaf, deleted_at = null
from ${RECORD}
left join watchroom_internal.synced_components as synced on synced.component_id = wanted.id
left join watchroom_internal.component_said as said on said.component_id = wanted.id
where components.id = wanted.id`

const REMEMBER = `
insert into watchroom_internal.synced_components (component_id, hash, hidden, status)
select id, hash, hidden, status from jsonb_to_recordset($1::jsonb) as wanted(id uuid, hash text, hidden boolean, status text)
on conflict (component_id) do update set hash = excluded.hash, hidden = excluded.hidden, status = excluded.status`

/** What people linked by hand comes back with it. */
const RELINK = `
update config_component_relationships as link set deleted_at = null
from components where components.id = any($1::uuid[]) and link.component_id = components.id
  and link.selector_id = 'manual' and link.deleted_at = components.deleted_at`

const REPLACE = `
update components set parent_id = wanted.parent_id, path = wanted.path, is_leaf = wanted.is_leaf
from jsonb_to_recordset($1::jsonb) as wanted(id uuid, parent_id uuid, path text, is_leaf boolean)
where components.id = wanted.id`

/** As whoever writes what was worked out of them takes them (migration 0193). In another order each could wait for the other. */
const LOCK = 'select from components where id = any($1::uuid[]) order by id for no key update'

const ROWS_AT_ONCE = 500

export async function writeSync(
  database: Database,
  topologyId: string,
  wanted: readonly WantedComponent[],
  { placed, replaced, deleted, displaced }: SyncPlan,
): Promise<void> {
  const stored = placed.filter(({ change }) => change !== 'new' && change !== 'unchanged').map(({ id }) => id)
  const touched = [...stored, ...replaced.map(({ id }) => id), ...deleted, ...displaced]
  if (touched.length > 0) await database.query(LOCK, [touched])
  // In whose place another one stands now; nobody asks where a deleted one was.
  if (displaced.length > 0) {
    await database.query('update components set parent_id = null where id = any($1::uuid[])', [displaced])
  }
  if (deleted.length > 0) {
    await database.query('update components set deleted_at = now() where id = any($1::uuid[])', [deleted])
  }
  const returned = placed.filter(({ change }) => change === 'returned').map(({ id }) => id)
  if (returned.length > 0) await database.query(RELINK, [returned])
  const rows = placed.flatMap((node, index) => {
    const component = wanted[index]
    return component && node.change !== 'unchanged' ? [{ node, row: toRow(topologyId, component, node) }] : []
  })
  const writeAll = async (statement: string, all: readonly object[]): Promise<void> => {
    for (let at = 0; at < all.length; at += ROWS_AT_ONCE) {
      await database.query(statement, [JSON.stringify(all.slice(at, at + ROWS_AT_ONCE))])
    }
  }
  await writeAll(
    INSERT,
    rows.filter(({ node }) => node.change === 'new').map(({ row }) => row),
  )
  await writeAll(
    UPDATE,
    rows.filter(({ node }) => node.change !== 'new').map(({ row }) => row),
  )
  await writeAll(
    REMEMBER,
    rows.map(({ row: { id, hash, hidden, status } }) => ({ id, hash, hidden, status })),
  )
  await writeAll(
    REPLACE,
    replaced.map(({ id, parentId, path, isLeaf }) => ({ id, parent_id: parentId, path, is_leaf: isLeaf })),
  )
}

/** A list without anything says nothing: other readers ask whether there is one. */
const orNull = <Item>(list: readonly Item[]): readonly Item[] | null => (list.length === 0 ? null : list)

function toRow(topologyId: string, wanted: WantedComponent, { id, parentId, path, isLeaf }: PlacedNode) {
  const { name, type, text, namespace, labels, hidden, status, description, lifecycle, tooltip, icon, owner } = wanted
  return {
    name,
    type,
    text,
    namespace,
    labels,
    hidden,
    status,
    description,
    lifecycle,
    tooltip,
    icon,
    owner,
    id,
    topology_id: topologyId,
    external_id: wanted.externalId,
    parent_id: parentId,
    config_id: wanted.configId,
    topology_type: wanted.topologyType,
    status_expr: wanted.statusExpr,
    health_expr: wanted.healthExpr,
    selectors: orNull(wanted.selectors),
    log_selectors: orNull(wanted.logSelectors),
    component_checks: orNull(wanted.checks.map((selector) => ({ selector }))),
    configs: orNull(wanted.configs),
    properties: orNull(wanted.properties),
    path,
    is_leaf: isLeaf,
    hash: hashOf(wanted),
  }
}
