// Who is signed in: sessions, what was proved in them, and when they end.
import type { Clock } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'
import { z } from 'zod'

import { onlyRow } from '../../../platform/database/onlyRow.ts'
import { type Identity, IDENTITY_COLUMNS, type IdentityRow, toIdentity } from '../identity.ts'
import { hashToken, newToken } from '../secrets.ts'

/** Session lifespan of the product's identity service (backend reference 3.2). */
export const SESSION_LIFETIME_MS = 336 * 3_600_000
/** A session that nobody used for this long has ended: a long weekend. A page that stays open uses its session. */
const SESSION_IDLE_MS = 72 * 3_600_000
/** Uses are written down this often; a session may live this much longer than its idle end says. */
const TOUCH_INTERVAL_MS = 60_000
/** For so long after someone proved who they are they may change how they do that (backend reference 3.2). */
const PRIVILEGED_MS = 15 * 60_000

const ProofSchema = z.object({
  method: z.string().catch('password'),
  aal: z.enum(['aal1', 'aal2']).catch('aal1'),
  completed_at: z.coerce.date().catch(new Date(0)),
})
/** How a person proved who they are, once. */
export interface SessionProof {
  readonly method: string
  readonly aal: 'aal1' | 'aal2'
  readonly completedAt: Date
}

/** A valid session and its owner, as they are in the database now. */
export interface ActiveSession {
  readonly id: string
  readonly issuedAt: Date
  readonly authenticatedAt: Date
  readonly expiresAt: Date
  /** Oldest first. */
  readonly proofs: readonly SessionProof[]
  readonly aal: 'aal1' | 'aal2'
  readonly device: SessionDevice
  readonly identity: Identity
}

/** Where a session was opened, so that its owner recognises it. */
export interface SessionDevice {
  readonly address: string | null
  readonly userAgent: string | null
}

/** Whether a session opens anything: its owner has no second factor, or gave it. */
export const isComplete = ({ aal, identity }: ActiveSession): boolean => aal === 'aal2' || !identity.hasSecondFactor

export interface Sessions {
  createSession(
    identity: Identity,
    proofs: readonly Omit<SessionProof, 'completedAt'>[],
    device: SessionDevice,
    /** Proofs of the session that this one replaces. */
    inherited?: readonly SessionProof[],
  ): Promise<{ token: string; session: ActiveSession }>
  /** Something more was proved in this session. */
  addProof(sessionId: string, proof: Omit<SessionProof, 'completedAt'>): Promise<void>
  /** The valid and complete session behind a token. Counts as use of it. */
  findSession(token: string): Promise<ActiveSession | null>
  /** Also one whose second factor is missing: for the identity service itself, which asks for it. */
  findAnySession(token: string): Promise<ActiveSession | null>
  /** Whether the person proved who they are a short while ago. */
  isPrivileged(session: ActiveSession): boolean
  /** Valid sessions of a person, newest first. */
  listSessions(identityId: string): Promise<ActiveSession[]>
  endSession(token: string): Promise<void>
  /** @returns how many of the person's valid sessions ended: all, or one, or all but one */
  endSessions(identityId: string, which?: { readonly only: string } | { readonly except: string }): Promise<number>
}

/** With their owners. Asked with every call of a person, so planned once a connection. */
const findBy = (column: string): { readonly name: string; readonly text: string } => ({
  name: `sessions by ${column}`,
  text: `select ${IDENTITY_COLUMNS}, session.id as session_id, session.issued_at, session.authenticated_at, session.expires_at,
     session.last_used_at, session.address, session.user_agent, session.authentication_methods
   from watchroom_identity.identities as identity
   join watchroom_identity.sessions as session on session.identity_id = identity.id
   where session.${column} = $1 and session.active and session.expires_at > $2 and session.last_used_at > $3
     and identity.state = 'active'
   order by session.issued_at desc`,
})
const FIND_BY = { token_hash: findBy('token_hash'), identity_id: findBy('identity_id') }

interface Deps {
  pool: Pool
  clock: Clock
  /** SESSION_IDLE_MS unless an operator says otherwise. */
  sessionIdleMs?: number | undefined
}

export function createSessions({ pool, clock, sessionIdleMs }: Deps): Sessions & { purgeSessions(): Promise<void> } {
  const idleMs = sessionIdleMs ?? SESSION_IDLE_MS
  const after = (ms: number): Date => new Date(clock.now() + ms)

  /** Valid ones only. */
  const findSessions = async (by: keyof typeof FIND_BY, value: Buffer | string): Promise<SessionRow[]> => {
    const { rows } = await pool.query<SessionRow>({ ...FIND_BY[by], values: [value, after(0), after(-idleMs)] })
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

  const findAnySession = async (token: string): Promise<ActiveSession | null> => {
    const [row] = await findSessions('token_hash', hashToken(token))
    if (!row) return null
    if (row.last_used_at.getTime() <= clock.now() - TOUCH_INTERVAL_MS) await touch(row.session_id)
    return toActiveSession(row)
  }

  return {
    createSession: async (identity, given, device, inherited = []) => {
      const token = newToken()
      const now = after(0)
      const expiresAt = after(SESSION_LIFETIME_MS)
      const names = new Set(given.map(({ method }) => method))
      const proofs = [
        ...inherited.filter(({ method }) => !names.has(method)),
        ...given.map((proof) => ({ ...proof, completedAt: now })),
      ]
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
          JSON.stringify(proofs.map(({ method, aal, completedAt }) => ({ method, aal, completed_at: completedAt }))),
        ],
      )
      const { id } = onlyRow(rows)
      await pool.query('update people set last_login = $2 where id = $1', [identity.id, now])
      const aal = aalOf(proofs)
      return { token, session: { id, issuedAt: now, authenticatedAt: now, expiresAt, proofs, aal, device, identity } }
    },

    addProof: async (sessionId, proof) => {
      await pool.query(
        `update watchroom_identity.sessions set authentication_methods = authentication_methods || $2::jsonb where id = $1`,
        [sessionId, JSON.stringify([{ ...proof, completed_at: after(0) }])],
      )
    },

    findAnySession,
    findSession: async (token) => {
      const session = await findAnySession(token)
      return session && isComplete(session) ? session : null
    },

    isPrivileged: ({ authenticatedAt }) => clock.now() - authenticatedAt.getTime() < PRIVILEGED_MS,

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

    purgeSessions: async () => {
      await pool.query('delete from watchroom_identity.sessions where expires_at < $1 or last_used_at < $2', [
        after(0),
        after(-idleMs),
      ])
    },
  }
}

interface SessionRow extends IdentityRow {
  session_id: string
  last_used_at: Date
  issued_at: Date
  authenticated_at: Date
  expires_at: Date
  address: string | null
  user_agent: string | null
  authentication_methods: unknown
}

const aalOf = (proofs: readonly Pick<SessionProof, 'aal'>[]): 'aal1' | 'aal2' =>
  proofs.some(({ aal }) => aal === 'aal2') ? 'aal2' : 'aal1'

function toActiveSession(row: SessionRow): ActiveSession {
  const proofs = z.array(ProofSchema).catch([]).parse(row.authentication_methods)
  return {
    id: row.session_id,
    issuedAt: row.issued_at,
    authenticatedAt: row.authenticated_at,
    expiresAt: row.expires_at,
    proofs: proofs.map(({ method, aal, completed_at: completedAt }) => ({ method, aal, completedAt })),
    aal: aalOf(proofs),
    device: { address: row.address, userAgent: row.user_agent },
    identity: toIdentity(row),
  }
}
