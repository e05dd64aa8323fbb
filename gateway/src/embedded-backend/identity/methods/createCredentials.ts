// What people prove themselves with beside a password: authenticator apps, backup codes, keys.
import type { Pool } from 'pg'

import { inTransaction } from '../../../platform/database/inTransaction.ts'
import { isUniqueViolation } from '../../../platform/database/sqlState.ts'

export type CredentialType = 'totp' | 'lookup_secret' | 'webauthn' | 'passkey' | 'oidc'
/** Those that open a session by themselves. */
export type WayIn = Extract<CredentialType, 'passkey' | 'oidc'>

export interface Credential {
  readonly id: string
  readonly identityId: string
  readonly type: CredentialType
  /** Of a key, in base64url; issuer and subject of an account at a provider; '' otherwise. */
  readonly identifier: string
  readonly config: unknown
}

export interface Credentials {
  /** Oldest first. */
  list(identityId: string, type: CredentialType): Promise<Credential[]>
  /** By the id of a key. */
  find(type: CredentialType, identifier: string): Promise<Credential | null>
  /** Replaces the one of the same kind and identifier. @returns false when the key is someone else's */
  put(credential: Omit<Credential, 'id'>): Promise<boolean>
  /** Only where nobody changed it meanwhile: what is used once is not used twice. @returns false when someone did */
  replace(credential: Credential, config: unknown): Promise<boolean>
  remove(identityId: string, type: CredentialType, identifier?: string): Promise<void>
  /** @returns false, and nothing is removed, when the person could not sign in without it */
  removeWayIn(identityId: string, type: WayIn, identifier: string): Promise<boolean>
}

interface CredentialRow {
  id: string
  identity_id: string
  type: CredentialType
  identifier: string
  config: unknown
}

const COLUMNS = 'id, identity_id, type, identifier, config'

interface Deps {
  readonly pool: Pool
  /** Accounts at others let nobody in. */
  readonly issuers: readonly string[]
}

export function createCredentials({ pool, issuers }: Deps): Credentials {
  const remove = async (
    database: Pick<Pool, 'query'>,
    ...[identityId, type, identifier = '']: Parameters<Credentials['remove']>
  ): Promise<void> => {
    await database.query(
      'delete from watchroom_identity.credentials where identity_id = $1 and type = $2 and identifier = $3',
      [identityId, type, identifier],
    )
  }

  return {
    list: async (identityId, type) => {
      const { rows } = await pool.query<CredentialRow>(
        `select ${COLUMNS} from watchroom_identity.credentials where identity_id = $1 and type = $2 order by created_at`,
        [identityId, type],
      )
      return rows.map(toCredential)
    },

    find: async (type, identifier) => {
      const { rows } = await pool.query<CredentialRow>(
        `select ${COLUMNS} from watchroom_identity.credentials where type = $1 and identifier = $2`,
        [type, identifier],
      )
      return rows[0] ? toCredential(rows[0]) : null
    },

    put: async ({ identityId, type, identifier, config }) => {
      try {
        await pool.query(
          `insert into watchroom_identity.credentials (identity_id, type, identifier, config) values ($1, $2, $3, $4)
           on conflict on constraint credentials_identity_key do update set config = excluded.config`,
          [identityId, type, identifier, JSON.stringify(config)],
        )
        return true
      } catch (error) {
        if (isUniqueViolation(error)) return false
        throw error
      }
    },

    replace: async (credential, config) => {
      const { rowCount } = await pool.query(
        'update watchroom_identity.credentials set config = $3 where id = $1 and config = $2',
        [credential.id, JSON.stringify(credential.config), JSON.stringify(config)],
      )
      return rowCount === 1
    },

    remove: (...which) => remove(pool, ...which),

    removeWayIn: (identityId, type, identifier) =>
      inTransaction(pool, async (client) => {
        // One at a time: of two that are removed at once each would count the other.
        await client.query('select from watchroom_identity.identities where id = $1 for no key update', [identityId])
        const { rows } = await client.query<{ is_left: boolean }>(
          `select password_hash is not null or exists (
             select from watchroom_identity.credentials
             where identity_id = $1 and identifier <> $2
               and (type = 'passkey' or (type = 'oidc' and split_part(identifier, ' ', 1) = any($3)))
           ) as is_left
           from watchroom_identity.identities where id = $1`,
          [identityId, identifier, issuers],
        )
        const isLeft = rows[0]?.is_left === true
        if (isLeft) await remove(client, identityId, type, identifier)
        return isLeft
      }),
  }
}

const toCredential = (row: CredentialRow): Credential => ({
  id: row.id,
  identityId: row.identity_id,
  type: row.type,
  identifier: row.identifier,
  config: row.config,
})
