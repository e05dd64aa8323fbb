// Who is connected to a room, and what goes out to them.

import { encodeOwnFrame } from '@watchroom/shared/collab'
import { CLOSE_CODES, type CloseName } from '@watchroom/shared/protocol'

import type { RoomPeer } from '../contract.ts'
import type { Connection } from './connection.ts'
import { type Rejection, toRejectedFrame } from './frames.ts'
import { ROOM_LIMITS } from './roomLimits.ts'

export interface Connections {
  readonly all: ReadonlyMap<RoomPeer, Connection>
  add(connection: Connection): void
  remove(peer: RoomPeer): void
  /** Sends one frame, unless the peer is so far behind that it is cut (COLLAB-12). */
  deliver(peer: RoomPeer, frame: Uint8Array): void
  broadcast(frame: Uint8Array, except?: RoomPeer): void
  /** Says how many of its updates are in the log, and the sequence of the newest (COLLAB-4). */
  acknowledge(connection: Connection, sequence: number): void
  /** Sends a peer away and says why. */
  refuse(peer: RoomPeer, code: CloseName, rejection?: Rejection): void
  /** Sends all away. */
  closeAll(code: number, reason: string): void
}

export interface ConnectionsDeps {
  readonly onRejected: ((code: string, peer: RoomPeer) => void) | undefined
  /** One peer is gone; not called for `closeAll`, after which nothing is left to be said about anyone. */
  readonly onGone: (peer: RoomPeer) => void
}

export function createConnections(deps: ConnectionsDeps): Connections {
  const all = new Map<RoomPeer, Connection>()

  const remove = (peer: RoomPeer): void => {
    if (all.delete(peer)) deps.onGone(peer)
  }

  const deliver = (peer: RoomPeer, frame: Uint8Array): void => {
    if (peer.bufferedBytes() > ROOM_LIMITS.bufferedBytes + (all.get(peer)?.answerBytes ?? 0)) {
      deps.onRejected?.('tooSlow', peer)
      remove(peer)
      peer.close(CLOSE_CODES.tooSlow.code, 'too slow')
      return
    }
    peer.send(frame)
  }

  return {
    all,
    add: (connection) => all.set(connection.peer, connection),
    remove,
    deliver,
    broadcast: (frame, except) => {
      for (const peer of all.keys()) if (peer !== except) deliver(peer, frame)
    },
    acknowledge: ({ peer, received }, sequence) => {
      if (!all.has(peer)) return
      peer.send(encodeOwnFrame({ type: 'ack', value: { received, sequence } }))
      peer.flush()
    },
    refuse: (peer, code, rejection) => {
      deps.onRejected?.(code, peer)
      if (rejection) peer.send(toRejectedFrame(code, rejection))
      remove(peer)
      peer.close(CLOSE_CODES[code].code, rejection?.message.slice(0, 100) ?? code)
    },
    closeAll: (code, reason) => {
      for (const peer of all.keys()) peer.close(code, reason)
      all.clear()
    },
  }
}
