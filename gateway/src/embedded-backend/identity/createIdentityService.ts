// People who can sign in, their passwords, sessions, roles and sign-in links. Knows nothing of HTTP: `routes` speaks Kratos.
import type { Role } from '@watchroom/shared/access'
import type { Clock } from '@watchroom/shared/kernel'
import type { ClientBase, Pool } from 'pg'
import type { Logger } from 'pino'

import { createLane } from '../../platform/createLane.ts'
import { inTransaction } from '../../platform/database/inTransaction.ts'
import { onlyRow } from '../../platform/database/onlyRow.ts'
import { type AttemptOutcome, createAttemptLimiter } from './createAttemptLimiter.ts'
import { createKnownOrigins, type Origin } from './createKnownOrigins.ts'
import { hashPassword, hashToken, newToken, verifyPassword, warmUp } from './secrets.ts'

/** Session lifespan of the product's identity service (backend reference 3.2). */
export const SESSION_LIFETIME_MS = 336 * 3_600_000
/** A session that nobody used for this long has ended: a long weekend. A page that stays open uses its session. */
const SESSION_IDLE_MS = 72 * 3_600_000
/** Uses are written down this often; a session may live this much longer than its idle end says. */
const TOUCH_INTERVAL_MS = 60_000
const SIGN_IN_LINK_LIFETIME_MS = 15 * 60_000
/** An expired flow is remembered this long, so that its form can be told that it expired. */
const FLOW_MEMORY_MS = 60 * 60_000
/** Old sessions, flows and links are deleted this often. */
const PURGE_INTERVAL_MS = 5 * 60_000

/** Each takes 19 MiB and 30 ms of a core: two leave the machine to others. */
const HASHES_AT_ONCE = 2
/** In line for a quarter of a second. */
const MAX_WAITING_HASHES = 16
/** After which a line that was full has moved on. */
const FULL_LINE_WAIT_MS = 1_000

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
  readonly device: SessionDevice
  readonly identity: Identity
}

/** Where a session was opened, so that its owner recognises it. */
export interface SessionDevice {
  readonly address: string | null
  readonly userAgent: string | null
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
  /** `inactive` ends every session of the person. @returns false when there is no such person */
  setState(id: string, state: 'active' | 'inactive'): Promise<boolean>
  /** Exactly these roles, whatever the person had. */
  setRoles(id: string, roles: readonly Role[]): Promise<void>
  /** As stored, names unknown to the console included. */
  roleNames(id: string): Promise<string[]>
  /** Slows down guessing, wherever it comes from; `wait` tells when to come back. Never reveals whether the account exists. */
  checkPassword(identifier: string, password: string, origin: Origin): Promise<PasswordCheck>
  /** Whether this is the person's password, asked by the program itself: nothing is counted or slowed down. */
  hasPassword(identifier: string, password: string): Promise<boolean>
  createSession(
    identity: Identity,
    method: SignInMethod,
    device: SessionDevice,
  ): Promise<{ token: string; session: ActiveSession }>
  /** The valid session behind a token. Counts as use of it. */
  findSession(token: string): Promise<ActiveSession | null>
  /** Valid sessions of a person, newest first. */
  listSessions(identityId: string): Promise<ActiveSession[]>
  endSession(token: string): Promise<void>
  /** @returns how many of the person's valid sessions ended: all, or one, or all but one */
  endSessions(identityId: string, which?: { readonly only: string } | { readonly except: string }): Promise<number>
  /** @returns the token of a link that signs the person in once, within 15 minutes */
  createSignInLink(id: string): Promise<string>
  /** Uses the link up. Null when it is unknown, used or too old, or its owner inactive. */
  redeemSignInLink(token: string): Promise<Identity | null>
  close(): void
}

interface Deps {
  pool: Pool
  clock: Clock
  logger: Logger
  /** SESSION_IDLE_MS unless an operator says otherwise. */
  sessionIdleMs?: number | undefined
}

export function createIdentityService({ pool, clock, logger, sessionIdleMs }: Deps): IdentityService {
  const idleMs = sessionIdleMs ?? SESSION_IDLE_MS
  const limiter = createAttemptLimiter(clock)
  const hashing = createLane({ parallel: HASHES_AT_ONCE, maxWaiting: MAX_WAITING_HASHES })
  const origins = createKnownOrigins({ pool, clock })
  const after = (ms: number): Date => new Date(clock.now() + ms)

  const findCredential = async (email: string): Promise<CredentialRow | undefined> => {
    const { rows } = await pool.query<CredentialRow>(
      `select ${IDENTITY_COLUMNS}, identity.password_hash from watchroom_identity.identities as identity
       where lower(identity.traits ->> 'email') = $1`,
      [email.trim().toLowerCase()],
    )
    return rows[0]
  }

  /** Valid ones only. */
  const findSessions = async (by: 'token_hash' | 'identity_id', value: Buffer | string): Promise<SessionRow[]> => {
    const { rows } = await pool.query<SessionRow>(
      `select ${IDENTITY_COLUMNS}, session.id as session_id, session.issued_at, session.authenticated_at, session.expires_at,
         session.last_used_at, session.address, session.user_agent, session.authentication_methods
       from watchroom_identity.identities as identity
       join watchroom_identity.sessions as session on session.identity_id = identity.id
       where session.${by} = $1 and session.active and session.expires_at > $2 and session.last_used_at > $3
         and identity.state = 'active'
       order by session.issued_at desc`,
      [value, after(0), after(-idleMs)],
    )
    return rows
  }

  /** Of several lookups at once one writes, the others find it done. */
  const touch = async (sessionId: string): Promise<void> => {
    await pool.query('update watchroom_identity.sessions set last_used_at = $2 where id = $1 and last_used_at <= $3', [
      sessionId,
      after(0),
      after(-TOUCH_INTERVAL_MS),
    ])
  }

  const purge = async (): Promise<void> => {
    const now = after(0)
    try {
      await pool.query('delete from watchroom_identity.sessions where expires_at < $1 or last_used_at < $2', [
        now,
        after(-idleMs),
      ])
      await pool.query('delete from watchroom_identity.flows where expires_at < $1', [after(-FLOW_MEMORY_MS)])
      await pool.query('delete from watchroom_identity.sign_in_links where expires_at < $1', [now])
      await origins.purge()
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
  origins.load().catch((error: unknown) => {
    // Until the next purge nobody is known: guessing may slow people down who were here before.
    logger.warn({ err: error }, 'known devices not read')
  })

  return {
    createPerson: async (person) => {
      const passwordHash = person.password === undefined ? null : await hashPassword(person.password)
      const traits: IdentityTraits = {
        email: person.email,
        name: { first: person.firstName, last: person.lastName },
      }
      return inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ id: string }>(
          'insert into watchroom_identity.identities (traits, password_hash) values ($1, $2) returning id',
          [JSON.stringify(traits), passwordHash],
        )
        const { id } = onlyRow(rows)
        await replaceRoles(client, id, person.roles)
        return id
      })
    },

    findByEmail: async (email) => {
      const row = await findCredential(email)
      return row ? toIdentity(row) : null
    },

    hasIdentities: async () => {
      const { rows } = await pool.query<{ exists: boolean }>(
        'select exists (select from watchroom_identity.identities)',
      )
      return onlyRow(rows).exists
    },

    setPassword: async (id, password) => {
      await pool.query('update watchroom_identity.identities set password_hash = $2 where id = $1', [
        id,
        await hashPassword(password),
      ])
    },

    setState: async (id, state) => {
      // A trigger ends the sessions of whoever is switched off.
      const { rowCount } = await pool.query('update watchroom_identity.identities set state = $2 where id = $1', [
        id,
        state,
      ])
      return rowCount === 1
    },

    setRoles: (id, roles) => inTransaction(pool, (client) => replaceRoles(client, id, roles)),

    roleNames: async (id) => {
      const { rows } = await pool.query<{ roles: string[] }>('select roles from people_roles where id = $1', [id])
      return rows[0]?.roles ?? []
    },

    checkPassword: async (identifier, password, origin) => {
      const isKnownDevice = origins.knowsDevice(identifier, origin.device)
      const isKnown = isKnownDevice || origins.knowsAddress(identifier, origin.address)
      const attempt = limiter.begin({
        identifier,
        address: origin.address,
        // Somebody else at the same address must not spend the mistakes of a device that is known.
        origin: isKnownDevice ? origin.device : origin.address,
        isKnown,
      })
      if (!attempt.ok) return { kind: 'wait', waitMs: attempt.waitMs }
      let outcome: AttemptOutcome = 'dropped'
      try {
        const checking = hashing.run(async () => {
          const row = await findCredential(identifier)
          return (await verifyPassword(row?.password_hash ?? null, password)) ? row : undefined
        }, isKnown)
        if (!checking) return { kind: 'wait', waitMs: FULL_LINE_WAIT_MS }
        const row = await checking
        outcome = row ? 'right' : 'wrong'
        if (!row) return { kind: 'wrong' }
        if (row.state !== 'active') return { kind: 'inactive' }
        await origins.remember(row.id, identifier, origin)
        return { kind: 'right', identity: toIdentity(row) }
      } finally {
        attempt.settle(outcome)
      }
    },

    hasPassword: async (identifier, password) => {
      const row = await findCredential(identifier)
      return verifyPassword(row?.password_hash ?? null, password)
    },

    createSession: async (identity, method, device) => {
      const token = newToken()
      const now = after(0)
      const expiresAt = after(SESSION_LIFETIME_MS)
      const { rows } = await pool.query<{ id: string }>(
        `insert into watchroom_identity.sessions (token_hash, identity_id, issued_at, authenticated_at, expires_at, last_used_at,
           address, user_agent, authentication_methods)
         values ($1, $2, $3, $3, $4, $3, $5, $6, $7) returning id`,
        [
          hashToken(token),
          identity.id,
          now,
          expiresAt,
          device.address,
          device.userAgent,
          JSON.stringify([{ method, aal: 'aal1', completed_at: now }]),
        ],
      )
      const { id } = onlyRow(rows)
      await pool.query('update people set last_login = $2 where id = $1', [identity.id, now])
      return { token, session: { id, issuedAt: now, authenticatedAt: now, expiresAt, method, device, identity } }
    },

    findSession: async (token) => {
      const [row] = await findSessions('token_hash', hashToken(token))
      if (!row) return null
      if (row.last_used_at.getTime() <= clock.now() - TOUCH_INTERVAL_MS) await touch(row.session_id)
      return toActiveSession(row)
    },

    listSessions: async (identityId) => (await findSessions('identity_id', identityId)).map(toActiveSession),

    endSession: async (token) => {
      await pool.query('delete from watchroom_identity.sessions where token_hash = $1', [hashToken(token)])
    },

    endSessions: async (identityId, which) => {
      const only = which && 'only' in which ? which.only : null
      const except = which && 'except' in which ? which.except : null
      const { rowCount } = await pool.query(
        `delete from watchroom_identity.sessions where identity_id = $1 and expires_at > $2 and last_used_at > $3
           and ($4::uuid is null or id = $4) and ($5::uuid is null or id <> $5)`,
        [identityId, after(0), after(-idleMs), only, except],
      )
      return rowCount ?? 0
    },

    createSignInLink: async (id) => {
      const token = newToken()
      await pool.query(
        'insert into watchroom_identity.sign_in_links (token_hash, identity_id, expires_at) values ($1, $2, $3)',
        [hashToken(token), id, after(SIGN_IN_LINK_LIFETIME_MS)],
      )
      return token
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

    close: () => cancelPurge(),
  }
}

const IDENTITY_COLUMNS = `identity.id, identity.traits, identity.state, identity.created_at, identity.updated_at,
  identity.state_changed_at, md5(identity.password_hash) as password_version`

interface IdentityTraits {
  email: string
  name?: { first?: string; last?: string }
}

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

interface CredentialRow extends IdentityRow {
  password_hash: string | null
}

interface SessionRow extends IdentityRow {
  session_id: string
  last_used_at: Date
  issued_at: Date
  authenticated_at: Date
  expires_at: Date
  address: string | null
  user_agent: string | null
  authentication_methods: unknown[]
}

function toActiveSession(row: SessionRow): ActiveSession {
  const [first] = row.authentication_methods as { method?: SignInMethod }[]
  return {
    id: row.session_id,
    issuedAt: row.issued_at,
    authenticatedAt: row.authenticated_at,
    expiresAt: row.expires_at,
    method: first?.method ?? 'password',
    device: { address: row.address, userAgent: row.user_agent },
    identity: toIdentity(row),
  }
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

async function replaceRoles(client: ClientBase, id: string, roles: readonly Role[]): Promise<void> {
  await client.query(`delete from casbin_rule where ptype = 'g' and v0 = $1`, [id])
  await client.query(`insert into casbin_rule (ptype, v0, v1) select 'g', $1, unnest($2::text[])`, [id, roles])
}
