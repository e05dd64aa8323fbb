// What the database holds of a topology's components, as far as a sync compares with it.
import type { Pool, PoolClient } from 'pg'

import type { StoredNode } from './planSync.ts'

export type Database = Pick<Pool | PoolClient, 'query'>

export async function readStoredComponents(database: Database, topologyId: string): Promise<StoredNode[]> {
  const { rows } = await database.query<StoredNode>(
    `select component.id, component.type, component.name, component.parent_id as "parentId", component.path,
       coalesce(component.is_leaf, false) as "isLeaf", component.deleted_at is not null as "isDeleted", synced.hash
     from components as component
     left join watchroom_internal.synced_components as synced on synced.component_id = component.id
     where component.topology_id = $1
     order by component.id`,
    [topologyId],
  )
  return rows
}
