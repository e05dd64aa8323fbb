// Remembers for a few seconds who each credential belongs to, and notices when the answer changes.
import { can, highestRole } from '@watchroom/shared/access'
import { type Clock, createRateLimits, NIL_UUID } from '@watchroom/shared/kernel'

import { addressBlock } from '../platform/addressBlock.ts'
import { ACTS_AS_HEADER, type BackendCaller } from '../platform/backendCaller.ts'
import { createLane } from '../platform/createLane.ts'
import type { BackendClient } from '../platform/httpClient.ts'
import type { Logger } from '../platform/logger.ts'
import { authenticate } from './authenticate.ts'
import type { Access, AccessChange, Identity } from './contract.ts'
import { type Credential, readCredential } from './credential.ts'
import { rateLimited } from './errors.ts'

/** A page opens with a burst of calls; a role that was taken away may work on for this long, as the specification allows. */
const MAX_AGE_MS = 5_000
/** Our own backend tells what changes; while it cannot, nothing older than this counts. */
const MAX_AGE_UNTOLD_MS = 1_000
/** A clock that is ahead of the backend's must not make every call a lookup. */
const MIN_AGE_MS = 1_000
/** People who are signed in: about 3 MB. */
const MAX_CREDENTIALS = 10_000
/** Credentials that belong to nobody have a place of their own: made-up ones push out each other, never people. */
const MAX_STRANGERS = 2_000

/**
 * Lookups of credentials that nobody knows yet, at once and in line. A session costs the backend an index lookup, a password
 * 30 ms of a core.
 */
const LANES = {
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

/** Without sessions everybody is one person who may do everything except see accounts and secrets. */
export const EVERYBODY: Identity = Object.freeze({
  userId: NIL_UUID,
  name: 'Everybody',
  email: '',
  roles: ['editor'] as const,
})

/** The gateway's own credential, acting in the database as no more than what it shows. */
const EVERYBODY_AS_CALLER: BackendCaller = Object.freeze({
  key: 'everybody',
  headers: { [ACTS_AS_HEADER]: highestRole(EVERYBODY.roles) },
  credential: 'service',
})

interface Known {
  /** Last answer; undefined until the first. */
  identity?: Identity | null
  /** Monotonic time of the question that `identity` answers; -Infinity when it must be asked anew. */
  askedAt: number
  /** Monotonic time at which the session ends by itself. */
  endsAt: number
  /** The lookup under way, shared by everybody who asks meanwhile. */
  pending?: Promise<Identity | null>
}

const UNKNOWN = { askedAt: -Infinity, endsAt: Infinity } as const

export interface AccessDeps {
  readonly backend: BackendClient
  readonly clock: Clock
  readonly logger: Logger
  readonly mode: 'session' | 'none'
  /** Whether our own backend tells what changes. Absent in front of a foreign one. */
  readonly isAnnounced?: () => boolean
}

export function createAccess(deps: AccessDeps): Access {
  const { backend, clock, logger } = deps
  /** People, by credential, least recently used first. */
  const known = new Map<string, Known>()
  /** Credentials that belong to nobody, or of which nobody has said yet whose they are; oldest first. */
  const strangers = new Map<string, Known>()
  const lanes = { session: createLane(LANES.session), basic: createLane(LANES.basic) }
  const buckets = {
    session: createRateLimits(clock, PER_ADDRESS.session),
    basic: createRateLimits(clock, PER_ADDRESS.basic),
  }
  const listeners = new Set<(change: AccessChange) => void>()

  const announce = (change: AccessChange): void => {
    for (const listener of listeners) listener(change)
  }

  const isAnnounced = (): boolean => deps.isAnnounced?.() ?? false

  const maxAgeMs = (): number => (deps.isAnnounced && !deps.isAnnounced() ? MAX_AGE_UNTOLD_MS : MAX_AGE_MS)

  const isFresh = (entry: Known, ageMs: number): boolean => {
    const now = clock.monotonic()
    return entry.identity !== undefined && now - entry.askedAt < ageMs && now < entry.endsAt
  }

  const lookUp = async (credential: Credential, entry: Known, address?: string): Promise<Identity | null> => {
    const askedAt = clock.monotonic()
    try {
      const answer = await authenticate(backend, credential, address)
      const before = entry.identity
      entry.identity = answer.identity
      entry.askedAt = answer.identity || answer.final ? askedAt : -Infinity
      entry.endsAt = toMonotonicEnd(answer.identity)
      move(credential.key, entry)
      if (before && !isSameRight(before, answer.identity)) {
        logger.info({ userId: before.userId, roles: answer.identity?.roles ?? [] }, 'rights changed')
        announce({ userId: before.userId })
      }
      return answer.identity
    } finally {
      delete entry.pending
    }
  }

  const toMonotonicEnd = (identity: Identity | null): number => {
    if (identity?.endsAt === undefined) return Infinity
    return clock.monotonic() + Math.max(MIN_AGE_MS, identity.endsAt - clock.now())
  }

  /** To where it belongs now, unless the entry was replaced while it was looked up. */
  const move = (key: string, entry: Known): void => {
    const [from, to] = entry.identity ? [strangers, known] : [known, strangers]
    if (from.get(key) !== entry) return
    from.delete(key)
    to.set(key, entry)
    evict(known, MAX_CREDENTIALS)
    evict(strangers, MAX_STRANGERS)
  }

  /** Bounded, whoever asks: nobody knows yet whether there is a person behind it. */
  const lookUpStranger = async (
    credential: Credential,
    entry: Known,
    address: string | undefined,
  ): Promise<Identity | null> => {
    const supply = buckets[credential.kind]
    const name = address === undefined ? null : addressBlock(address)
    const waitMs = name === null ? 0 : supply.waitMs(name)
    if (waitMs > 0) throw rateLimited(waitMs)
    const lookup = lanes[credential.kind].run(() => lookUp(credential, entry, address), false)
    if (!lookup) throw rateLimited(FULL_LINE_WAIT_MS)
    if (name === null) return lookup
    supply.take(name)
    let isStranger = false
    try {
      const identity = await lookup
      isStranger = identity === null
      return identity
    } finally {
      if (!isStranger) supply.giveBack(name)
    }
  }

  const find = (key: string): { entry: Known; isKnown: boolean } => {
    const person = known.get(key)
    if (person) {
      // Used last, kept longest.
      known.delete(key)
      known.set(key, person)
      return { entry: person, isKnown: true }
    }
    const stranger = strangers.get(key) ?? { ...UNKNOWN }
    strangers.set(key, stranger)
    evict(strangers, MAX_STRANGERS)
    return { entry: stranger, isKnown: false }
  }

  const invalidate = (change: AccessChange): void => {
    for (const [key, { identity }] of known) {
      if (change !== 'all' && identity?.userId !== change.userId) continue
      // A new entry, so that a lookup under way, which may have read the old rights, cannot fill it.
      known.set(key, { identity: identity ?? null, ...UNKNOWN })
    }
    // Whoever was refused may be let in now, and one that is being looked up may be anybody's.
    strangers.clear()
    announce(change)
  }

  return {
    identify: async (headers, options = {}) => {
      if (deps.mode === 'none') return EVERYBODY
      const credential = readCredential(headers)
      if (!credential) return null
      const { entry, isKnown } = find(credential.key)
      if (isFresh(entry, Math.min(options.maxAgeMs ?? MAX_AGE_MS, maxAgeMs()))) return entry.identity ?? null
      entry.pending ??= isKnown
        ? lookUp(credential, entry, options.address)
        : lookUpStranger(credential, entry, options.address).finally(() => delete entry.pending)
      return entry.pending
    },

    isAnnounced,

    can: (identity, action, resource) => can(identity.roles, action, resource),

    callerOf: (headers) => {
      if (deps.mode === 'none') return EVERYBODY_AS_CALLER
      const credential = readCredential(headers)
      return credential && { key: credential.key, headers: credential.headers, credential: 'caller' }
    },

    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    invalidate,

    forget: (headers) => {
      const credential = readCredential(headers)
      if (!credential) return
      const entry = known.get(credential.key)
      known.delete(credential.key)
      strangers.delete(credential.key)
      if (entry?.identity) invalidate({ userId: entry.identity.userId })
    },
  }
}

function evict(entries: Map<string, Known>, max: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= max) return
    entries.delete(key)
  }
}

const isSameRight = (before: Identity, after: Identity | null): boolean =>
  after !== null &&
  after.userId === before.userId &&
  after.roles.length === before.roles.length &&
  after.roles.every((role) => before.roles.includes(role))
