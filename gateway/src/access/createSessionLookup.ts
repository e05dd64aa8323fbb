// Finds who stands behind a credential: asks the backend, limits lookups of unknown credentials, and caches the answers.
import { type Clock, createRateLimits, keepNewest } from '@watchroom/shared/kernel'

import { addressBlock } from '../platform/addressBlock.ts'
import { createBoundedQueue } from '../platform/createBoundedQueue.ts'
import type { BackendClient } from '../platform/httpClient.ts'
import { authenticate, type Person } from './authenticate.ts'
import type { AccessChange } from './contract.ts'
import type { Credential } from './credential.ts'
import { rateLimited } from './errors.ts'
import { isShared, type Pending } from './pending.ts'

/** A clock that is ahead of the backend's must not make every call a lookup. */
const MIN_AGE_MS = 1_000
/** People who are signed in: about 3 MB. */
const MAX_CREDENTIALS = 10_000
/** Invalid credentials have a cache of their own: made-up ones displace each other, never people. */
const MAX_STRANGERS = 2_000

/**
 * Lookups of credentials that nobody knows yet, at once and in line. A session costs the backend an index lookup, a password
 * 30 ms of a core.
 */
const QUEUES = {
  session: { parallel: 32, maxWaiting: 512 },
  basic: { parallel: 8, maxWaiting: 64 },
} as const
/**
 * The same for one address, over time. Only those that belong to nobody cost, so that a team behind one address may arrive
 * together after a restart.
 */
const PER_ADDRESS = {
  session: { burst: 300, perSecond: 20 },
  basic: { burst: 30, perSecond: 1 },
} as const
/** When to come back after a full line. */
const FULL_LINE_WAIT_MS = 1_000

interface Known {
  /** Last answer; undefined until the first. */
  person?: Person | null
  /** Monotonic time of the question that `person` answers; -Infinity when it must be asked anew. */
  askedAt: number
  /** Monotonic time of the newest question that was answered, whatever the answer: another may be answered after it. */
  newestAt: number
  /** Monotonic time at which the session ends by itself. */
  endsAt: number
  /** The lookup under way, shared by those who ask meanwhile. */
  pending?: Pending<Person | null>
}

interface Found {
  readonly entry: Known
  /** Whether a person was behind it when someone asked last. */
  readonly isKnown: boolean
}

const UNKNOWN = { askedAt: -Infinity, newestAt: -Infinity, endsAt: Infinity } as const

/** How old an answer may be. */
export interface Age {
  readonly maxMs: number
  /** One that is older than this is given, and asked for again meanwhile. */
  readonly renewMs: number
}

export interface SessionLookup {
  /**
   * Whose session it is, and never beyond the session's own end.
   *
   * @throws BackendFailure, ZodError; CodedError ACCESS_RATE_LIMITED
   */
  personOf(credential: Credential, age: Age, address?: string): Promise<Person | null>
  /** Whoever was behind the credential, however long ago: to guess by, not to act by. */
  lastKnown(credential: Credential): Person | null
  /** Sessions may have ended, and others may be valid now. */
  invalidate(change: AccessChange): void
  /** @returns who was behind the credential */
  forget(credential: Credential): Person | null
}

export interface SessionLookupDeps {
  readonly backend: BackendClient
  readonly clock: Clock
  /** A session that was valid is not, or it is another person's. */
  readonly onEnd: (userId: string) => void
}

export function createSessionLookup({ backend, clock, onEnd }: SessionLookupDeps): SessionLookup {
  /** People, by credential, least recently used first. */
  const known = new Map<string, Known>()
  /** Credentials that belong to nobody, or of which nobody has said yet whose they are; oldest first. */
  const strangers = new Map<string, Known>()
  const queues = { session: createBoundedQueue(QUEUES.session), basic: createBoundedQueue(QUEUES.basic) }
  const buckets = {
    session: createRateLimits(clock, PER_ADDRESS.session),
    basic: createRateLimits(clock, PER_ADDRESS.basic),
  }

  const isFresh = (entry: Known, ageMs: number): boolean => {
    const now = clock.monotonic()
    return entry.person !== undefined && now - entry.askedAt < ageMs && now < entry.endsAt
  }

  const lookUp = async (credential: Credential, entry: Known, address?: string): Promise<Person | null> => {
    const askedAt = clock.monotonic()
    const answer = await authenticate(backend, credential, address)
    if (askedAt < entry.newestAt) return answer.person
    entry.newestAt = askedAt
    const before = entry.person
    entry.person = answer.person
    entry.askedAt = answer.person || answer.final ? askedAt : -Infinity
    entry.endsAt = toMonotonicEnd(answer.person)
    move(credential.key, entry)
    if (before && before.userId !== answer.person?.userId) onEnd(before.userId)
    return answer.person
  }

  const toMonotonicEnd = (person: Person | null): number => {
    if (person?.endsAt === undefined) return Infinity
    return clock.monotonic() + Math.max(MIN_AGE_MS, person.endsAt - clock.now())
  }

  /** To where it belongs now, unless the entry was replaced while it was looked up. */
  const move = (key: string, entry: Known): void => {
    const [from, to] = entry.person ? [strangers, known] : [known, strangers]
    if (from.get(key) !== entry) return
    from.delete(key)
    to.set(key, entry)
    keepNewest(known, MAX_CREDENTIALS)
    keepNewest(strangers, MAX_STRANGERS)
  }

  /** Bounded, whoever asks: nobody knows yet whether there is a person behind it. */
  const lookUpStranger = async (
    credential: Credential,
    entry: Known,
    address: string | undefined,
  ): Promise<Person | null> => {
    const supply = buckets[credential.kind]
    const name = address === undefined ? null : addressBlock(address)
    const waitMs = name === null ? 0 : supply.waitMs(name)
    if (waitMs > 0) throw rateLimited(waitMs)
    const lookup = queues[credential.kind].run(() => lookUp(credential, entry, address), false)
    if (!lookup) throw rateLimited(FULL_LINE_WAIT_MS)
    if (name === null) return lookup
    supply.take(name)
    let isStranger = false
    try {
      const person = await lookup
      isStranger = person === null
      return person
    } finally {
      if (!isStranger) supply.giveBack(name)
    }
  }

  /** Asks, once for those who come meanwhile. */
  const ask = (credential: Credential, { entry, isKnown }: Found, address?: string): Promise<Person | null> => {
    const look = isKnown ? lookUp : lookUpStranger
    const answer = look(credential, entry, address).finally(() => {
      if (entry.pending === pending) delete entry.pending
    })
    const pending = { askedAt: clock.monotonic(), answer }
    entry.pending = pending
    return answer
  }

  const find = (key: string): Found => {
    const person = known.get(key)
    if (person) {
      // Used last, kept longest.
      known.delete(key)
      known.set(key, person)
      return { entry: person, isKnown: true }
    }
    const stranger = strangers.get(key) ?? { ...UNKNOWN }
    strangers.set(key, stranger)
    keepNewest(strangers, MAX_STRANGERS)
    return { entry: stranger, isKnown: false }
  }

  return {
    personOf: (credential, { maxMs, renewMs }, address) => {
      const found = find(credential.key)
      const { entry, isKnown } = found
      const now = clock.monotonic()
      if (!isFresh(entry, maxMs)) {
        const { pending } = entry
        return isShared(pending, now, maxMs) ? pending.answer : ask(credential, found, address)
      }
      // Strangers are not refreshed in the background. If this fails, the next caller after the answer has expired sees the error.
      if (isKnown && !entry.pending && now - entry.askedAt >= renewMs)
        ask(credential, found, address).catch(() => undefined)
      return Promise.resolve(entry.person ?? null)
    },
    lastKnown: ({ key }) => known.get(key)?.person ?? null,
    invalidate: (change) => {
      for (const [key, { person }] of known) {
        if (change !== 'all' && person?.userId !== change.userId) continue
        // A new entry, so that a lookup under way, which may have read the old rights, cannot fill it.
        known.set(key, { person: person ?? null, ...UNKNOWN })
      }
      // Whoever was refused may be let in now, and one that is being looked up may be anyone's.
      strangers.clear()
    },
    forget: ({ key }) => {
      const person = known.get(key)?.person ?? null
      known.delete(key)
      strangers.delete(key)
      return person
    },
  }
}
