// Who is calling and what they may do: sessions and roles, each cached as long as allowed, with changes announced to listeners.
import { can, highestRole, limitRoles, type Role } from '@watchroom/shared/access'
import { type Clock, NIL_UUID } from '@watchroom/shared/kernel'

import { ACTS_AS_HEADER, type BackendCaller } from '../platform/backendCaller.ts'
import type { AnswerAge } from '../platform/createSessionWatch.ts'
import type { BackendClient } from '../platform/httpClient.ts'
import type { Logger } from '../platform/logger.ts'
import type { Access, AccessChange, Identity } from './contract.ts'
import { createPeopleRoles } from './createPeopleRoles.ts'
import { createSessionLookup } from './createSessionLookup.ts'
import { type Credential, readCredential } from './credential.ts'
import { toAccessError } from './errors.ts'

/** A page opens with a burst of calls; a role that was taken away may work on for this long, as the specification allows. */
const MAX_AGE: AnswerAge = { sessionMs: 5_000, rightsMs: 5_000 }
/** An older answer is still used but refreshed in the background, so that people who keep working do not wait. */
const RENEW_MS = 2_500
/** Our own backend tells what changes; while it cannot, nothing older than this counts. */
const MAX_AGE_UNTOLD_MS = 1_000

/** Without sessions everyone is one person who may do everything except see accounts and secrets. */
export const EVERYONE: Identity = Object.freeze({
  userId: NIL_UUID,
  name: 'Everyone',
  email: '',
  roles: ['editor'] as const,
})

/** The gateway's own credential, acting in the database as no more than what it shows. */
const EVERYONE_AS_CALLER: BackendCaller = Object.freeze({
  key: 'everyone',
  headers: { [ACTS_AS_HEADER]: highestRole(EVERYONE.roles) },
  credential: 'service',
})

export interface AccessDeps {
  readonly backend: BackendClient
  readonly clock: Clock
  readonly logger: Logger
  readonly mode: 'session' | 'none'
  /** Whether our own backend tells what changes. Absent in front of a foreign one. */
  readonly isAnnounced?: () => boolean
  /** Someone was recognized by this credential. */
  readonly onPerson?: (caller: BackendCaller) => void
}

export function createAccess(deps: AccessDeps): Access {
  const { backend, clock, logger } = deps
  const listeners = new Set<(change: AccessChange) => void>()

  const announce = (change: AccessChange): void => {
    for (const listener of listeners) listener(change)
  }

  const noticeChange = (userId: string, roles: readonly Role[]): void => {
    logger.info({ userId, roles }, 'rights changed')
    announce({ userId })
  }

  const sessions = createSessionLookup({ backend, clock, onEnd: (userId) => noticeChange(userId, []) })
  const people = createPeopleRoles({ backend, clock, onChange: noticeChange })

  const isAnnounced = (): boolean => deps.isAnnounced?.() ?? false

  /** Oldest answer that counts, when someone would take one of this age. */
  const limit = (ageMs: number): number =>
    deps.isAnnounced && !deps.isAnnounced() ? Math.min(ageMs, MAX_AGE_UNTOLD_MS) : ageMs

  const invalidate = (change: AccessChange): void => {
    sessions.invalidate(change)
    people.invalidate(change)
    announce(change)
  }

  return {
    identify: async (headers, options = {}) => {
      if (deps.mode === 'none') return EVERYONE
      const credential = readCredential(headers)
      if (!credential) return null
      const { sessionMs, rightsMs } = options.maxAge ?? MAX_AGE
      // Sockets say how old an answer may be, and look again by themselves.
      const renewMs = options.maxAge ? Infinity : RENEW_MS
      const rightsAge = { maxMs: limit(rightsMs), renewMs }
      try {
        // For a known person session and roles are asked at once. A failure of this one shows when the roles are taken below.
        const before = options.maxAge ? null : sessions.lastKnown(credential)
        const ahead = before && people.rolesOf(before.userId, credential, rightsAge).catch(() => undefined)
        const person = await sessions.personOf(credential, { maxMs: limit(sessionMs), renewMs }, options.address)
        if (!person) return null
        await ahead
        const { limit: most, ...rest } = person
        const roles = await people.rolesOf(person.userId, credential, rightsAge)
        deps.onPerson?.(toCaller(credential))
        return { ...rest, roles: most === undefined ? roles : limitRoles(roles, most) }
      } catch (error) {
        throw toAccessError(error)
      }
    },

    isAnnounced,

    can: (identity, action, resource) => can(identity.roles, action, resource),

    callerOf: (headers) => {
      if (deps.mode === 'none') return EVERYONE_AS_CALLER
      const credential = readCredential(headers)
      return credential && toCaller(credential)
    },

    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    invalidate,

    forget: (headers) => {
      const credential = readCredential(headers)
      if (!credential) return
      const person = sessions.forget(credential)
      if (person) invalidate({ userId: person.userId })
    },
  }
}

const toCaller = ({ key, headers }: Credential): BackendCaller => ({ key, headers, credential: 'caller' })
