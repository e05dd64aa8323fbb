import { isDeepStrictEqual } from 'node:util'

import { NIL_UUID } from '@watchroom/shared/kernel'
import { type RolledUp, toShownSummary } from '@watchroom/shared/topology'
import type { Pool } from 'pg'

import type { ShownState, StoredComponent } from './readComponents.ts'

/** What a row has to show; null where it does already. Components of agents show what their agents say. */
export function toUnwritten({ row, shown }: StoredComponent, rolled: RolledUp): ShownState | null {
  if (row.agent_id !== NIL_UUID) return null
  const wanted: ShownState = {
    // A row that says nothing has become nothing else where nothing is known.
    health: rolled.health === 'unknown' && !shown.health ? shown.health : rolled.health,
    status: rolled.status,
    status_reason: rolled.problem ?? row.status_reason ?? null,
    summary: toShownSummary(rolled.summary),
  }
  return isDeepStrictEqual(wanted, shown) ? null : wanted
}

/** What a row has to show, and what it showed when that was worked out. */
export interface Unwritten {
  readonly state: ShownState
  readonly was: ShownState
}

/** Rows of which someone said something else meanwhile stay as they are; that is told, and worked out anew. @returns when each of the rows was updated that are different now */
export async function writeRolledUp(
  pool: Pick<Pool, 'query'>,
  wanted: ReadonlyMap<string, Unwritten>,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ id: string; updated_at: string }>(
    // In the form in which the rows are read.
    `select id, to_jsonb(updated_at) #>> '{}' as updated_at from watchroom_internal.write_rolled_up($1)`,
    [JSON.stringify([...wanted].map(([id, { state, was }]) => ({ id, ...state, was })))],
  )
  return new Map(rows.map(({ id, updated_at: at }) => [id, at]))
}
