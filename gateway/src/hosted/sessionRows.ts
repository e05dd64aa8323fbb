// Rows of sessions in the gateway's database. A row holds a hash of the cookie's secret, and tokens sealed with a key made of it.
import { createHash, randomBytes } from 'node:crypto'

import type { Clock } from '@watchroom/shared/kernel'
import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'

import { createSeal } from '../platform/createSeal.ts'
import type { Tokens } from './createProvider.ts'

const SECRET_BYTES = 32

const OrganizationSchema = z.object({ id: z.string(), name: z.string(), backendUrl: z.string().nullable() })
const TokensSchema = z.object({
  idToken: z.string(),
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  expiresAt: z.number(),
  person: z.object({
    subject: z.string(),
    name: z.string(),
    email: z.string(),
    organizations: z.array(OrganizationSchema),
  }),
  providerSession: z.string().optional(),
})

export interface SessionRow {
  readonly tokens: Tokens
  readonly organization: string | null
  readonly expiresAt: number
  readonly usedAt: number
}

export interface NewSession {
  /** Of its cookie. */
  readonly secret: string
  readonly maxAgeS: number
  readonly organization: string | null
}

interface Stored {
  readonly sealed: string
  readonly organization: string | null
  readonly expires_at: Date
  readonly used_at: Date
}

type Queryable = Pool | PoolClient

/** @param deps.idleMs a session that nobody used for this long has ended */
export function createSessionRows({ clock, idleMs }: { readonly clock: Clock; readonly idleMs: number }) {
  const now = (): Date => new Date(clock.now())
  const usedSince = (): Date => new Date(clock.now() - idleMs)

  return {
    /** Null when the session has ended. `for update` keeps others from it until the transaction ends. */
    read: async (client: Queryable, secret: string, lock: '' | 'for update' = ''): Promise<SessionRow | null> => {
      const { rows } = await client.query<Stored>(
        `select organization, sealed, expires_at, used_at from watchroom.hosted_session
         where id = $1 and expires_at > $2 and used_at > $3 ${lock}`,
        [toId(secret), now(), usedSince()],
      )
      const [row] = rows
      const tokens = row && open(secret, row.sealed)
      if (!row || !tokens) return null
      const { organization, expires_at: expiresAt, used_at: usedAt } = row
      return { tokens, organization, expiresAt: expiresAt.getTime(), usedAt: usedAt.getTime() }
    },

    insert: async (
      client: Queryable,
      tokens: Tokens,
      organization: string | null,
      expiresAt: number,
    ): Promise<NewSession> => {
      const secret = randomBytes(SECRET_BYTES).toString('base64url')
      const { person, providerSession = null } = tokens
      await client.query(
        `insert into watchroom.hosted_session (id, subject, provider_session, organization, sealed, expires_at, used_at)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [toId(secret), person.subject, providerSession, organization, seal(secret, tokens), new Date(expiresAt), now()],
      )
      return { secret, maxAgeS: Math.max(1, Math.floor((expiresAt - clock.now()) / 1_000)), organization }
    },

    setTokens: async (client: Queryable, secret: string, tokens: Tokens): Promise<void> => {
      await client.query('update watchroom.hosted_session set sealed = $2 where id = $1', [
        toId(secret),
        seal(secret, tokens),
      ])
    },

    noteUse: async (client: Queryable, secret: string): Promise<void> => {
      await client.query('update watchroom.hosted_session set used_at = $2 where id = $1', [toId(secret), now()])
    },

    /** @returns the tokens of the session that ended */
    remove: async (client: Queryable, secret: string): Promise<Tokens | null> => {
      const { rows } = await client.query<{ sealed: string }>(
        'delete from watchroom.hosted_session where id = $1 returning sealed',
        [toId(secret)],
      )
      return rows[0] ? open(secret, rows[0].sealed) : null
    },

    /** All that fit what is given; none where nothing is. */
    removeOf: async (client: Queryable, which: ProviderWord): Promise<void> => {
      await client.query(
        `delete from watchroom.hosted_session
         where ($1::text is not null or $2::text is not null)
           and ($1::text is null or provider_session = $1) and ($2::text is null or subject = $2)`,
        [which.providerSession ?? null, which.subject ?? null],
      )
    },

    /** @returns false when the word was taken before */
    takeOnce: async (client: Queryable, word: string, expiresAt: number): Promise<boolean> => {
      const { rowCount } = await client.query(
        'insert into watchroom.hosted_logout (id, expires_at) values ($1, $2) on conflict do nothing',
        [createHash('sha256').update(word).digest(), new Date(expiresAt)],
      )
      return rowCount === 1
    },

    purge: async (client: Queryable): Promise<void> => {
      await client.query('delete from watchroom.hosted_session where expires_at < $1 or used_at < $2', [
        now(),
        usedSince(),
      ])
      await client.query('delete from watchroom.hosted_logout where expires_at < $1', [now()])
    },
  }
}

/** By which the provider names what it has ended: a session of its own, or all of a person. */
export interface ProviderWord {
  readonly providerSession?: string
  readonly subject?: string
}

const toId = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Names a session without being able to use it. */
export const toSessionId = (secret: string): string => toId(secret).toString('hex')

const seal = (secret: string, tokens: Tokens): string =>
  createSeal(Buffer.from(secret), 'hosted session').seal(JSON.stringify(tokens))

/** Null for what another version of the program wrote: then someone signs in again. */
function open(secret: string, sealed: string): Tokens | null {
  const tokens = TokensSchema.safeParse(JSON.parse(createSeal(Buffer.from(secret), 'hosted session').open(sealed)))
  return tokens.success ? tokens.data : null
}
