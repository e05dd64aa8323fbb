// From where an account was signed in to before: devices by the token in their cookie, and network addresses. In memory too, so
// that an attempt that is refused costs no question to the database.
import { createHash } from 'node:crypto'

import type { Clock } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

/** Where an attempt to sign in comes from. */
export interface Origin {
  /** Network address, as `addressBlock` gives it. */
  readonly address: string
  /** Token of the browser's device cookie; '' without one. */
  readonly device: string
}

export interface KnownOrigins {
  /** Reads what the database knows. */
  load(): Promise<void>
  knowsDevice(identifier: string, device: string): boolean
  knowsAddress(identifier: string, address: string): boolean
  /** The account was signed in to from here. */
  remember(identityId: string, identifier: string, origin: Origin): Promise<void>
  /** Forgets origins that were not seen for long, and the oldest ones of people who have too many. */
  purge(): Promise<void>
}

/** Of one account; a person has a few browsers and a few places. */
const MAX_PER_ACCOUNT = 50
const FORGET_MS = 180 * 86_400_000
/** Seen again within this time is not worth a write. */
const REFRESH_MS = 86_400_000

export function createKnownOrigins({ pool, clock }: { pool: Pool; clock: Clock }): KnownOrigins {
  /** Key to the time it was last seen, in milliseconds. */
  let known = new Map<string, number>()

  const knows = (key: Buffer): boolean => known.has(key.toString('base64'))

  const load = async (): Promise<void> => {
    const { rows } = await pool.query<{ key: Buffer; last_seen_at: Date }>(
      'select key, last_seen_at from watchroom_identity.known_origins',
    )
    known = new Map(rows.map((row) => [row.key.toString('base64'), row.last_seen_at.getTime()]))
  }

  return {
    load,
    knowsDevice: (identifier, device) => device !== '' && knows(keyOf('device', identifier, device)),
    knowsAddress: (identifier, address) => knows(keyOf('address', identifier, address)),

    remember: async (identityId, identifier, { address, device }) => {
      const now = clock.now()
      const keys = [keyOf('address', identifier, address)]
      if (device !== '') keys.push(keyOf('device', identifier, device))
      for (const key of keys) {
        const name = key.toString('base64')
        if (now - (known.get(name) ?? 0) < REFRESH_MS) continue
        known.set(name, now)
        await pool.query(
          `insert into watchroom_identity.known_origins (key, identity_id, last_seen_at) values ($1, $2, $3)
           on conflict (key) do update set last_seen_at = excluded.last_seen_at`,
          [key, identityId, new Date(now)],
        )
      }
    },

    purge: async () => {
      await pool.query('delete from watchroom_identity.known_origins where last_seen_at < $1', [
        new Date(clock.now() - FORGET_MS),
      ])
      await pool.query(
        `delete from watchroom_identity.known_origins where key in (
           select key from (
             select key, row_number() over (partition by identity_id order by last_seen_at desc) as place
             from watchroom_identity.known_origins
           ) as ranked where place > $1)`,
        [MAX_PER_ACCOUNT],
      )
      await load()
    },
  }
}

const keyOf = (kind: 'device' | 'address', identifier: string, value: string): Buffer =>
  createHash('sha256').update(`${kind}\n${identifier.trim().toLowerCase()}\n${value}`).digest()
