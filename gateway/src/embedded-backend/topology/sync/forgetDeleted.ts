import { NIL_UUID } from '@watchroom/shared/kernel'

import { INLINE_SOURCE } from './inlineCanaries.ts'
import type { Database } from './storedComponents.ts'

const GONE = `select component.id from components as component join topologies on topologies.id = component.topology_id
  where topologies.deleted_at is not null and component.agent_id = '${NIL_UUID}'`

/**
 * Components of topologies that were deleted go with them, softly, with their links (by triggers) and the canaries they brought along;
 * those of agents are theirs to delete.
 *
 * @returns how many there were
 */
export async function forgetDeleted(database: Database): Promise<number> {
  const { rowCount } = await database.query(
    `with canary as (
       update canaries set deleted_at = now()
       where deleted_at is null and source in (select '${INLINE_SOURCE}' || id from (${GONE}) as gone))
     update components set deleted_at = now() where deleted_at is null and id in (${GONE})`,
  )
  return rowCount ?? 0
}
