// What people prove themselves with beside a password: authenticator apps, backup codes, keys.
import type { Pool } from 'pg'

import { isUniqueViolation } from '../../../platform/database/sqlState.ts'

export type CredentialType = 'totp' | 'lookup_secret' | 'webauthn' | 'passkey'

export interface Credential {
  readonly id: string
  readonly identityId: string
  readonly type: CredentialType
  /** Of a key, in base64url; '' otherwise. */
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
}

interface CredentialRow {
  id: string
  identity_id: string
  type: CredentialType
  identifier: string
  config: unknown
}

const COLUMNS = 'id, identity_id, type, identifier, config'

export function createCredentials({ pool }: { pool: Pool }): Credentials {
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

    remove: async (identityId, type, identifier = '') => {
      await pool.query(
        'delete from watchroom_identity.credentials where identity_id = $1 and type = $2 and identifier = $3',
        [identityId, type, identifier],
      )
    },
  }
}

const toCredential = (row: CredentialRow): Credential => ({
  id: row.id,
  identityId: row.identity_id,
  type: row.type,
  identifier: row.identifier,
  config: row.config,
})
