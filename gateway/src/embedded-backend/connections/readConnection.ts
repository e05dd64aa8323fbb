// A row of `connections` with its credentials, for as long as it takes to use them.
import type { ConnectionRow } from '@watchroom/shared/settings/connections'
import { ConnectionRowSchema } from '@watchroom/shared/settings/connections'

import { hasSqlState, SQL_STATE } from '../../platform/database/sqlState.ts'
import { SecretUnreadable } from '../secrets/createVault.ts'
import type { BackendContext } from '../server/context.ts'

/** Columns that hold credentials, and the type that says what they are for. */
export const SEALED_COLUMNS = ['url', 'username', 'password', 'certificate', 'properties', 'type'] as const

export interface StoredConnection {
  readonly type: string
  readonly row: ConnectionRow
  readonly filled: readonly string[]
}

/** Whether a row names credentials that cannot be filled in. */
export const isFaultOfRow = (error: unknown): error is Error =>
  hasSqlState(error, SQL_STATE.checkViolation) || error instanceof SecretUnreadable

/** Null when there is none, or it was deleted. @throws SecretUnreadable */
export async function readConnection(
  { pool, vault }: Pick<BackendContext, 'pool' | 'vault'>,
  id: string,
): Promise<StoredConnection | null> {
  const { rows } = await pool.query<{ type: string }>(
    `select ${SEALED_COLUMNS.join(', ')}, insecure_tls from connections where id = $1 and deleted_at is null`,
    [id],
  )
  if (!rows[0]) return null
  const stored = (await vault.list(pool, 'connections', [id])).get(id) ?? []
  const { document, secrets } = await vault.fillIn(rows[0], stored)
  return { type: rows[0].type, row: ConnectionRowSchema.parse(document), filled: secrets }
}
