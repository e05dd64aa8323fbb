// One open document: checks, logs, applies, broadcasts and acknowledges updates, in this order (COLLAB-3). Knows peers, not
// sockets; knows the log, not the database; leaves what an update may change to the kind of document.

import { SYNC } from '@watchroom/shared/collab'
import type { Clock } from '@watchroom/shared/kernel'
import { CLOSE_CODES } from '@watchroom/shared/protocol'
import * as Y from 'yjs'

import { CodedError } from '../../platform/errors.ts'
import type { Logger } from '../../platform/logger.ts'
import type { RoomPeer } from '../contract.ts'
import type { DocumentKind, DocumentReader } from '../documentKind.ts'
import { COLLAB_ERRORS } from '../errors.ts'
import type { DocumentLog, StoredDocument } from '../log/createDocumentLog.ts'
import { type Connection, openConnection } from './connection.ts'
import { createAnswers } from './createAnswers.ts'
import { type Authors, createAuthors } from './createAuthors.ts'
import { createClientIds } from './createClientIds.ts'
import { createConnections } from './createConnections.ts'
import { createFrameReader } from './createFrameReader.ts'
import { createGuard } from './createGuard.ts'
import { createLogQueue, type QueuedUpdate } from './createLogQueue.ts'
import { createPresence } from './createPresence.ts'
import type { References } from './createReferences.ts'
import { createSnapshots } from './createSnapshots.ts'
import { createUpdateChecks } from './createUpdateChecks.ts'
import { createUpdateHandler } from './createUpdateHandler.ts'
import { toAwarenessFrame, TOO_LARGE, toRoleFrame, toSyncFrame, toUpdateFrame } from './frames.ts'

export interface RoomDeps {
  readonly name: string
  readonly kind: DocumentKind
  readonly stored: StoredDocument
  readonly log: DocumentLog
  readonly clock: Clock
  /** Processor time of this process so far; absent for the real one. */
  readonly cpuMs?: () => number
  readonly logger: Logger
  /** What changes name elsewhere. Without it, everything is taken to be there. */
  readonly references?: References
  /** The document changed and is durable up to `sequence`. */
  readonly onChange: (sequence: number) => void
  /** The log refused: the room is over, everyone was told to come back. */
  readonly onFailed: (error: unknown) => void
  /** A snapshot was taken; `bytes` long, of a document under so many client ids. */
  readonly onSnapshot?: (bytes: number, clientIds: number) => void
  readonly onRejected?: (code: string, peer: RoomPeer) => void
  readonly onAcknowledged?: (durationMs: number) => void
}

export interface Room {
  /** Read it freely; write only through `writeAsServer`. Holds durable updates alone. */
  readonly doc: Y.Doc
  readonly reader: Pick<DocumentReader, 'view' | 'rows' | 'isKept'>
  readonly epoch: string
  readonly sequence: () => number
  /** Who changed what, as far as the log still told when the room was opened. */
  readonly authors: Pick<Authors, 'of'>
  readonly peers: ReadonlyMap<RoomPeer, unknown>
  join(peer: RoomPeer): void
  leave(peer: RoomPeer): void
  /** Takes one frame of a peer. Never throws: what cannot be read closes that peer. */
  receive(peer: RoomPeer, frame: Uint8Array): void
  /** A change by the server, for example a row that others wrote. Resolves when it is durable and sent. */
  writeAsServer(change: (doc: Y.Doc) => void): Promise<void>
  /** Tells a peer what it may do from now on. */
  changeRole(peer: RoomPeer, role: { canWrite: boolean; isModerator: boolean }): void
  broadcast(frame: Uint8Array): void
  /** Writes a snapshot when there are updates that none holds. */
  saveSnapshot(): Promise<void>
  /** Ends the room; updates on their way to the log still get there. */
  close(code: number, reason: string): Promise<void>
}

interface Failure {
  readonly error: unknown
}

type Life =
  | { readonly phase: 'open' }
  /** The log could not be written: everyone was told to come back, and nothing is applied any more. */
  | { readonly phase: 'failed'; readonly failure: Failure }
  /** Ended by its owner, perhaps after it failed. What is on its way is applied, unless it failed. */
  | { readonly phase: 'closed'; readonly failure: Failure | null }

export function createRoom(deps: RoomDeps): Room {
  const { name, kind, stored, log, clock, logger, references } = deps
  const { epoch, snapshot, updates } = stored
  let life: Life = { phase: 'open' }

  const doc = new Y.Doc()
  const reader = kind.read(doc)
  const answers = createAnswers(doc)
  const authors = createAuthors(doc, kind.roots)
  if (snapshot) Y.applyUpdate(doc, snapshot.state)
  for (const { update, userId } of updates) authors.attribute(userId, () => Y.applyUpdate(doc, update))

  const connections = createConnections({ onRejected: deps.onRejected, onGone: (peer) => presence.leave(peer) })
  const clients = createClientIds({ clock, known: stored.clients })
  const presence = createPresence({
    clock,
    broadcast: (message) => connections.broadcast(toAwarenessFrame(message)),
    mayUse: (clientId, userId) => (clients.ownerOf(clientId) ?? userId) === userId,
  })

  /** Behind the updates that are on their way: `received` counts in the order of frames. */
  const acknowledgeKnown = (connection: Connection): void => {
    connection.received += 1
    const send = (): void => connections.acknowledge(connection, queue.sequence())
    if (queue.isEmpty()) send()
    else void queue.settled().then(send)
  }

  const applyDurable = ({ update, sequence, queuedAt, sender: { connection, stamp, userId } }: QueuedUpdate): void => {
    authors.attribute(userId, () => Y.applyUpdate(doc, update))
    if (connection) {
      if (stamp && connections.all.has(connection.peer)) connections.deliver(connection.peer, toUpdateFrame(stamp))
      connection.received += 1
      connections.acknowledge(connection, sequence)
    }
    connections.broadcast(toUpdateFrame(update), connection?.peer)
    deps.onAcknowledged?.(clock.monotonic() - queuedAt)
    snapshots.noteUpdate()
    deps.onChange(sequence)
  }

  const fail = (error: unknown): void => {
    if (life.phase !== 'open') return
    life = { phase: 'failed', failure: { error } }
    logger.error({ err: error, document: name }, 'document closed: its log cannot be written')
    connections.closeAll(CLOSE_CODES.draining.code, 'come back')
    snapshots.stop()
    presence.close()
    deps.onFailed(error)
  }

  const queue = createLogQueue({
    name,
    epoch,
    log,
    clock,
    startSequence: updates.at(-1)?.sequence ?? snapshot?.upTo ?? 0,
    failure: () => (life.phase === 'open' ? null : life.failure),
    apply: applyDurable,
    onFailed: fail,
  })
  const guard = createGuard({ ...deps, references, content: () => [answers.whole(), ...queue.pending()] })
  const snapshots = createSnapshots({
    ...deps,
    epoch,
    doc,
    rows: () => reader.rows(),
    encode: () => answers.whole(),
    sequence: () => queue.sequence(),
    savedUpTo: snapshot?.upTo ?? 0,
    onSaved: (bytes) => (life.phase === 'open' ? deps.onSnapshot?.(bytes, clients.size) : undefined),
  })
  const handleUpdate = createUpdateHandler({
    ...deps,
    references,
    check: createUpdateChecks({ epoch, answers, clients, guard, presence, isFull: () => snapshots.isFull() }),
    clients,
    connections,
    guard,
    queue,
    onKnown: acknowledgeKnown,
    onOverfull: () => fail(new CodedError(COLLAB_ERRORS.COLLAB_LOG_UNAVAILABLE)),
  })
  const readFrame = createFrameReader({ name, logger, answers, connections, presence })

  return {
    doc,
    reader,
    epoch,
    sequence: () => queue.sequence(),
    authors,
    peers: connections.all,

    join: (peer) => {
      if (life.phase !== 'open') return peer.close(CLOSE_CODES.draining.code, 'come back')
      connections.add(
        openConnection({
          peer,
          clock,
          take: handleUpdate,
          onTooLarge: () => connections.refuse(peer, 'tooLarge', TOO_LARGE),
          isPresent: () => connections.all.has(peer),
          isRoomOpen: () => life.phase === 'open',
        }),
      )
      peer.send(toRoleFrame(peer.canWrite))
      peer.send(toSyncFrame(SYNC.step1, Y.encodeStateVector(doc)))
      const present = presence.snapshot()
      if (present) peer.send(toAwarenessFrame(present))
    },

    leave: (peer) => connections.remove(peer),

    receive: (peer, frame) => {
      const connection = connections.all.get(peer)
      if (connection) readFrame(connection, frame)
    },

    writeAsServer: async (change) => {
      if (life.phase !== 'open') throw life.failure?.error ?? new Error(`document ${name} is closed`)
      const update = guard.compose(change)
      if (update !== null) await queue.append(update, { userId: null, newClientIds: [] })
    },

    changeRole: (peer, { canWrite, isModerator }) => {
      const isNews = peer.canWrite !== canWrite
      Object.assign(peer, { canWrite, isModerator })
      if (!isNews || !connections.all.has(peer)) return
      peer.send(toRoleFrame(canWrite))
      presence.refresh(peer)
    },

    broadcast: (frame) => connections.broadcast(frame),
    saveSnapshot: () => snapshots.save(),

    close: async (code, reason) => {
      if (life.phase === 'closed') return
      life = { phase: 'closed', failure: life.phase === 'failed' ? life.failure : null }
      connections.closeAll(code, reason)
      await queue.settled()
      await snapshots.save()
      snapshots.stop()
      presence.close()
      reader.close()
      doc.destroy()
      guard.close()
    },
  }
}
