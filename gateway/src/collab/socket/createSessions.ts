// Who stands behind each open socket, and what they may do: looked up again now and then, and whenever rights change.

import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'

import { mayModerate } from '@watchroom/shared/access'
import { parseDocumentName } from '@watchroom/shared/collab'
import type { Clock } from '@watchroom/shared/kernel'
import { CLOSE_CODES } from '@watchroom/shared/protocol'
import type { WebSocket } from 'ws'

import type { Access, Identity, Sights } from '../../access/contract.ts'
import {
  type AnswerAge,
  createSessionWatch,
  type SessionWatch,
  type SessionWatchSettings,
} from '../../platform/createSessionWatch.ts'
import type { Logger } from '../../platform/logger.ts'
import type { RoomPeer } from '../contract.ts'
import type { DocumentKind } from '../documentKind.ts'
import type { OpenDocument } from '../openDocument.ts'

const SESSION_ENDED = 'session ended'

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
  /** As of the last look. */
  identity: Identity
}

export interface WatchedSession {
  readonly session: Session
  /** Looks again what its peer may; whoever may not read any more is sent away. */
  readonly watch: SessionWatch
}

export interface Sessions {
  start(socket: WebSocket, of: Omit<Session, 'document'>): WatchedSession
  end(socket: WebSocket): void
  /** Changes of rights are listened to no more. */
  stop(): void
  /** Ends all sockets. */
  close(): void
}

export interface SessionsDeps {
  readonly access: Access
  readonly sights: Pick<Sights, 'look' | 'mayEdit'>
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly sessionWatch: SessionWatchSettings
}

export type DocumentRights = Pick<RoomPeer, 'canWrite' | 'isModerator'>

/** `unserved`: they may, but the gateway itself is not shown the row, and could neither open the document nor save what is written in it. */
export type DocumentVerdict =
  | { readonly kind: 'allowed' | 'unserved'; readonly rights: DocumentRights }
  | { readonly kind: 'denied' }

const DENIED: DocumentVerdict = { kind: 'denied' }

/**
 * What someone may do in a document, as the matrix and the backend together allow it (COLLAB-42).
 *
 * @throws CodedError ACCESS_BACKEND_UNAVAILABLE when the backend does not say, ACCESS_SESSION_REQUIRED when the session ended
 */
export async function findRights(
  { access, sights }: Pick<SessionsDeps, 'access' | 'sights'>,
  kind: DocumentKind,
  name: string,
  { identity, headers }: { readonly identity: Identity; readonly headers: IncomingHttpHeaders },
  maxAgeMs?: number,
): Promise<DocumentVerdict> {
  const id = parseDocumentName(name)?.id
  if (id === undefined || !access.can(identity, 'read', kind.resource)) return DENIED
  const columns = kind.entities.map(({ name: table, editable }) => ({ table, column: editable }))
  const [sight, mayEdit] = await Promise.all([
    sights.look(headers, identity.userId, kind.source(id), maxAgeMs),
    access.can(identity, 'write', kind.resource) && sights.mayEdit(headers, identity.userId, columns, maxAgeMs),
  ])
  const rights = { canWrite: mayEdit, isModerator: mayModerate(identity.roles) }
  if (sight.kind === 'all') return { kind: 'allowed', rights }
  return sight.kind === 'some' && sight.isMore ? { kind: 'unserved', rights } : DENIED
}

export function createSessions(deps: SessionsDeps): Sessions {
  const { access, clock, logger } = deps
  const sessions = new Map<WebSocket, WatchedSession>()

  const look = async (session: Session, age: AnswerAge): Promise<void> => {
    const { address, headers, identity: known, kind, name, peer } = session
    const ask = (identity: Identity): Promise<DocumentVerdict> =>
      findRights(deps, kind, name, { identity, headers }, age.rightsMs)
    // Frames wait for the answer, so both questions are asked at once: most times they have the roles that they had.
    const expected = ask(known)
    expected.catch(() => undefined)
    const identity = await access.identify(headers, { address, maxAge: age })
    const verdict = identity && (await (isDeepStrictEqual(identity.roles, known.roles) ? expected : ask(identity)))
    if (!verdict || identity.userId !== peer.user.id) return peer.close(CLOSE_CODES.loginNeeded.code, SESSION_ENDED)
    session.identity = identity
    if (verdict.kind === 'denied') return peer.close(CLOSE_CODES.accessRemoved.code, 'access removed')
    // Whoever is in goes on when the gateway's credential expires: what they write is saved once there is a new one.
    const { rights } = verdict
    const room = session.document?.room
    if (room?.peers.has(peer)) room.changeRole(peer, rights)
    // Whose document is still being opened joins it with these.
    else Object.assign(peer, rights)
  }

  const watch = (session: Session): SessionWatch =>
    createSessionWatch({
      clock,
      random: deps.random,
      settings: deps.sessionWatch,
      isAnnounced: () => access.isAnnounced(),
      endsAt: () => session.identity.endsAt,
      look: (age) => look(session, age),
      onUnconfirmed: (error) =>
        logger.info({ err: error, userId: session.peer.user.id }, 'session of a document socket cannot be checked'),
      onEnd: (reason) =>
        reason === 'ended'
          ? session.peer.close(CLOSE_CODES.loginNeeded.code, SESSION_ENDED)
          : session.peer.close(CLOSE_CODES.tokenExpired.code, 'session not confirmed'),
    })

  const stopListening = access.onChange((change) => {
    for (const { session, watch } of sessions.values()) {
      if (change === 'all' || change.userId === session.peer.user.id) void watch.confirm()
    }
  })

  return {
    start: (socket, of) => {
      const session: Session = { ...of, document: null }
      const watched = { session, watch: watch(session) }
      sessions.set(socket, watched)
      // What changed between the look at the session and this moment was told to nobody here.
      void watched.watch.confirm()
      return watched
    },
    end: (socket) => {
      sessions.get(socket)?.watch.stop()
      sessions.delete(socket)
    },
    stop: stopListening,
    close: () => {
      for (const [socket, { watch }] of sessions) {
        watch.stop()
        socket.terminate()
      }
    },
  }
}
