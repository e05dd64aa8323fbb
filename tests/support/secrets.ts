import type { Pool } from 'pg'

import { openMessage } from '../../gateway/src/embedded-backend/secrets/openPgp.ts'
import type { SecretKey } from '../../gateway/src/embedded-backend/secrets/secretKey.ts'
import { TEST_SECRET_KEY } from './database.ts'

/** What is stored for a row, by path; `#n` follows the path of the n-th secret within a text. */
export async function openSecrets(
  database: Pick<Pool, 'query'>,
  table: string,
  rowId: string,
  key: SecretKey = TEST_SECRET_KEY,
): Promise<Record<string, unknown>> {
  const { rows } = await database.query<{ path: string[]; span: number; ciphertext: Buffer }>(
    'select path, span, ciphertext from watchroom_internal.secrets where table_name = $1 and row_id = $2 order by path, span',
    [table, rowId],
  )
  return Object.fromEntries(
    rows.map(({ path, span, ciphertext }) => [
      path.join('.') + (span === 0 ? '' : `#${span}`),
      JSON.parse(openMessage(ciphertext, key.privateKey).toString('utf8')) as unknown,
    ]),
  )
}
