// People who can sign in, their passwords, sessions, roles and sign-in links. Knows nothing of HTTP: `routes` speaks Kratos.
import type { Role } from '@watchroom/shared/access'
import type { Clock } from '@watchroom/shared/kernel'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Logger } from 'pino'

import type { Database, IdentityTraits } from '../schema/database.ts'
import { createAttemptLimiter } from './createAttemptLimiter.ts'
import { hashPassword, hashToken, newToken, verifyPassword, warmUp } from './secrets.ts'

/** Session lifespan of the product's identity service (backend reference 3.2). */
export const SESSION_LIFETIME_MS = 336 * 3_600_000
const SIGN_IN_LINK_LIFETIME_MS = 15 * 60_000
/** An expired flow is remembered this long, so that its form can be told that it expired. */
const FLOW_MEMORY_MS = 60 * 60_000
/** Old sessions, flows and links are deleted this often. */
const PURGE_INTERVAL_MS = 5 * 60_000

export interface NewPerson {
  email: string
  firstName: string
  lastName: string
  /** Without one, only a sign-in link opens a session. */
  password?: string
  roles: readonly Role[]
}

export interface Identity {
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly state: 'active' | 'inactive'
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly stateChangedAt: Date
  /** Differs after every change of the password or of whether the person may sign in; tells nothing about either. */
  readonly credentialVersion: string
}

/** A valid session and its owner, as they are in the database now. */
export interface ActiveSession {
  readonly id: string
  readonly issuedAt: Date
  readonly authenticatedAt: Date
  readonly expiresAt: Date
  /** How the person proved who they are. */
  readonly method: SignInMethod
  readonly identity: Identity
}

export type SignInMethod = 'password' | 'link_recovery'

export type PasswordCheck =
  | { readonly kind: 'right'; readonly identity: Identity }
  | { readonly kind: 'wrong' }
  /** The password was right, but an administrator has switched the account off. */
  | { readonly kind: 'inactive' }
  | { readonly kind: 'wait'; readonly waitMs: number }

export interface IdentityService {
  /** @returns the person's id, which is also the identity's */
  createPerson(person: NewPerson): Promise<string>
  findByEmail(email: string): Promise<Identity | null>
  hasIdentities(): Promise<boolean>
  setPassword(id: string, password: string): Promise<void>
  /** `inactive` ends every session of the person. */
  setState(id: string, state: 'active' | 'inactive'): Promise<void>
  /** Exactly these roles, whatever the person had. */
  setRoles(id: string, roles: readonly Role[]): Promise<void>
  /** As stored, names unknown to the console included. */
  roleNames(id: string): Promise<string[]>
  /** @param address of the browser; wrong passwords are counted per identifier and address */
  checkPassword(identifier: string, password: string, address: string): Promise<PasswordCheck>
  createSession(identity: Identity, method: SignInMethod): Promise<{ token: string; session: ActiveSession }>
  findSession(token: string): Promise<ActiveSession | null>
  endSession(token: string): Promise<void>
  /** @returns the token of a link that signs the person in once, within 15 minutes */
  createSignInLink(id: string): Promise<string>
  /** Uses the link up. Null when it is unknown, used or too old, or its owner inactive. */
  redeemSignInLink(token: string): Promise<Identity | null>
  close(): void
}

interface Deps {
  db: Kysely<Database>
  clock: Clock
  logger: Logger
}

export function createIdentityService({ db, clock, logger }: Deps): IdentityService {
  const limiter = createAttemptLimiter(clock)
  const after = (ms: number): Date => new Date(clock.now() + ms)

  const findCredential = (email: string) =>
    selectIdentities(db)
      .select('identity.password_hash')
      .where(sql`lower(identity.traits ->> 'email')`, '=', email.trim().toLowerCase())
      .executeTakeFirst()

  const purge = async (): Promise<void> => {
    const now = after(0)
    try {
      await db.deleteFrom('watchroom_identity.sessions').where('expires_at', '<', now).execute()
      await db.deleteFrom('watchroom_identity.flows').where('expires_at', '<', after(-FLOW_MEMORY_MS)).execute()
      await db.deleteFrom('watchroom_identity.sign_in_links').where('expires_at', '<', now).execute()
    } catch (error) {
      // Expired rows are refused anyway; the next round deletes them.
      logger.warn({ err: error }, 'expired sessions not deleted')
    }
  }
  let cancelPurge = clock.schedule(() => undefined, 0)
  const schedulePurge = (): void => {
    cancelPurge = clock.schedule(() => void purge().then(schedulePurge), PURGE_INTERVAL_MS)
  }
  schedulePurge()
  void warmUp()

  return {
    createPerson: async (person) => {
      const passwordHash = person.password === undefined ? null : await hashPassword(person.password)
      const traits: IdentityTraits = {
        email: person.email,
        name: { first: person.firstName, last: person.lastName },
      }
      return db.transaction().execute(async (transaction) => {
        const { id } = await transaction
          .insertInto('watchroom_identity.identities')
          .values({ traits: JSON.stringify(traits), password_hash: passwordHash })
          .returning('id')
          .executeTakeFirstOrThrow()
        await replaceRoles(transaction, id, person.roles)
        return id
      })
    },

    findByEmail: async (email) => {
      const row = await findCredential(email)
      return row ? toIdentity(row) : null
    },

    hasIdentities: async () =>
      (await db.selectFrom('watchroom_identity.identities').select('id').limit(1).executeTakeFirst()) !== undefined,

    setPassword: async (id, password) => {
      await db
        .updateTable('watchroom_identity.identities')
        .set({ password_hash: await hashPassword(password) })
        .where('id', '=', id)
        .execute()
    },

    setState: (id, state) =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('watchroom_identity.identities')
          .set({ state })
          .where('id', '=', id)
          .where('state', '!=', state)
          .execute()
        if (state === 'active') return
        await transaction.deleteFrom('watchroom_identity.sessions').where('identity_id', '=', id).execute()
      }),

    setRoles: (id, roles) => db.transaction().execute((transaction) => replaceRoles(transaction, id, roles)),

    roleNames: async (id) => {
      const row = await db.selectFrom('people_roles').select('roles').where('id', '=', id).executeTakeFirst()
      return row?.roles ?? []
    },

    checkPassword: async (identifier, password, address) => {
      const waitMs = limiter.waitMs(identifier, address)
      if (waitMs > 0) return { kind: 'wait', waitMs }
      const row = await findCredential(identifier)
      if (!(await verifyPassword(row?.password_hash ?? null, password)) || !row) {
        limiter.failed(identifier, address)
        return { kind: 'wrong' }
      }
      limiter.succeeded(identifier, address)
      return row.state === 'active' ? { kind: 'right', identity: toIdentity(row) } : { kind: 'inactive' }
    },

    createSession: async (identity, method) => {
      const token = newToken()
      const now = after(0)
      const expiresAt = after(SESSION_LIFETIME_MS)
      const { id } = await db
        .insertInto('watchroom_identity.sessions')
        .values({
          token_hash: hashToken(token),
          identity_id: identity.id,
          issued_at: now,
          authenticated_at: now,
          expires_at: expiresAt,
          authentication_methods: JSON.stringify([{ method, aal: 'aal1', completed_at: now }]),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.updateTable('people').set({ last_login: now }).where('id', '=', identity.id).execute()
      return { token, session: { id, issuedAt: now, authenticatedAt: now, expiresAt, method, identity } }
    },

    findSession: async (token) => {
      const row = await selectIdentities(db)
        .innerJoin('watchroom_identity.sessions as session', 'session.identity_id', 'identity.id')
        .select([
          'session.id as session_id',
          'session.issued_at',
          'session.authenticated_at',
          'session.expires_at',
          'session.authentication_methods',
        ])
        .where('session.token_hash', '=', hashToken(token))
        .where('session.active', '=', true)
        .where('session.expires_at', '>', after(0))
        .where('identity.state', '=', 'active')
        .executeTakeFirst()
      if (!row) return null
      const [first] = row.authentication_methods as { method?: SignInMethod }[]
      return {
        id: row.session_id,
        issuedAt: row.issued_at,
        authenticatedAt: row.authenticated_at,
        expiresAt: row.expires_at,
        method: first?.method ?? 'password',
        identity: toIdentity(row),
      }
    },

    endSession: async (token) => {
      await db.deleteFrom('watchroom_identity.sessions').where('token_hash', '=', hashToken(token)).execute()
    },

    createSignInLink: async (id) => {
      const token = newToken()
      await db
        .insertInto('watchroom_identity.sign_in_links')
        .values({ token_hash: hashToken(token), identity_id: id, expires_at: after(SIGN_IN_LINK_LIFETIME_MS) })
        .execute()
      return token
    },

    redeemSignInLink: async (token) => {
      const used = await db
        .updateTable('watchroom_identity.sign_in_links')
        .set({ used_at: after(0) })
        .where('token_hash', '=', hashToken(token))
        .where('used_at', 'is', null)
        .where('expires_at', '>', after(0))
        .returning('identity_id')
        .executeTakeFirst()
      if (!used) return null
      const row = await selectIdentities(db)
        .where('identity.id', '=', used.identity_id)
        .where('identity.state', '=', 'active')
        .executeTakeFirst()
      return row ? toIdentity(row) : null
    },

    close: () => cancelPurge(),
  }
}

const selectIdentities = (db: Kysely<Database>) =>
  db
    .selectFrom('watchroom_identity.identities as identity')
    .select([
      'identity.id',
      'identity.traits',
      'identity.state',
      'identity.created_at',
      'identity.updated_at',
      'identity.state_changed_at',
      sql<string | null>`md5(identity.password_hash)`.as('password_version'),
    ])

interface IdentityRow {
  id: string
  traits: IdentityTraits
  state: 'active' | 'inactive'
  created_at: Date
  updated_at: Date
  state_changed_at: Date
  /** null without a password */
  password_version: string | null
}

function toIdentity(row: IdentityRow): Identity {
  return {
    id: row.id,
    email: row.traits.email,
    firstName: row.traits.name?.first ?? '',
    lastName: row.traits.name?.last ?? '',
    state: row.state,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    stateChangedAt: row.state_changed_at,
    credentialVersion: `${row.state}:${row.password_version ?? ''}`,
  }
}

async function replaceRoles(transaction: Transaction<Database>, id: string, roles: readonly Role[]): Promise<void> {
  await transaction.deleteFrom('casbin_rule').where('ptype', '=', 'g').where('v0', '=', id).execute()
  if (roles.length === 0) return
  await transaction
    .insertInto('casbin_rule')
    .values(roles.map((role) => ({ ptype: 'g', v0: id, v1: role })))
    .execute()
}
