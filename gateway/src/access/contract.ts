import type { IncomingHttpHeaders } from 'node:http'

import type { Action, Resource, Role } from '@watchroom/shared/access'

import type { BackendCaller } from '../platform/backendCaller.ts'
import type { AnswerAge } from '../platform/createSessionWatch.ts'

/** Who is calling, as the backend says. */
export interface Identity {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly roles: readonly Role[]
  /** When the session ends by itself, milliseconds since the epoch; absent where nobody says. */
  readonly endsAt?: number | undefined
}

export interface IdentifyOptions {
  /** Network address of the caller: credentials that nobody knows are looked up only so often for one address. */
  readonly address?: string
  /** Oldest answers to accept; 5 s when absent. */
  readonly maxAge?: AnswerAge
}

/** Whose rights may differ from now on: one person's, or anyone's. */
export type AccessChange = { readonly userId: string } | 'all'

export interface Access {
  /**
   * Session and roles behind a request's credential, never older than the session's own end.
   *
   * @returns null when there is no valid session
   * @throws CodedError ACCESS_BACKEND_UNAVAILABLE when the backend could not be asked: not the same as "no session";
   * ACCESS_RATE_LIMITED when too many credentials that nobody knows come from this address, or from everywhere
   */
  identify(headers: IncomingHttpHeaders, options?: IdentifyOptions): Promise<Identity | null>
  /**
   * Changes of rights and ended sessions are told within a second. Otherwise whoever acts on an older answer asks again:
   * a foreign backend tells nobody.
   */
  isAnnounced(): boolean
  can(identity: Identity, action: Action, resource: Resource): boolean
  /** How the backend is asked as whoever sent these headers; null without a credential. */
  callerOf(headers: IncomingHttpHeaders): BackendCaller | null
  /** Called when a lookup finds other roles or a session that ended. Returns a function that removes the listener. */
  onChange(listener: (change: AccessChange) => void): () => void
  /** Forgets what is cached, because a request just changed rights: the next `identify` asks the backend. Tells listeners. */
  invalidate(change: AccessChange): void
  /** Forgets one credential, because its session just changed, and asks anew about its person's others. Tells listeners when it was known. */
  forget(headers: IncomingHttpHeaders): void
}

/** How much of a source the backend shows someone. */
export type Sight =
  /** As many rows as the gateway itself sees. */
  | { readonly kind: 'all' }
  /**
   * Others than the gateway sees. `isMore`: rows that the gateway itself is not shown, because it is refused, has no credential or is
   * shown less.
   */
  | { readonly kind: 'some'; readonly isMore?: true }
  /** Refused, with what the backend said. */
  | { readonly kind: 'none'; readonly reason: string | null }
  /** The backend has no such source. */
  | { readonly kind: 'missing' }

export interface Sights {
  /**
   * Asks as the caller behind `headers`; at once where the answer is known.
   *
   * @param userId whose rights these are: a change of them ends the answer
   * @param source table or view below `/db`, with its filter; or a call that is none, as a topic's `door` names it
   * @param maxAgeMs oldest answer to accept; 5 s when absent
   * @throws CodedError ACCESS_BACKEND_UNAVAILABLE, ACCESS_SESSION_REQUIRED when their session ended, by the promise
   */
  look(headers: IncomingHttpHeaders, userId: string, source: string, maxAgeMs?: number): Sight | Promise<Sight>
  /**
   * Whether the backend shows the caller all that it shows the gateway: rows of the first source, and what they quote of the others.
   * One that the backend does not have hides nothing, unless it is the first.
   *
   * @throws CodedError ACCESS_BACKEND_UNAVAILABLE, ACCESS_SESSION_REQUIRED when their session ended
   */
  showsAll(headers: IncomingHttpHeaders, userId: string, sources: readonly [string, ...string[]]): Promise<boolean>
  /**
   * Asks whether the caller may change these columns, by an update of each that meets no row; only all of them are a yes.
   *
   * @throws CodedError ACCESS_BACKEND_UNAVAILABLE, ACCESS_SESSION_REQUIRED when their session ended, by the promise
   */
  mayEdit(
    headers: IncomingHttpHeaders,
    userId: string,
    columns: readonly { readonly table: string; readonly column: string }[],
    maxAgeMs?: number,
  ): boolean | Promise<boolean>
}
