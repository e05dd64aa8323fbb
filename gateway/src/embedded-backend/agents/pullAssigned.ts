// What people here have given an agent to run, with the secrets that it needs for that.
import { SecretUnreadable } from '../secrets/createVault.ts'
import type { BackendContext } from '../server/context.ts'

/** Given to the agent by people here, and not brought along by it; SQL with the agent as $1. */
export const ASSIGNED = `agent_id = $1 and (source is null or source = 'UI')`

export type AssignedRow = Record<string, unknown> & { id: string }

/**
 * With `since`, also those that were deleted. Times are given with all the digits that the next question may repeat.
 *
 * @param since moment of the agent's last question
 */
export async function pullAssigned(
  { pool, vault, logger }: Pick<BackendContext, 'pool' | 'vault' | 'logger'>,
  table: 'canaries' | 'config_scrapers',
  agentId: string,
  since: string | undefined,
): Promise<AssignedRow[]> {
  const { rows: found } = await pool.query<{ row: AssignedRow }>(
    `select to_jsonb(stored) - 'is_pushed' as row from ${table} as stored
     where ${ASSIGNED} and case when $2::timestamptz is null then deleted_at is null
       else coalesce(updated_at, created_at) > $2 end
     order by coalesce(updated_at, created_at), id`,
    [agentId, since ?? null],
  )
  const rows = found.map(({ row }) => row)
  const stored = await vault.list(
    pool,
    table,
    rows.map(({ id }) => id),
  )
  return Promise.all(
    rows.map(async (row) => {
      try {
        return (await vault.fillIn(row, stored.get(row.id) ?? [])).document as AssignedRow
      } catch (error) {
        if (!(error instanceof SecretUnreadable)) throw error
        // Its checks say then that *** stands for nothing.
        logger.warn({ agentId, table, rowId: row.id, reason: error.message }, 'secret of an agent not readable')
        return row
      }
    }),
  )
}
