// Who stands behind each open socket, and what they may do: looked up again now and then, and whenever rights change.

import type { IncomingHttpHeaders } from 'node:http'

import { mayModerate } from '@watchroom/shared/access'
import { parseDocumentName } from '@watchroom/shared/collab'
import { type Clock, createTimer, type Timer } from '@watchroom/shared/kernel'
import { CLOSE_CODES } from '@watchroom/shared/protocol'
import type { WebSocket } from 'ws'

import type { Access, Identity, Sights } from '../../access/contract.ts'
import type { Logger } from '../../platform/logger.ts'
import type { RoomPeer } from '../contract.ts'
import type { DocumentKind } from '../documentKind.ts'
import type { OpenDocument } from '../openDocument.ts'

/** Sessions and roles are looked up again this often even if nobody says that they changed. */
const RECHECK_MS = 50_000
/** The same where nobody would say it: rights hold for at most 30 s, an ended session for a minute. */
const UNANNOUNCED_RECHECK_MS = 24_000
/** And an edit is judged by an answer no older than this (COLLAB-40). */
const CONFIRM_RIGHTS_MS = 4_000
/** Whoever acts is looked up again from this age on, so that the frames of somebody who types on need not wait. */
const RENEW_RIGHTS_MS = 2_500
/** Whoever looks again wants to know what is true now, not what somebody heard a while ago. */
const MAX_ANSWER_AGE_MS = 1_000
const MIN_RECHECK_MS = 1_000
/** Timers may be early by a millisecond. */
const END_MARGIN_MS = 20
/** A session that cannot be confirmed for this long ends. */
const UNCONFIRMED_MS = 300_000

/** The session behind one socket. */
export interface Session {
  readonly peer: RoomPeer
  readonly kind: DocumentKind
  /** Of the document. */
  readonly name: string
  readonly headers: IncomingHttpHeaders
  readonly address: string
  /** Null while it is being opened. */
  document: OpenDocument | null
  identity: Identity
  /** Monotonic time of the last look at the identity. */
  confirmedAt: number
  /** Since when nobody could say whether the session holds; null while somebody can. */
  unconfirmedSince: number | null
  /** Looks under way. */
  looks: number
  readonly timer: Timer
}

export interface Sessions {
  start(socket: WebSocket, of: Pick<Session, 'peer' | 'kind' | 'name' | 'headers' | 'address' | 'identity'>): Session
  /** Whether the last look is recent enough for another edit. */
  mayAct(session: Session): boolean
  /** Somebody acts: looks again, unless somebody does or the last look is fresh. */
  keepFresh(session: Session): void
  /** Looks again; resolves, and never rejects, when its peer has the rights that were found or was sent away. */
  recheck(session: Session): Promise<void>
  end(socket: WebSocket): void
  /** Changes of rights are listened to no more. */
  stop(): void
  /** Ends all sockets. */
  close(): void
}

export interface SessionsDeps {
  readonly access: Access
  readonly sights: Sights
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
}

export type DocumentRights = Pick<RoomPeer, 'canWrite' | 'isModerator'>

/**
 * What somebody may do in a document, as the matrix and the backend together allow it (COLLAB-42); null when they may not read it.
 *
 * @throws CodedError ACCESS_BACKEND_UNAVAILABLE when the backend does not say
 */
export async function findRights(
  { access, sights }: Pick<SessionsDeps, 'access' | 'sights'>,
  kind: DocumentKind,
  name: string,
  {
    identity,
    headers,
    maxAgeMs,
  }: { readonly identity: Identity; readonly headers: IncomingHttpHeaders; readonly maxAgeMs?: number },
): Promise<DocumentRights | null> {
  const id = parseDocumentName(name)?.id
  if (id === undefined || !access.can(identity, 'read', kind.resource)) return null
  const columns = kind.entities.map(({ name: table, editable }) => ({ table, column: editable }))
  const [sight, mayEdit] = await Promise.all([
    sights.look(headers, identity.userId, kind.source(id), maxAgeMs),
    access.can(identity, 'write', kind.resource) && sights.mayEdit(headers, identity.userId, columns, maxAgeMs),
  ])
  return sight.kind === 'all' ? { canWrite: mayEdit, isModerator: mayModerate(identity.roles) } : null
}

export function createSessions(deps: SessionsDeps): Sessions {
  const { access, clock, logger } = deps
  const sessions = new Map<WebSocket, Session>()

  /** The next look at a session: now and then, and when it ends by itself. */
  const plan = (session: Session): void => {
    const everyMs = access.isAnnounced() ? RECHECK_MS : UNANNOUNCED_RECHECK_MS
    const { endsAt = Infinity } = session.identity
    const untilEndMs = Math.max(MIN_RECHECK_MS, endsAt - clock.now() + END_MARGIN_MS)
    session.timer.set(
      () => {
        plan(session)
        void recheck(session)
      },
      Math.min(everyMs * (0.8 + deps.random() / 5), untilEndMs),
    )
  }

  const handleUnconfirmed = (session: Session, error: unknown): void => {
    const { peer, identity } = session
    logger.info({ err: error, userId: peer.user.id }, 'session of a document socket cannot be checked')
    // The time at which a session ends needs nobody's confirmation.
    if ((identity.endsAt ?? Infinity) <= clock.now()) return peer.close(CLOSE_CODES.loginNeeded.code, 'session ended')
    // The backend is away: the last answer holds for a while, or every outage would throw everybody out.
    session.unconfirmedSince ??= clock.monotonic()
    if (clock.monotonic() - session.unconfirmedSince >= UNCONFIRMED_MS) {
      peer.close(CLOSE_CODES.tokenExpired.code, 'session not confirmed')
    }
  }

  const recheck = async (session: Session): Promise<void> => {
    const { address, headers, kind, name, peer } = session
    let identity: Identity | null
    let rights: DocumentRights | null
    const askedAt = clock.monotonic()
    session.looks += 1
    try {
      identity = await access.identify(headers, { address, maxAgeMs: MAX_ANSWER_AGE_MS })
      rights = identity && (await findRights(deps, kind, name, { identity, headers, maxAgeMs: MAX_ANSWER_AGE_MS }))
    } catch (error) {
      handleUnconfirmed(session, error)
      return
    } finally {
      session.looks -= 1
    }
    session.unconfirmedSince = null
    session.confirmedAt = askedAt
    if (identity?.userId !== peer.user.id) return peer.close(CLOSE_CODES.loginNeeded.code, 'session ended')
    session.identity = identity
    // The session may end at another time now, unless the socket is gone already.
    if (session.timer.isSet() && (identity.endsAt ?? Infinity) - clock.now() < RECHECK_MS) plan(session)
    if (!rights) return peer.close(CLOSE_CODES.accessRemoved.code, 'access removed')
    const room = session.document?.room
    if (room?.peers.has(peer)) room.changeRole(peer, rights)
    // Whose document is still being opened joins it with these.
    else Object.assign(peer, rights)
  }

  const ageOf = (session: Session): number => (access.isAnnounced() ? 0 : clock.monotonic() - session.confirmedAt)

  const stopListening = access.onChange((change) => {
    for (const session of sessions.values()) {
      if (change === 'all' || change.userId === session.peer.user.id) void recheck(session)
    }
  })

  return {
    start: (socket, of) => {
      const session: Session = {
        ...of,
        document: null,
        confirmedAt: clock.monotonic(),
        unconfirmedSince: null,
        looks: 0,
        timer: createTimer(clock),
      }
      sessions.set(socket, session)
      plan(session)
      // What changed between the look at the session and this moment was told to nobody here.
      void recheck(session)
      return session
    },
    mayAct: (session) => ageOf(session) < CONFIRM_RIGHTS_MS,
    keepFresh: (session) => {
      if (session.looks === 0 && ageOf(session) >= RENEW_RIGHTS_MS) void recheck(session)
    },
    recheck,
    end: (socket) => {
      sessions.get(socket)?.timer.clear()
      sessions.delete(socket)
    },
    stop: stopListening,
    close: () => {
      for (const [socket, { timer }] of sessions) {
        timer.clear()
        socket.terminate()
      }
    },
  }
}
