import {
  createIncidentEditor,
  createUndoStack,
  FRAME,
  type IncidentEditor,
  type OwnFrame,
  SYNC,
  tryReadOwnFrame,
  type UndoStack,
} from '@watchroom/shared/collab'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'

import type { RoomPeer } from '../../gateway/src/collab/contract.ts'
import type { Room } from '../../gateway/src/collab/room/createRoom.ts'
import { testId } from './incidentDocument.ts'

/** A peer in the same process that speaks the real frames, with its own copy of the document. */
export interface TestRoomPeer extends RoomPeer {
  readonly doc: Y.Doc
  readonly edit: IncidentEditor
  readonly undo: UndoStack
  readonly own: OwnFrame[]
  /** Awareness messages received. */
  readonly awareness: Uint8Array[]
  closed: { code: number; reason: string } | null
  /** While false, local edits are kept back, as without a network. */
  isOnline: boolean
  buffered: number
  /** Sends one frame as it is. */
  sendRaw(frame: Uint8Array): void
  connect(room: Room): void
  disconnect(): void
}

let sockets = 0

export function buildRoomPeer(options: {
  userId: string
  clientId: number
  canWrite?: boolean
  isModerator?: boolean
  random?: () => number
}): TestRoomPeer {
  const doc = new Y.Doc()
  doc.clientID = options.clientId
  let room: Room | null = null
  let count = 0
  const undo = createUndoStack(doc)
  const peer: TestRoomPeer = {
    socketId: `s${++sockets}`,
    user: { id: options.userId, name: options.userId.slice(-2), avatar: null },
    canWrite: options.canWrite ?? true,
    isModerator: options.isModerator ?? false,
    doc,
    edit: createIncidentEditor(doc, {
      userId: options.userId,
      now: () => '2026-03-01T09:00:00.000Z',
      newId: () => testId('p', options.clientId * 1000 + ++count),
      random: options.random ?? (() => 0.5),
      onCommand: undo.record,
    }),
    undo,
    own: [],
    awareness: [],
    closed: null,
    isOnline: true,
    buffered: 0,
    bufferedBytes: () => peer.buffered,
    send: (frame) => receive(frame),
    flush: () => undefined,
    close: (code, reason) => {
      peer.closed ??= { code, reason }
      room = null
    },
    sendRaw: (frame) => room?.receive(peer, frame),
    connect: (next) => {
      room = next
      peer.closed = null
      next.join(peer)
      peer.sendRaw(syncFrame(SYNC.step1, Y.encodeStateVector(doc)))
    },
    disconnect: () => {
      room?.leave(peer)
      room = null
    },
  }
  doc.on('update', (update: Uint8Array, origin: unknown) => {
    if (origin !== 'remote' && peer.isOnline) peer.sendRaw(syncFrame(SYNC.update, update))
  })

  function receive(frame: Uint8Array): void {
    const decoder = decoding.createDecoder(frame)
    const type = decoding.readVarUint(decoder)
    if (type === FRAME.sync) {
      const step = decoding.readVarUint(decoder)
      const body = decoding.readVarUint8Array(decoder)
      if (step === SYNC.step1) peer.sendRaw(syncFrame(SYNC.step2, Y.encodeStateAsUpdate(doc, body)))
      else Y.applyUpdate(doc, body, 'remote')
    } else if (type === FRAME.awareness) {
      peer.awareness.push(decoding.readVarUint8Array(decoder))
    } else {
      for (const name of ['ack', 'rejected', 'role', 'saved'] as const) {
        if (FRAME[name] !== type) continue
        const value = tryReadOwnFrame(name, decoder)
        if (value) peer.own.push({ type: name, value } as OwnFrame)
      }
    }
  }
  return peer
}

export function syncFrame(step: number, body: Uint8Array): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, FRAME.sync)
  encoding.writeVarUint(encoder, step)
  encoding.writeVarUint8Array(encoder, body)
  return encoding.toUint8Array(encoder)
}

/** Announces a state as y-protocols' awareness does. */
export function awarenessFrame(clientId: number, clock: number, state: unknown): Uint8Array {
  const inner = encoding.createEncoder()
  encoding.writeVarUint(inner, 1)
  encoding.writeVarUint(inner, clientId)
  encoding.writeVarUint(inner, clock)
  encoding.writeVarString(inner, JSON.stringify(state))
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, FRAME.awareness)
  encoding.writeVarUint8Array(encoder, encoding.toUint8Array(inner))
  return encoding.toUint8Array(encoder)
}
