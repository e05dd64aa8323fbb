// An open socket on its way into a room: opens its document, hands frames to the room in fair turns, and leaves when it closes.

import { FRAME } from '@watchroom/shared/collab'
import type { Clock } from '@watchroom/shared/kernel'
import { CLOSE_CODES } from '@watchroom/shared/protocol'
import type { FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'

import type { Access, Identity, Sights } from '../../access/contract.ts'
import type { SessionWatchSettings } from '../../platform/createSessionWatch.ts'
import { CodedError } from '../../platform/errors.ts'
import type { Logger } from '../../platform/logger.ts'
import type { RoomPeer } from '../contract.ts'
import type { DocumentHub } from '../createDocumentHub.ts'
import type { DocumentKind } from '../documentKind.ts'
import type { OpenDocument } from '../openDocument.ts'
import { ROOM_LIMITS } from '../room/roomLimits.ts'
import { createCorkedWriter } from './createCorkedWriter.ts'
import type { Dismissal } from './createDismissal.ts'
import { createFairQueue } from './createFairQueue.ts'
import { createHeartbeats } from './createHeartbeats.ts'
import { createReaderWatch, type ReaderSettings } from './createReaderWatch.ts'
import { createSessions, type DocumentRights, type Session, type WatchedSession } from './createSessions.ts'
import type { DocumentAddress } from './documentAddress.ts'

/** Frames that arrive while the document is being opened; an honest client sends two. */
const MAX_EARLY_FRAMES = 64
/** Frames that wait while their sender's rights are looked up. */
const MAX_HELD_FRAMES = 256
/** Frames of a socket that wait for their turn; at the first number it is not read any more, at the second it is again. */
const PAUSE_AT = 64
const RESUME_AT = 16
/**
 * Of a socket, wherever its frames wait. A frame more than that is held already, and is the last that is read before those that wait
 * were taken.
 */
const MAX_WAITING_BYTES = 512 * 1024
/** A change is checked against the document; a caret only replaces another. */
const WEIGHT_OF_CHANGE = 4
const WEIGHT_OF_REST = 1

/** A socket that may stay, and whose it is. */
export interface AcceptedSocket {
  readonly socket: WebSocket
  readonly request: FastifyRequest
  readonly identity: Identity
  readonly rights: DocumentRights
  readonly kind: DocumentKind
  readonly address: DocumentAddress
}

export interface SocketAcceptor {
  /** Listens at once: a frame that arrives before anyone listens is lost. @returns the peer that the socket is in its room */
  accept(accepted: AcceptedSocket): RoomPeer
  /** Nothing is read any more. */
  stop(): void
  /** Ends all sockets. */
  close(): void
}

export interface SocketAcceptorDeps {
  readonly hub: DocumentHub
  readonly access: Access
  readonly sights: Pick<Sights, 'look' | 'mayEdit'>
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly readerSettings: ReaderSettings
  readonly sessionWatch: SessionWatchSettings
  readonly dismiss: Dismissal
  /** A socket was cut whose other side takes nothing any more. */
  readonly onStuck: () => void
}

export function createSocketAcceptor(deps: SocketAcceptorDeps): SocketAcceptor {
  const { clock, hub, logger } = deps
  const queue = createFairQueue({ clock })
  const readers = createReaderWatch({ clock, settings: deps.readerSettings })
  const sessions = createSessions(deps)
  const heartbeats = createHeartbeats(clock)

  const toPeer = ({ socket, request, identity, rights }: AcceptedSocket): RoomPeer => {
    const writes = createCorkedWriter(request.raw.socket)
    const peer: RoomPeer = {
      socketId: request.id,
      user: { id: identity.userId, name: identity.name || identity.email, avatar: null },
      ...rights,
      send: (frame) => {
        if (socket.readyState !== socket.OPEN) return
        writes.cork()
        socket.send(frame)
        heartbeats.noteSent(peer)
      },
      flush: () => writes.flush(),
      close: (code, reason) => deps.dismiss(socket, code, reason),
      bufferedBytes: () => socket.bufferedAmount,
    }
    return peer
  }

  /** Bytes of frames that wait, for their turn or for what their sender may. */
  const waiting = new WeakMap<WebSocket, number>()
  const waitingBytes = (socket: WebSocket): number => waiting.get(socket) ?? 0
  const countWaiting = (socket: WebSocket, bytes: number): void =>
    void waiting.set(socket, waitingBytes(socket) + bytes)

  /** A flood waits in the network, and at its own end: everyone else's frames are read meanwhile (COLLAB-24). */
  const read = (socket: WebSocket, { peer }: Session, { room }: OpenDocument, frame: Uint8Array): void => {
    countWaiting(socket, frame.byteLength)
    queue.add(peer.user.id, socket, frame[0] === FRAME.sync ? WEIGHT_OF_CHANGE : WEIGHT_OF_REST, () => {
      countWaiting(socket, -frame.byteLength)
      room.receive(peer, frame)
      goOn(socket)
    })
    if (queue.waiting(socket) > PAUSE_AT || waitingBytes(socket) > MAX_WAITING_BYTES) socket.pause()
  }

  const goOn = (socket: WebSocket): void => {
    if (!socket.isPaused || socket.readyState !== socket.OPEN) return
    if (queue.waiting(socket) < RESUME_AT && waitingBytes(socket) <= MAX_WAITING_BYTES) socket.resume()
  }

  /** Hands frames on; those wait until it is known anew what their sender may, where that is known no more. */
  const listen = (
    socket: WebSocket,
    { session, watch }: WatchedSession,
    receive: (frame: Uint8Array) => void,
  ): void => {
    const { peer } = session
    let held: Uint8Array[] = []
    const handOn = (): void => {
      const frames = held
      held = []
      if (socket.readyState !== socket.OPEN) return
      for (const frame of frames) {
        countWaiting(socket, -frame.byteLength)
        receive(frame)
      }
      goOn(socket)
    }
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return peer.close(CLOSE_CODES.badMessage.code, 'binary frames only')
      const frame = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      if (held.length === 0 && watch.isConfirmed()) {
        watch.keepFresh()
        return receive(frame)
      }
      held.push(frame)
      countWaiting(socket, frame.byteLength)
      if (held.length > MAX_HELD_FRAMES) return peer.close(CLOSE_CODES.rateExceeded.code, 'too many messages')
      if (waitingBytes(socket) > MAX_WAITING_BYTES) socket.pause()
      if (held.length === 1) void watch.confirm().then(handOn)
    })
  }

  const refuse = (peer: RoomPeer, kind: DocumentKind, name: string, error: unknown): void => {
    if (error instanceof CodedError && error.code === 'COLLAB_DOCUMENT_NOT_FOUND') {
      return peer.close(CLOSE_CODES.notFound.code, `no such ${kind.words}`)
    }
    logger.warn({ err: error, document: name }, 'document not opened')
    peer.close(CLOSE_CODES.draining.code, 'come back')
  }

  return {
    accept: (accepted) => {
      const { socket, request, identity, kind } = accepted
      const { name, epoch, wantsBeat } = accepted.address
      const peer = toPeer(accepted)
      const { headers, ip: address } = request
      const watched = sessions.start(socket, { peer, kind, name, headers, address, identity })
      const { session } = watched
      readers.add(socket, () => {
        deps.onStuck()
        peer.close(CLOSE_CODES.tooSlow.code, 'too slow')
      })
      const early: Uint8Array[] = []
      let earlyBytes = 0
      const mayWait = (frame: Uint8Array): boolean => {
        earlyBytes += frame.byteLength
        const isSmall = frame.byteLength <= ROOM_LIMITS.frameBytes && earlyBytes <= MAX_WAITING_BYTES
        return isSmall && early.length < MAX_EARLY_FRAMES
      }
      listen(socket, watched, (frame) => {
        if (session.document) read(socket, session, session.document, frame)
        else if (mayWait(frame)) early.push(frame)
        else peer.close(CLOSE_CODES.tooLarge.code, 'too much before the document was open')
      })
      socket.on('close', () => {
        sessions.end(socket)
        readers.remove(socket)
        heartbeats.stop(peer)
        const { document } = session
        // Behind what was sent before.
        if (document) queue.add(identity.userId, socket, 0, () => hub.leave(document, peer))
      })
      hub.open(name).then(
        (opened) => {
          if (socket.readyState !== socket.OPEN) return
          // What it kept is of another lineage: mixed with this one it would come back to life (COLLAB-19).
          if (epoch !== undefined && epoch !== opened.room.epoch) {
            return peer.close(CLOSE_CODES.epochGone.code, 'epoch gone')
          }
          session.document = opened
          hub.join(opened, peer)
          if (wantsBeat) heartbeats.start(peer)
          for (const frame of early) read(socket, session, opened, frame)
        },
        (error: unknown) => refuse(peer, kind, name, error),
      )
      return peer
    },
    stop: () => {
      heartbeats.close()
      queue.close()
      readers.close()
      sessions.stop()
    },
    close: () => sessions.close(),
  }
}
