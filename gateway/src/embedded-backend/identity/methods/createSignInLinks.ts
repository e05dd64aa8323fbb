// Links that sign someone in once: of a start, and of invitations.
import type { Clock } from '@watchroom/shared/kernel'
import type { ClientBase, Pool } from 'pg'

import { type Identity, IDENTITY_COLUMNS, type IdentityRow, toIdentity } from '../identity.ts'
import { hashToken, newToken } from '../secrets.ts'

const SIGN_IN_LINK_LIFETIME_MS = 15 * 60_000

interface SignInLinkOptions {
  readonly lifetimeMs?: number
  readonly client?: Pick<ClientBase, 'query'>
}

export interface SignInLinks {
  /**
   * Ends the links that the person had.
   *
   * @param within how long it works, 15 minutes if unsaid, and the transaction that it belongs to
   * @returns the token of a link that signs the person in once
   */
  createSignInLink(id: string, within?: SignInLinkOptions): Promise<string>
  /** Whose link it is, without using it up. */
  findInvited(token: string): Promise<Identity | null>
  /** Uses the link up. Null when it is unknown, used or too old, or its owner inactive. */
  redeemSignInLink(token: string): Promise<Identity | null>
}

export function createSignInLinks({ pool, clock }: { pool: Pool; clock: Clock }): SignInLinks & {
  purgeLinks(): Promise<void>
} {
  const after = (ms: number): Date => new Date(clock.now() + ms)
  return {
    createSignInLink: async (id, { lifetimeMs = SIGN_IN_LINK_LIFETIME_MS, client = pool } = {}) => {
      const token = newToken()
      await client.query(
        `with former as (delete from watchroom_identity.sign_in_links where identity_id = $2)
         insert into watchroom_identity.sign_in_links (token_hash, identity_id, expires_at) values ($1, $2, $3)`,
        [hashToken(token), id, after(lifetimeMs)],
      )
      return token
    },

    findInvited: async (token) => {
      const { rows } = await pool.query<IdentityRow>(
        `select ${IDENTITY_COLUMNS} from watchroom_identity.identities as identity
         join watchroom_identity.sign_in_links as link on link.identity_id = identity.id
         where link.token_hash = $1 and link.used_at is null and link.expires_at > $2 and identity.state = 'active'`,
        [hashToken(token), after(0)],
      )
      return rows[0] ? toIdentity(rows[0]) : null
    },

    redeemSignInLink: async (token) => {
      const used = await pool.query<{ identity_id: string }>(
        `update watchroom_identity.sign_in_links set used_at = $2
         where token_hash = $1 and used_at is null and expires_at > $2 returning identity_id`,
        [hashToken(token), after(0)],
      )
      if (!used.rows[0]) return null
      const { rows } = await pool.query<IdentityRow>(
        `select ${IDENTITY_COLUMNS} from watchroom_identity.identities as identity
         where identity.id = $1 and identity.state = 'active'`,
        [used.rows[0].identity_id],
      )
      return rows[0] ? toIdentity(rows[0]) : null
    },

    purgeLinks: async () => {
      await pool.query('delete from watchroom_identity.sign_in_links where expires_at < $1', [after(0)])
    },
  }
}
