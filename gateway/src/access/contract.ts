import type { IncomingHttpHeaders } from 'node:http'

import type { Action, Resource, Role } from '@watchroom/shared/access'

/** Who is calling, as the backend says. */
export interface Identity {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly roles: readonly Role[]
}

/** Whose rights may differ from now on: one person's, or anybody's. */
export type AccessChange = { readonly userId: string } | 'all'

export interface Access {
  /**
   * Session and roles behind a request's credential, at most 5 s old.
   *
   * @returns null when there is no valid session
   * @throws CodedError ACCESS_BACKEND_UNAVAILABLE when the backend could not be asked: not the same as "no session"
   */
  identify(headers: IncomingHttpHeaders): Promise<Identity | null>
  can(identity: Identity, action: Action, resource: Resource): boolean
  /** Called when a lookup finds other roles or a session that ended. Returns a function that removes the listener. */
  onChange(listener: (change: AccessChange) => void): () => void
  /** Forgets what is cached, because a request just changed rights: the next `identify` asks the backend. Tells listeners. */
  invalidate(change: AccessChange): void
  /** Forgets one credential, because its session just changed. Tells listeners when it was known. */
  forget(headers: IncomingHttpHeaders): void
}
