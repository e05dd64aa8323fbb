// Remembers for a few seconds who each credential belongs to, and notices when the answer changes.
import { can } from '@watchroom/shared/access'
import { type Clock, NIL_UUID } from '@watchroom/shared/kernel'

import type { BackendClient } from '../platform/httpClient.ts'
import type { Logger } from '../platform/logger.ts'
import { authenticate } from './authenticate.ts'
import type { Access, AccessChange, Identity } from './contract.ts'
import { type Credential, readCredential } from './credential.ts'

/** A page opens with a burst of calls; a role that was taken away may work on for this long, as the specification allows. */
const MAX_AGE_MS = 5_000
/** Bounds the memory that made-up credentials can take: about 3 MB. */
const MAX_CREDENTIALS = 10_000

/** Without sessions everybody is one person who may do everything except see accounts and secrets. */
const EVERYBODY: Identity = Object.freeze({
  userId: NIL_UUID,
  name: 'Everybody',
  email: '',
  roles: ['editor'] as const,
})

interface Known {
  /** Last answer; undefined until the first. */
  identity?: Identity | null
  expiresAt: number
  /** The lookup under way, shared by everybody who asks meanwhile. */
  pending?: Promise<Identity | null>
}

export interface AccessDeps {
  readonly backend: BackendClient
  readonly clock: Clock
  readonly logger: Logger
  readonly mode: 'session' | 'none'
}

export function createAccess(deps: AccessDeps): Access {
  const { backend, clock, logger } = deps
  /** By credential, least recently used first. */
  const known = new Map<string, Known>()
  const listeners = new Set<(change: AccessChange) => void>()

  const announce = (change: AccessChange): void => {
    for (const listener of listeners) listener(change)
  }

  const lookUp = async (credential: Credential, entry: Known): Promise<Identity | null> => {
    try {
      const answer = await authenticate(backend, credential)
      const before = entry.identity
      entry.identity = answer.identity
      entry.expiresAt = answer.identity || answer.final ? clock.monotonic() + MAX_AGE_MS : 0
      if (before && !isSameRight(before, answer.identity)) {
        logger.info({ userId: before.userId, roles: answer.identity?.roles ?? [] }, 'rights changed')
        announce({ userId: before.userId })
      }
      return answer.identity
    } finally {
      delete entry.pending
    }
  }

  return {
    identify: async (headers) => {
      if (deps.mode === 'none') return EVERYBODY
      const credential = readCredential(headers)
      if (!credential) return null
      const entry = known.get(credential.key) ?? { expiresAt: 0 }
      known.delete(credential.key)
      known.set(credential.key, entry)
      evict(known)
      if (entry.identity !== undefined && clock.monotonic() < entry.expiresAt) return entry.identity
      entry.pending ??= lookUp(credential, entry)
      return entry.pending
    },

    can: (identity, action, resource) => can(identity.roles, action, resource),

    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    invalidate: (change) => {
      for (const [key, { identity }] of known) {
        if (change !== 'all' && identity && identity.userId !== change.userId) continue
        // A new entry, so that a lookup under way, which may have read the old rights, cannot fill it.
        known.set(key, identity === undefined ? { expiresAt: 0 } : { identity, expiresAt: 0 })
      }
      announce(change)
    },

    forget: (headers) => {
      const credential = readCredential(headers)
      const entry = credential && known.get(credential.key)
      if (!entry) return
      known.delete(credential.key)
      if (entry.identity) announce({ userId: entry.identity.userId })
    },
  }
}

function evict(known: Map<string, Known>): void {
  for (const key of known.keys()) {
    if (known.size <= MAX_CREDENTIALS) return
    known.delete(key)
  }
}

const isSameRight = (before: Identity, after: Identity | null): boolean =>
  after !== null &&
  after.userId === before.userId &&
  after.roles.length === before.roles.length &&
  after.roles.every((role) => before.roles.includes(role))
