// Passwords: checked, changed and hashed a few at a time, and guessing slowed down.
import type { Clock } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

import { createBoundedQueue } from '../../../platform/createBoundedQueue.ts'
import { type AttemptOutcome, createAttemptLimiter } from '../createAttemptLimiter.ts'
import type { KnownOrigins, Origin } from '../createKnownOrigins.ts'
import { type Identity, IDENTITY_COLUMNS, type IdentityRow, toIdentity } from '../identity.ts'
import { normalEmail } from '../people/createPeople.ts'
import { hashPassword, verifyPassword } from '../secrets.ts'

/** Each takes 19 MiB and 30 ms of a core: two leave the machine to others. */
const HASHES_AT_ONCE = 2
/** In line for a quarter of a second. */
const MAX_WAITING_HASHES = 16
/** After which a line that was full has moved on. */
export const FULL_LINE_WAIT_MS = 1_000

export type PasswordCheck =
  | { readonly kind: 'right'; readonly identity: Identity }
  | { readonly kind: 'wrong' }
  /** The password was right, but an administrator has switched the account off. */
  | { readonly kind: 'inactive' }
  | { readonly kind: 'wait'; readonly waitMs: number }

export interface Passwords {
  /** Slows down guessing, wherever it comes from; `wait` tells when to come back. Never reveals whether the account exists. */
  checkPassword(identifier: string, password: string, origin: Origin): Promise<PasswordCheck>
  /** Whether this is the person's password, asked by the program itself: nothing is counted or slowed down. */
  hasPassword(identifier: string, password: string): Promise<boolean>
  setPassword(id: string, password: string): Promise<void>
  /** Of a password that someone chose. Null when too many are being hashed. */
  hashChosen(password: string): Promise<string> | null
  /** As `hashChosen` made it. */
  setPasswordHash(id: string, hash: string): Promise<void>
}

interface Deps {
  pool: Pool
  clock: Clock
  origins: KnownOrigins
}

export function createPasswords({ pool, clock, origins }: Deps): Passwords {
  const limiter = createAttemptLimiter(clock)
  const hashing = createBoundedQueue({ parallel: HASHES_AT_ONCE, maxWaiting: MAX_WAITING_HASHES })

  const findCredential = async (email: string): Promise<CredentialRow | undefined> => {
    const { rows } = await pool.query<CredentialRow>(
      `select ${IDENTITY_COLUMNS}, identity.password_hash from watchroom_identity.identities as identity
       where lower(identity.traits ->> 'email') = $1`,
      [normalEmail(email)],
    )
    return rows[0]
  }

  const setPasswordHash = async (id: string, hash: string): Promise<void> => {
    await pool.query('update watchroom_identity.identities set password_hash = $2 where id = $1', [id, hash])
  }

  return {
    checkPassword: async (identifier, password, origin) => {
      const isKnownDevice = origins.knowsDevice(identifier, origin.device)
      const isKnown = isKnownDevice || origins.knowsAddress(identifier, origin.address)
      const attempt = limiter.begin({
        identifier,
        address: origin.address,
        // Someone else at the same address must not spend the mistakes of a device that is known.
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

    setPassword: async (id, password) => setPasswordHash(id, await hashPassword(password)),
    hashChosen: (password) => hashing.run(() => hashPassword(password), false),
    setPasswordHash,
  }
}

interface CredentialRow extends IdentityRow {
  password_hash: string | null
}
