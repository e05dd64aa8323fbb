// One open document: checks, logs, applies, broadcasts and acknowledges updates, in this order (COLLAB-3). Knows peers, not
// sockets; knows the log, not the database; leaves what an update may change to the document's own rules.

import {
  type Author,
  createIncidentReader,
  encodeOwnFrame,
  FRAME,
  type IncidentView,
  type Refusal,
  ROOTS,
  SERVER_CLIENT_ID,
  SYNC,
} from '@watchroom/shared/collab'
import type { Clock } from '@watchroom/shared/kernel'
import { CLOSE_CODES } from '@watchroom/shared/protocol'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'

import { CodedError } from '../platform/errors.ts'
import type { Logger } from '../platform/logger.ts'
import { type Application, applyCarefully } from './applyCarefully.ts'
import type { RoomPeer } from './contract.ts'
import { type Authors, createAuthors } from './createAuthors.ts'
import type { DocumentLog, StoredDocument } from './createDocumentLog.ts'
import { createPresence } from './createPresence.ts'
import { createRecently, type Recently } from './createRecently.ts'
import { COLLAB_ERRORS } from './errors.ts'
import { inspectUpdate, type UpdateFacts } from './inspectUpdate.ts'
import { isKnownUpdate } from './isKnownUpdate.ts'

/** Bounds of COLLAB-10. */
export const ROOM_LIMITS = {
  frameBytes: 256 * 1024,
  structs: 2_000,
  deletes: 2_000,
  /** Somebody who was offline sends everything at once. */
  firstSyncStructs: 10_000,
  updatesPerSecond: 60,
  updateBurst: 120,
  documentBytes: 5 * 1024 * 1024,
  bufferedBytes: 1024 * 1024,
  /** Of updates on their way to the log; it takes some KiB in the time of a commit, unless it answers no more. */
  inFlightBytes: 4 * 1024 * 1024,
} as const

/** A snapshot after this many updates, after this long without one, or this long after the first update not in one. */
const SNAPSHOT_UPDATES = 200
const SNAPSHOT_IDLE_MS = 3_000
const SNAPSHOT_MAX_MS = 15_000
/** People who come back have state vectors of their own; more of these are not worth their memory. */
const MAX_KEPT_ANSWERS = 16
/** Of one connection within a while: a pause of the machine may fall into an honest one. */
const MAX_SLOW_UPDATES = 3
const SLOW_WITHIN_MS = 10_000
/** Of one person: a large honest update that met a pause of the machine is quick when it comes again. */
const MAX_GIVEN_UP = 2
/** In a minute, of one connection. An honest page stops at the first. */
const MAX_READ_ONLY_REFUSALS = 10
/** State vector of somebody who has nothing. */
const NOTHING = Y.encodeStateVector(new Y.Doc())

export interface RoomDeps {
  readonly name: string
  readonly stored: StoredDocument
  readonly log: DocumentLog
  readonly clock: Clock
  readonly logger: Logger
  /** The document's own rules: watches the guard while an update is applied to it. */
  readonly watchChange: (doc: Y.Doc, author: Author) => { finish: () => Refusal | null }
  /** The document changed and is durable up to `sequence`. */
  readonly onChange: (sequence: number) => void
  /** The log refused: the room is over, everybody was told to come back. */
  readonly onFailed: (error: unknown) => void
  /** A snapshot was taken; `bytes` long. */
  readonly onSnapshot?: (bytes: number) => void
  readonly onRejected?: (code: string, userId: string) => void
  readonly onAcknowledged?: (durationMs: number) => void
}

export interface Room {
  /** Read it freely; write only through `writeAsServer`. Holds durable updates alone. */
  readonly doc: Y.Doc
  /** The document as plain values; costs what changed since the last call. */
  readonly view: () => IncidentView
  readonly epoch: string
  readonly sequence: () => number
  /** Who changed what, as far as the log still told when the room was opened. */
  readonly authors: Pick<Authors, 'of'>
  readonly peers: ReadonlySet<RoomPeer>
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

interface PeerState {
  received: number
  /** Answered our question for what we lack. */
  hasSynced: boolean
  /** Updates that came before that answer. */
  early: Uint8Array[]
  earlyBytes: number
  tokens: number
  refilledAt: number
  /** Small updates that took long, and when the first of them came. */
  slow: { count: number; since: number }
  readonly readOnlyRefusals: Recently
  /** Of the last answer to its question: whoever opens a large document has that much to read besides the news. */
  answerBytes: number
}

export function createRoom(deps: RoomDeps): Room {
  const { name, log, clock, logger } = deps
  const epoch = deps.stored.epoch
  const clients = new Map(deps.stored.clients)
  const peers = new Map<RoomPeer, PeerState>()
  const presence = createPresence({ clock, broadcast: (message) => broadcast(toAwarenessFrame(message)) })

  const doc = new Y.Doc()
  const reader = createIncidentReader(doc)
  /** Answers to questions for what is missing, by the state vector asked with; all of the same content. */
  const answers = new Map<string, Uint8Array>()
  doc.on('update', () => answers.clear())
  const authors = createAuthors(doc, ROOTS)
  let guard = new Y.Doc()
  /** Updates of a person that took too long, until one did not. */
  const givenUp = new Map<string, number>()
  /** Sequence of the newest update that was handed to the log, and of the newest that is durable. */
  let handedOver = 0
  let durable = 0
  let isOver = false
  let isClosed = false
  let failedWith: unknown = null
  /** Every update waits for the one before it, so that log order is the order in which peers see updates. */
  let tail: Promise<void> = Promise.resolve()

  let unsaved = { updates: 0, since: 0 }
  let cancelSnapshot: (() => void) | null = null
  let snapshotAt = deps.stored.snapshot?.upTo ?? 0

  interface InFlight {
    readonly update: Uint8Array
    readonly sequence: number
  }
  const inFlight: InFlight[] = []
  let inFlightBytes = 0
  let isFull = false

  load()

  function load(): void {
    if (deps.stored.snapshot) Y.applyUpdate(doc, deps.stored.snapshot.state)
    for (const { update, userId } of deps.stored.updates) authors.attribute(userId, () => Y.applyUpdate(doc, update))
    handedOver = durable = deps.stored.updates.at(-1)?.sequence ?? deps.stored.snapshot?.upTo ?? 0
    rebuildGuard()
  }

  /** What somebody lacks whose state vector this is. Those who come together have the same one, and are answered for the price of one. */
  function missingSince(stateVector: Uint8Array): Uint8Array {
    const key = Buffer.from(stateVector).toString('latin1')
    const known = answers.get(key)
    if (known) return known
    const answer = Y.encodeStateAsUpdate(doc, stateVector)
    if (answers.size < MAX_KEPT_ANSWERS) answers.set(key, answer)
    return answer
  }

  /** The guard runs ahead of `doc` by what is on its way to the log. After a refusal it holds something it must not. */
  function rebuildGuard(): void {
    const pending = inFlight.map(({ update }) => update)
    guard.destroy()
    guard = new Y.Doc()
    // A document nobody types into: its own client id never appears.
    Y.applyUpdate(guard, missingSince(NOTHING))
    for (const update of pending) Y.applyUpdate(guard, update)
  }

  function broadcast(frame: Uint8Array, except?: RoomPeer): void {
    for (const peer of peers.keys()) if (peer !== except) deliver(peer, frame)
  }

  function deliver(peer: RoomPeer, frame: Uint8Array): void {
    if (peer.bufferedBytes() > ROOM_LIMITS.bufferedBytes + (peers.get(peer)?.answerBytes ?? 0)) {
      deps.onRejected?.('tooSlow', peer.user.id)
      remove(peer)
      peer.close(CLOSE_CODES.tooSlow.code, 'too slow')
      return
    }
    peer.send(frame)
  }

  function remove(peer: RoomPeer): void {
    if (peers.delete(peer)) presence.leave(peer)
  }

  function refuse(peer: RoomPeer, code: keyof typeof CLOSE_CODES, rejection?: { path: string; message: string }): void {
    deps.onRejected?.(code, peer.user.id)
    if (rejection) peer.send(encodeOwnFrame({ type: 'rejected', value: { code, ...rejection } }))
    remove(peer)
    peer.close(CLOSE_CODES[code].code, rejection?.message.slice(0, 100) ?? code)
  }

  function receiveUpdate(peer: RoomPeer, state: PeerState, update: Uint8Array): void {
    const facts = inspectUpdate(update)
    if (!facts) return refuse(peer, 'badMessage')
    const maxStructs = state.hasSynced ? ROOM_LIMITS.structs : ROOM_LIMITS.firstSyncStructs
    if (facts.structs.length > maxStructs || facts.deletes > maxStructs) {
      return refuse(peer, 'tooLarge', { path: '', message: 'This change is too large' })
    }
    if (isKnownUpdate(guard, facts)) return acknowledge(peer, state, null)
    if (isFull) return refuse(peer, 'tooLarge', { path: '', message: 'This document is full' })
    if (!peer.canWrite) {
      if (!state.readOnlyRefusals.note()) return refuse(peer, 'rateExceeded')
      // The client parks its text; the connection stays, so that it can go on reading.
      peer.send(
        encodeOwnFrame({
          type: 'rejected',
          value: { code: 'readOnly', path: '', message: 'You may read this incident, not change it' },
        }),
      )
      return
    }
    const foreign = [...facts.clientIds].find((id) => !mayWriteAs(id, peer.user.id))
    if (foreign !== undefined) {
      return refuse(peer, 'updateRejected', { path: '', message: 'This change bears the name of somebody else' })
    }
    const refusal = judge(peer, state, update, facts)
    if (refusal === 'again') {
      rebuildGuard()
      remove(peer)
      peer.close(CLOSE_CODES.tooCostly.code, 'send it again')
      return
    }
    if (refusal) {
      rebuildGuard()
      logger.info(
        { document: name, userId: peer.user.id, path: refusal.path, reason: refusal.reason },
        'update refused',
      )
      return refuse(peer, 'updateRejected', { path: refusal.path, message: refusal.reason })
    }
    if (inFlightBytes > ROOM_LIMITS.inFlightBytes) return fail(new CodedError(COLLAB_ERRORS.COLLAB_LOG_UNAVAILABLE))
    const newClientIds = [...facts.clientIds].filter((id) => !clients.has(id))
    for (const id of newClientIds) clients.set(id, peer.user.id)
    // A failed append ends the room by itself.
    append(update, { userId: peer.user.id, newClientIds, peer, state }).catch(() => undefined)
  }

  function mayWriteAs(clientId: number, userId: string): boolean {
    const owner = clients.get(clientId)
    if (owner !== undefined) return owner === userId
    // Written under, but by no person: a seed's id.
    return clientId !== SERVER_CLIENT_ID && Y.getState(guard.store, clientId) === 0
  }

  /** `again`: it took too long, which the machine may be to blame for. */
  function judge(peer: RoomPeer, state: PeerState, update: Uint8Array, facts: UpdateFacts): Refusal | 'again' | null {
    const watch = deps.watchChange(guard, { userId: peer.user.id, isModerator: peer.isModerator })
    let application: Application
    try {
      application = applyCarefully(guard, update, facts.structs)
    } catch (error) {
      logger.warn({ err: error, document: name }, 'update could not be applied')
      watch.finish()
      return { path: '', reason: 'this change cannot be applied' }
    }
    const refusal = watch.finish()
    if (application === 'tooSlow' || (application === 'slow' && isOften(state))) {
      const count = (givenUp.get(peer.user.id) ?? 0) + 1
      givenUp.set(peer.user.id, count)
      return count <= MAX_GIVEN_UP ? 'again' : { path: '', reason: 'this change takes too long to apply' }
    }
    givenUp.delete(peer.user.id)
    if (refusal) return refusal
    if (guard.store.pendingStructs || guard.store.pendingDs)
      return { path: '', reason: 'this change builds on one that never arrived' }
    return null
  }

  function isOften(state: PeerState): boolean {
    const now = clock.monotonic()
    if (now - state.slow.since > SLOW_WITHIN_MS) state.slow = { count: 0, since: now }
    state.slow.count += 1
    return state.slow.count > MAX_SLOW_UPDATES
  }

  function append(
    update: Uint8Array,
    by: { userId: string | null; newClientIds: number[]; peer?: RoomPeer; state?: PeerState },
  ): Promise<void> {
    const sequence = ++handedOver
    const startedAt = clock.monotonic()
    inFlight.push({ update, sequence })
    inFlightBytes += update.byteLength
    const logged = log.append({
      document: name,
      epoch,
      sequence,
      update,
      userId: by.userId,
      newClientIds: by.newClientIds,
    })
    const applied = tail.then(async (): Promise<void> => {
      await logged
      if (failedWith !== null) throw failedWith
      inFlight.shift()
      inFlightBytes -= update.byteLength
      durable = sequence
      authors.attribute(by.userId, () => Y.applyUpdate(doc, update))
      if (by.peer && by.state) acknowledge(by.peer, by.state, sequence)
      broadcast(toUpdateFrame(update), by.peer)
      deps.onAcknowledged?.(clock.monotonic() - startedAt)
      noteChange()
      deps.onChange(sequence)
    })
    // Whoever waits for the tail must not fail with it: one failure is told once, by `fail`.
    logged.catch(() => undefined)
    tail = applied.catch(fail)
    return applied
  }

  function acknowledge(peer: RoomPeer, state: PeerState, sequence: number | null): void {
    state.received += 1
    if (!peers.has(peer)) return
    // A known update is acknowledged behind those that are still on their way: `received` counts in the order of frames.
    const send = (): void => {
      peer.send(encodeOwnFrame({ type: 'ack', value: { received: state.received, sequence: sequence ?? durable } }))
      peer.flush()
    }
    if (sequence !== null) send()
    else if (inFlight.length === 0) send()
    else void tail.then(() => (peers.has(peer) ? send() : undefined))
  }

  function fail(error: unknown): void {
    if (isOver) return
    isOver = true
    failedWith = error
    logger.error({ err: error, document: name }, 'document closed: its log cannot be written')
    for (const peer of peers.keys()) peer.close(CLOSE_CODES.draining.code, 'come back')
    peers.clear()
    release()
    deps.onFailed(error)
  }

  function release(): void {
    cancelSnapshot?.()
    cancelSnapshot = null
    presence.close()
  }

  function noteChange(): void {
    const now = clock.monotonic()
    if (unsaved.updates === 0) unsaved.since = now
    unsaved.updates += 1
    cancelSnapshot?.()
    const isDue = unsaved.updates >= SNAPSHOT_UPDATES || now - unsaved.since >= SNAPSHOT_MAX_MS
    cancelSnapshot = clock.schedule(() => void saveSnapshot(), isDue ? 0 : SNAPSHOT_IDLE_MS)
  }

  async function saveSnapshot(): Promise<void> {
    cancelSnapshot?.()
    cancelSnapshot = null
    if (durable === snapshotAt) return
    const upTo = durable
    const state = missingSince(NOTHING)
    isFull = state.byteLength > ROOM_LIMITS.documentBytes
    if (!holdsSameContent(state, doc)) {
      // Never replace the log by something that does not read back: the updates stay, and somebody has to look.
      logger.error({ document: name, upTo }, 'document snapshot does not read back; not saved')
      return
    }
    unsaved = { updates: 0, since: 0 }
    try {
      await log.saveSnapshot(name, epoch, upTo, state)
      snapshotAt = Math.max(snapshotAt, upTo)
      if (!isOver) deps.onSnapshot?.(state.byteLength)
    } catch (error) {
      // The log still holds everything; the next change tries again.
      logger.warn({ err: error, document: name }, 'document snapshot not saved')
    }
  }

  function takeToken(state: PeerState): boolean {
    const now = clock.monotonic()
    const refill = ((now - state.refilledAt) / 1000) * ROOM_LIMITS.updatesPerSecond
    state.tokens = Math.min(ROOM_LIMITS.updateBurst, state.tokens + refill)
    state.refilledAt = now
    if (state.tokens < 1) return false
    state.tokens -= 1
    return true
  }

  function receiveSync(peer: RoomPeer, state: PeerState, decoder: decoding.Decoder): void {
    const step = decoding.readVarUint(decoder)
    const body = decoding.readVarUint8Array(decoder)
    if (!takeToken(state))
      return refuse(peer, 'rateExceeded', { path: '', message: 'Too many changes in a short time' })
    if (step === SYNC.step1) {
      const answer = toSyncFrame(SYNC.step2, missingSince(body))
      deliver(peer, answer)
      state.answerBytes = answer.byteLength
      return
    }
    if (step !== SYNC.step2 && step !== SYNC.update) return refuse(peer, 'badMessage')
    if (step === SYNC.update && !state.hasSynced) return keepEarly(peer, state, body)
    receiveUpdate(peer, state, body)
    state.hasSynced = true
    for (const update of state.early.splice(0)) if (peers.has(peer)) receiveUpdate(peer, state, update)
  }

  /**
   * Somebody who goes on typing while the connection comes up sends the newest letters first and what was typed offline with the
   * answer to our question. On their own the letters would build on something that is not there yet.
   */
  function keepEarly(peer: RoomPeer, state: PeerState, update: Uint8Array): void {
    state.earlyBytes += update.byteLength
    if (state.earlyBytes > ROOM_LIMITS.frameBytes)
      return refuse(peer, 'tooLarge', { path: '', message: 'This change is too large' })
    state.early.push(update.slice())
  }

  return {
    doc,
    view: () => reader.view(),
    epoch,
    sequence: () => durable,
    authors,
    get peers() {
      return new Set(peers.keys())
    },

    join: (peer) => {
      if (isOver) return peer.close(CLOSE_CODES.draining.code, 'come back')
      peers.set(peer, {
        received: 0,
        hasSynced: false,
        early: [],
        earlyBytes: 0,
        tokens: ROOM_LIMITS.updateBurst,
        refilledAt: clock.monotonic(),
        slow: { count: 0, since: 0 },
        readOnlyRefusals: createRecently({ clock, limit: MAX_READ_ONLY_REFUSALS }),
        answerBytes: 0,
      })
      peer.send(encodeOwnFrame({ type: 'role', value: { canWrite: peer.canWrite } }))
      peer.send(toSyncFrame(SYNC.step1, Y.encodeStateVector(doc)))
      const present = presence.snapshot()
      if (present) peer.send(toAwarenessFrame(present))
    },

    leave: remove,

    receive: (peer, frame) => {
      const state = peers.get(peer)
      if (!state) return
      if (frame.byteLength > ROOM_LIMITS.frameBytes)
        return refuse(peer, 'tooLarge', { path: '', message: 'This change is too large' })
      try {
        const decoder = decoding.createDecoder(frame)
        switch (decoding.readVarUint(decoder)) {
          case FRAME.sync:
            return receiveSync(peer, state, decoder)
          case FRAME.awareness:
            return presence.receive(peer, decoding.readVarUint8Array(decoder))
          case FRAME.queryAwareness: {
            if (!takeToken(state)) return refuse(peer, 'rateExceeded')
            const present = presence.snapshot()
            if (present) deliver(peer, toAwarenessFrame(present))
            return
          }
          default:
            return refuse(peer, 'badMessage')
        }
      } catch (error) {
        logger.info({ err: error, document: name, userId: peer.user.id }, 'frame not understood')
        refuse(peer, 'badMessage')
      }
    },

    writeAsServer: async (change) => {
      if (isOver) throw failedWith ?? new Error(`document ${name} is closed`)
      // Composed on the guard, so that it fits behind everything that is on its way.
      let update: Uint8Array | null = null
      const note = (composed: Uint8Array): void => {
        update = composed
      }
      const { clientID } = guard
      guard.on('update', note)
      try {
        guard.clientID = SERVER_CLIENT_ID
        guard.transact(() => change(guard), { kind: 'backend' })
      } catch (error) {
        rebuildGuard()
        throw error
      } finally {
        guard.off('update', note)
        // Never while something arrives: Yjs takes structs under a document's own id for a collision.
        guard.clientID = clientID
      }
      if (update === null) return
      await append(update, { userId: null, newClientIds: [] })
    },

    changeRole: (peer, role) => {
      if (peer.canWrite === role.canWrite && peer.isModerator === role.isModerator) return
      const isNews = peer.canWrite !== role.canWrite
      peer.canWrite = role.canWrite
      peer.isModerator = role.isModerator
      if (!isNews || !peers.has(peer)) return
      peer.send(encodeOwnFrame({ type: 'role', value: { canWrite: role.canWrite } }))
      presence.refresh(peer)
    },

    broadcast: (frame) => broadcast(frame),
    saveSnapshot,

    close: async (code, reason) => {
      if (isClosed) return
      isClosed = true
      isOver = true
      for (const peer of peers.keys()) peer.close(code, reason)
      peers.clear()
      await tail
      await saveSnapshot()
      release()
      reader.close()
      doc.destroy()
      guard.destroy()
    },
  }
}

/** Whether the encoded state, read afresh, says the same as the document. */
function holdsSameContent(state: Uint8Array, doc: Y.Doc): boolean {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, state)
  const isSame = Y.equalSnapshots(Y.snapshot(copy), Y.snapshot(doc))
  copy.destroy()
  return isSame
}

function toSyncFrame(step: number, body: Uint8Array): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, FRAME.sync)
  encoding.writeVarUint(encoder, step)
  encoding.writeVarUint8Array(encoder, body)
  return encoding.toUint8Array(encoder)
}

const toUpdateFrame = (update: Uint8Array): Uint8Array => toSyncFrame(SYNC.update, update)

function toAwarenessFrame(message: Uint8Array): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, FRAME.awareness)
  encoding.writeVarUint8Array(encoder, message)
  return encoding.toUint8Array(encoder)
}
