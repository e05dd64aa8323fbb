// Sessions of people who signed in with the provider, kept in the gateway's database, so that any gateway can serve anyone. Reads are
// cached for a second, tokens are refreshed once however many ask, and listeners hear when a session has ended.
import { type Clock, createLoop, keepNewest } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

import { createBoundedQueue } from '../platform/createBoundedQueue.ts'
import { inTransaction } from '../platform/database/inTransaction.ts'
import { CodedError } from '../platform/errors.ts'
import type { Logger } from '../platform/logger.ts'
import type { HostedSession } from './contract.ts'
import type { Provider, Tokens } from './createProvider.ts'
import { hostedErrors } from './errors.ts'
import { createSessionRows, type NewSession, type ProviderWord, type SessionRow, toSessionId } from './sessionRows.ts'

/** An ended session counts for this long at most, even if its end is not announced. */
const MAX_AGE_MS = 1_000
const MAX_KNOWN = 10_000
/** A session lasts no longer, however often it is refreshed. */
const LIFE_MS = 14 * 86_400_000
/** How long before its end a token is refreshed: requests under way with it must still arrive. */
const REFRESH_MARGIN_MS = 30_000
/** Between two notes that a session is used. */
const USE_NOTE_MS = 60_000
const PURGE_MS = 300_000
/** A refresh holds a connection of the database while the provider answers. */
const REFRESHES = { parallel: 4, maxWaiting: 2_000 }
/** Lookups of known sessions go before those of unknown ones. */
const LOOKUPS = { parallel: 8, maxWaiting: 2_000 }

interface Known {
  readonly secret: string
  /** Null when the session has ended, or was not read yet. */
  row: SessionRow | null
  /** Monotonic time of the question that `row` answers. */
  readAt: number
  /** Changes with each announcement that the session may have ended: reads begun before it do not count. */
  version: number
  pending?: Promise<boolean> | undefined
  refreshing?: Promise<void> | undefined
}

export interface HostedSessions {
  /** An organization is chosen where there is no choice. */
  create(tokens: Tokens): Promise<NewSession>
  /** Whose cookie it is, as of at most a second ago. @throws CodedError DATABASE_UNAVAILABLE */
  find(secret: string): Promise<HostedSession | null>
  /**
   * What the backend is shown, refreshed when it is about to end.
   *
   * @returns null when the session has ended
   * @throws CodedError HOSTED_PROVIDER_UNAVAILABLE, DATABASE_UNAVAILABLE
   */
  bearer(secret: string): Promise<string | null>
  /**
   * Goes over to another organization: under another secret, so that what still runs under the former one ends.
   *
   * @throws CodedError HOSTED_ORGANIZATION_REFUSED
   */
  choose(secret: string, organization: string): Promise<NewSession | null>
  /** @returns the tokens of the session that ended */
  end(secret: string): Promise<Tokens | null>
  endByProvider(which: ProviderWord): Promise<void>
  /** Takes a word of the provider for the first time. @returns false when it was taken before */
  takeOnce(word: string, expiresAt: number): Promise<boolean>
  /** A database says that the session of this id has ended. Null: any may have. */
  noteEnded(id: string | null): void
  /** Called with the secret of a session that ended, so that what still runs under it can be looked at. */
  onEnd(listener: (secret: string) => void): () => void
  close(): void
}

export interface HostedSessionsDeps {
  /** @throws CodedError DATABASE_UNAVAILABLE */
  readonly pool: () => Pool
  readonly provider: Pick<Provider, 'refresh'>
  readonly bearer: 'id_token' | 'access_token'
  /** A session that nobody used for this long has ended, in milliseconds. */
  readonly idleMs: number
  readonly clock: Clock
  readonly logger: Logger
}

export function createHostedSessions(deps: HostedSessionsDeps): HostedSessions {
  const { pool, clock, logger } = deps
  const rows = createSessionRows(deps)
  /** By id, least recently used first. */
  const known = new Map<string, Known>()
  const listeners = new Set<(secret: string) => void>()
  const refreshes = createBoundedQueue(REFRESHES)
  const lookups = createBoundedQueue(LOOKUPS)

  const purge = async (): Promise<void> => {
    try {
      await rows.purge(pool())
    } catch (error) {
      // They are refused anyway; the next round deletes them.
      logger.debug({ err: error }, 'ended sessions not deleted')
    }
  }
  const purges = createLoop(clock, purge, { everyMs: PURGE_MS })

  const enter = (secret: string): Known => {
    const id = toSessionId(secret)
    const entry = known.get(id) ?? { secret, row: null, readAt: -Infinity, version: 0 }
    known.delete(id)
    known.set(id, entry)
    keepNewest(known, MAX_KNOWN)
    return entry
  }

  /** @returns false when the session may have ended while it was read */
  const read = async (entry: Known): Promise<boolean> => {
    const askedAt = clock.monotonic()
    const { version } = entry
    const row = await rows.read(pool(), entry.secret)
    if (entry.version !== version) return false
    entry.row = row
    entry.readAt = askedAt
    // Made-up cookies displace no one.
    if (!row) known.delete(toSessionId(entry.secret))
    else if (clock.now() - row.usedAt >= USE_NOTE_MS) await rows.noteUse(pool(), entry.secret)
    return true
  }

  const ask = async (secret: string): Promise<Known> => {
    const entry = enter(secret)
    if (clock.monotonic() - entry.readAt < MAX_AGE_MS) return entry
    for (let isAnswered = false; !isAnswered;) {
      entry.pending ??= orBusy(lookups.run(() => read(entry), entry.row !== null)).finally(() => delete entry.pending)
      isAnswered = await entry.pending
    }
    return entry
  }

  const isEnding = ({ expiresAt }: Tokens): boolean => expiresAt - clock.now() < REFRESH_MARGIN_MS

  /** One gateway at a time, and one request of it: a refresh token is good for one use. */
  const refresh = async (entry: Known): Promise<void> => {
    const askedAt = clock.monotonic()
    const { version } = entry
    const row = await inTransaction(pool(), async (client) => {
      const row = await rows.read(client, entry.secret, 'for update')
      if (!row || !isEnding(row.tokens)) return row
      const tokens = await renew(row.tokens, deps)
      if (tokens) await rows.setTokens(client, entry.secret, tokens)
      else await rows.remove(client, entry.secret)
      return tokens && { ...row, tokens }
    })
    entry.row = row
    // Told meanwhile that it may have ended, the next one to ask reads it again.
    if (entry.version === version) entry.readAt = askedAt
  }

  const tellEnd = (secret: string): void => {
    for (const listener of listeners) listener(secret)
  }

  /** The cached row may be wrong: whoever runs under the session asks again. */
  const forget = (secret: string): void => {
    const entry = known.get(toSessionId(secret))
    if (entry) {
      entry.readAt = -Infinity
      entry.version += 1
    }
    tellEnd(secret)
  }

  return {
    create: (tokens) => {
      const { organizations } = tokens.person
      const only = organizations.length === 1 ? organizations[0] : undefined
      return rows.insert(pool(), tokens, only?.id ?? null, toEnd(tokens, clock.now()))
    },

    find: async (secret) => toSession(await ask(secret)),

    bearer: async (secret) => {
      const entry = await ask(secret)
      if (entry.row && isEnding(entry.row.tokens)) {
        const before = toSession(entry)?.organization
        entry.refreshing ??= orBusy(refreshes.run(() => refresh(entry), false)).finally(() => delete entry.refreshing)
        await entry.refreshing
        // The person may have left the organization meanwhile.
        if (before && before.id !== toSession(entry)?.organization?.id) tellEnd(secret)
      }
      const tokens = entry.row?.tokens
      if (!tokens) return null
      return deps.bearer === 'id_token' ? tokens.idToken : tokens.accessToken
    },

    choose: async (secret, organization) => {
      const next = await inTransaction(pool(), async (client) => {
        const row = await rows.read(client, secret, 'for update')
        if (!row) return null
        if (!row.tokens.person.organizations.some(({ id }) => id === organization)) {
          throw new CodedError(hostedErrors.HOSTED_ORGANIZATION_REFUSED)
        }
        await rows.remove(client, secret)
        return rows.insert(client, row.tokens, organization, row.expiresAt)
      })
      forget(secret)
      return next
    },

    end: async (secret) => {
      const tokens = await rows.remove(pool(), secret)
      forget(secret)
      return tokens
    },

    endByProvider: (which) => rows.removeOf(pool(), which),
    takeOnce: (word, expiresAt) => rows.takeOnce(pool(), word, expiresAt),

    noteEnded: (id) => {
      const ended = id === null ? [...known.values()] : [known.get(id)].filter((entry) => entry !== undefined)
      for (const { secret } of ended) forget(secret)
    },

    onEnd: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    close: () => purges.close(),
  }
}

/** Without a token to go on with, a session ends with the one that it has. */
const toEnd = ({ refreshToken, expiresAt }: Tokens, now: number): number =>
  refreshToken === undefined ? Math.min(expiresAt, now + LIFE_MS) : now + LIFE_MS

/** A provider that is away does not end what still holds. */
async function renew(
  tokens: Tokens,
  { provider, clock }: Pick<HostedSessionsDeps, 'provider' | 'clock'>,
): Promise<Tokens | null> {
  const holds = tokens.expiresAt > clock.now()
  if (tokens.refreshToken === undefined) return holds ? tokens : null
  try {
    return await provider.refresh(tokens)
  } catch (error) {
    if (holds) return tokens
    throw error
  }
}

/** @throws CodedError HOSTED_BUSY when the line was full */
function orBusy<Value>(work: Promise<Value> | null): Promise<Value> {
  return work ?? Promise.reject(new CodedError(hostedErrors.HOSTED_BUSY))
}

function toSession({ secret, row }: Known): HostedSession | null {
  if (!row) return null
  const { subject, name, email, organizations } = row.tokens.person
  return {
    id: toSessionId(secret),
    subject,
    name,
    email,
    organizations,
    organization: organizations.find(({ id }) => id === row.organization) ?? null,
    endsAt: row.expiresAt,
  }
}
