// Access tokens of people, for their scripts: shown once, never more than their owner may, gone with their owner.
import { limitRoles, type Role, toRoles } from '@watchroom/shared/access'
import type { Clock } from '@watchroom/shared/kernel'
import type { AccessTokenSchema } from '@watchroom/shared/people'
import type { Pool } from 'pg'
import type { z } from 'zod'

import { onlyRow } from '../../platform/database/onlyRow.ts'
import { createAccessToken } from '../agents/accessToken.ts'
import type { TokenHasher } from '../agents/createTokenHasher.ts'

/** What a token speaks for, right now. */
export interface TokenOwner {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly roles: readonly Role[]
  /** Never when null. */
  readonly expiresAt: Date | null
}

interface NewToken {
  readonly ownerId: string
  readonly name: string
  /** What it may at most; its owner's role when null. */
  readonly role: Role | null
  /** Never when null. */
  readonly expiresAt: Date | null
}

export interface TokenService {
  /** @throws the database's error, 23505 when the owner has one of that name. Null when they have too many. */
  create(token: NewToken): Promise<{ readonly id: string; readonly token: string } | null>
  /** Newest first. */
  list(ownerId: string): Promise<z.input<typeof AccessTokenSchema>[]>
  /** @returns false when the owner has no such token */
  revoke(ownerId: string, id: string): Promise<boolean>
  /** Asks the database every time: a token ends with its owner, at once. Counts as use of it. */
  recognise(token: string): Promise<TokenOwner | null>
  /** Of anyone's, also of an agent's: whether it was good once and its time is over. Tells nothing to who has not got it. */
  isExpired(token: string): Promise<boolean>
}

const MAX_TOKENS = 50
/** Uses are written down this often. */
const TOUCH_INTERVAL_MS = 60_000

export function createTokenService(deps: { pool: Pool; clock: Clock; hasher: TokenHasher }): TokenService {
  const { pool, clock, hasher } = deps
  return {
    create: async ({ ownerId, name, role, expiresAt }) => {
      const count = await pool.query<{ count: number }>(
        'select count(*)::integer as count from access_tokens where person_id = $1',
        [ownerId],
      )
      if (onlyRow(count.rows).count >= MAX_TOKENS) return null
      const { token, hash } = await createAccessToken()
      const { rows } = await pool.query<{ id: string }>(
        `insert into access_tokens (name, value, person_id, role, expires_at) values ($1, $2, $3, $4, $5) returning id`,
        [name, hash, ownerId, role, expiresAt],
      )
      return { id: onlyRow(rows).id, token }
    },

    list: async (ownerId) => {
      const { rows } = await pool.query<TokenRow>(
        `select id, name, role, created_at, expires_at, last_used_at from access_tokens
         where person_id = $1 order by created_at desc`,
        [ownerId],
      )
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        role: row.role,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        lastUsedAt: row.last_used_at,
      }))
    },

    revoke: async (ownerId, id) => {
      const { rowCount } = await pool.query('delete from access_tokens where person_id = $1 and id = $2', [ownerId, id])
      return rowCount === 1
    },

    isExpired: async (token) => {
      const hash = await hasher.hashOf(token)
      if (hash === null) return false
      const { rowCount } = await pool.query('select from access_tokens where value = $1 and expires_at <= $2 limit 1', [
        hash,
        new Date(clock.now()),
      ])
      return rowCount === 1
    },

    recognise: async (token) => {
      const hash = await hasher.hashOf(token)
      if (hash === null) return null
      const now = clock.now()
      const { rows } = await pool.query<OwnerRow>(
        `select access_tokens.id as token_id, access_tokens.role, access_tokens.last_used_at, access_tokens.expires_at, people.id, people.name, people.email,
           array(select v1::text from casbin_rule where ptype = 'g' and v0 = people.id::text) as role_names
         from access_tokens
         join watchroom_identity.identities on identities.id = access_tokens.person_id and identities.state = 'active'
         join people on people.id = identities.id
         where access_tokens.value = $1 and (access_tokens.expires_at is null or access_tokens.expires_at > $2)
         limit 1`,
        [hash, new Date(now)],
      )
      const [row] = rows
      if (!row) return null
      if ((row.last_used_at?.getTime() ?? 0) <= now - TOUCH_INTERVAL_MS) {
        await pool.query('update access_tokens set last_used_at = $2 where id = $1', [row.token_id, new Date(now)])
      }
      const { id, name, email } = row
      const roles = toRoles(row.role_names)
      return {
        id,
        name,
        email: email ?? '',
        roles: row.role === null ? roles : limitRoles(roles, row.role),
        expiresAt: row.expires_at,
      }
    },
  }
}

interface TokenRow {
  id: string
  name: string
  role: Role | null
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
}

interface OwnerRow {
  token_id: string
  role: Role | null
  last_used_at: Date | null
  expires_at: Date | null
  id: string
  name: string
  email: string | null
  role_names: string[]
}
