// Opens stored credentials at the moment they are used. Nothing here is logged, and nothing leaves the process.
import { keepNewest } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

import { fillSecrets, type FilledSecret, type SecretPlace } from './fillSecrets.ts'
import { openMessage } from './openPgp.ts'
import type { SecretKey } from './secretKey.ts'
import { isSecretVariable, variableAt } from './secretVariables.ts'

/** Tables whose rows may have stored secrets that someone here uses. */
export type SecretTable =
  | 'canaries'
  | 'config_scrapers'
  | 'connections'
  | 'logging_backends'
  | 'playbooks'
  | 'teams'
  | 'topologies'

/** Where a secret stands, and which one it is: another id once it was entered again. */
export interface StoredSecret extends SecretPlace {
  readonly id: string
}

export interface Vault {
  /** By row. */
  list(
    database: Pick<Pool, 'query'>,
    table: SecretTable,
    rowIds: readonly string[],
  ): Promise<Map<string, StoredSecret[]>>
  /** @throws SecretUnreadable */
  fillIn(document: unknown, secrets: readonly StoredSecret[]): Promise<Filled>
  /**
   * A document that someone is about to try in place of a stored row's: its *** stand for the row's secrets.
   *
   * @param document by columns
   * @param caller an administrator may send a secret elsewhere, as when they save
   * @throws SecretUnreadable; the database's error 23514 when a *** stands for nothing, or would send a secret elsewhere
   */
  fillTrial(
    table: SecretTable,
    rowId: string,
    document: Readonly<Record<string, unknown>>,
    caller?: 'administrator' | 'other',
  ): Promise<Filled>
}

export interface Filled {
  readonly document: unknown
  /** What was filled in: texts that must appear nowhere. */
  readonly secrets: readonly string[]
  /** Those of them that documents are cleaned of: plain values of an environment are words of ids and names too. */
  readonly credentials: readonly string[]
}

/** The key was replaced since the secret was entered. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable'

  constructor(path: readonly string[]) {
    super(`${path.slice(1).join('.')}: the key that this secret was stored with is not here any more. Enter it again.`)
  }
}

interface SealedSecret extends SecretPlace {
  readonly key_id: string
  readonly ciphertext: Buffer
}

/** Opening one takes some 10 ms of a core, and checks run each second. */
const MAX_OPENED = 5_000

export function createVault({ pool, key }: { pool: Pick<Pool, 'query'>; key: SecretKey }): Vault {
  /** By the secret's id, oldest first. */
  const opened = new Map<string, unknown>()

  function open(secret: SealedSecret): unknown {
    if (secret.key_id !== key.id) throw new SecretUnreadable(secret.path)
    return JSON.parse(openMessage(secret.ciphertext, key.privateKey).toString('utf8')) as unknown
  }

  async function valueOf(secret: StoredSecret): Promise<FilledSecret[]> {
    if (opened.has(secret.id)) return [{ ...secret, value: opened.get(secret.id) }]
    const { rows } = await pool.query<SealedSecret>(
      'select path, span, place, key_id, ciphertext from watchroom_internal.secrets where id = $1',
      [secret.id],
    )
    // Forgotten since: the *** stays and says so.
    if (!rows[0]) return []
    const value = open(rows[0])
    opened.set(secret.id, value)
    keepNewest(opened, MAX_OPENED)
    return [{ ...secret, value }]
  }

  return {
    list: async (database, table, rowIds) => {
      const { rows } = await database.query<StoredSecret & { row_id: string }>(
        `select row_id, id, path, span, place from watchroom_internal.secrets
         where table_name = $1 and row_id = any($2::uuid[]) and not is_pending order by path, span`,
        [table, rowIds],
      )
      const byRow = new Map<string, StoredSecret[]>()
      for (const { row_id: rowId, ...secret } of rows) byRow.set(rowId, [...(byRow.get(rowId) ?? []), secret])
      return byRow
    },
    fillIn: async (document, secrets) => toFilled(document, (await Promise.all(secrets.map(valueOf))).flat()),
    fillTrial: async (table, rowId, document, caller = 'other') => {
      const { rows } = await pool.query<SealedSecret>(
        `select secret.* from ${table} as stored,
           watchroom_internal.secrets_for_trial($1, stored.id, $3, (
             select jsonb_object_agg(name, to_jsonb(stored) -> name) from unnest($4::text[]) as name), $5) as secret
         where stored.id = $2`,
        [table, rowId, JSON.stringify(document), Object.keys(document), caller],
      )
      return toFilled(
        document,
        rows.map((secret) => ({ ...secret, value: open(secret) })),
      )
    },
  }
}

function toFilled(document: unknown, secrets: readonly FilledSecret[]): Filled {
  const filled = fillSecrets(document, secrets)
  const isCredential = ({ path, value }: FilledSecret): boolean => {
    const name = variableAt(filled, path)
    return name === null || isSecretVariable({ name, value: String(value) })
  }
  const toTexts = (some: readonly FilledSecret[]): string[] => some.map(({ value }) => String(value))
  return { document: filled, secrets: toTexts(secrets), credentials: toTexts(secrets.filter(isCredential)) }
}
