// One open document: checks, logs, applies, broadcasts and acknowledges updates, in this order (COLLAB-3). Knows peers, not
// sockets; knows the log, not the database; leaves what an update may change to the document's own rules.

import {
  type Author,
  createIncidentReader,
  encodeOwnFrame,
  FRAME,
  type ChangeWatch,
  type IncidentView,
  namedByUpdate,
  type Refusal,
  ROOTS,
  SERVER_CLIENT_ID,
  stampEntries,
  SYNC,
  type World,
} from '@watchroom/shared/collab'
import { type Clock, createRateLimit, type RateLimit } from '@watchroom/shared/kernel'
import { CLOSE_CODES } from '@watchroom/shared/protocol'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'

import { CodedError } from '../platform/errors.ts'
import type { Logger } from '../platform/logger.ts'
import { type Application, applyCarefully } from './applyCarefully.ts'
import type { RoomPeer } from './contract.ts'
import { type Authors, createAuthors } from './createAuthors.ts'
import { createClientIds } from './createClientIds.ts'
import type { DocumentLog, StoredDocument } from './createDocumentLog.ts'
import { createPresence } from './createPresence.ts'
import { createRecently, type Recently } from './createRecently.ts'
import type { References } from './createReferences.ts'
import { COLLAB_ERRORS } from './errors.ts'
import { epochIn, inspectUpdate, type UpdateFacts } from './inspectUpdate.ts'
import { isKnownUpdate } from './isKnownUpdate.ts'

/** Bounds of COLLAB-10. */
export const ROOM_LIMITS = {
  frameBytes: 256 * 1024,
  structs: 2_000,
  deletes: 2_000,
  /** Somebody who was offline sends everything at once. */
  firstSyncStructs: 10_000,
  updates: { perSecond: 60, burst: 120 },
  /** For what is missing: an answer costs as much as the whole document, and a page asks once each time it comes. */
  questions: { perSecond: 2, burst: 20 },
  /** Of updates that wait until what one of them names was looked up. */
  waitingBytes: 512 * 1024,
  documentBytes: 5 * 1024 * 1024,
  bufferedBytes: 1024 * 1024,
  /** Of updates on their way to the log; it takes some KiB in the time of a commit, unless it answers no more. */
  inFlightBytes: 4 * 1024 * 1024,
} as const

/** A snapshot after this many updates, after this long without one, or this long after the first update not in one. */
const SNAPSHOT_UPDATES = 200
const SNAPSHOT_IDLE_MS = 3_000
const SNAPSHOT_MAX_MS = 15_000
/**
 * Between two of them, as one of a large document holds the event loop for some tens of milliseconds: sixty people who type make
 * 200 updates in little more than a second. So many updates that reading them again takes longer do not wait.
 */
const SNAPSHOT_GAP_MS = 5_000
const SNAPSHOT_URGENT_UPDATES = 2_000
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
  readonly watchChange: (doc: Y.Doc, author: Author, world: World) => ChangeWatch
  /** What changes name elsewhere. Without it, everything is taken to be there. */
  readonly references?: References
  /** The document changed and is durable up to `sequence`. */
  readonly onChange: (sequence: number) => void
  /** The log refused: the room is over, everybody was told to come back. */
  readonly onFailed: (error: unknown) => void
  /** A snapshot was taken; `bytes` long, of a document under so many client ids. */
  readonly onSnapshot?: (bytes: number, clientIds: number) => void
  readonly onRejected?: (code: string, peer: RoomPeer) => void
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

interface PeerState {
  received: number
  /** Answered our question for what we lack. */
  hasSynced: boolean
  /** Updates that came before that answer. */
  early: Uint8Array[]
  earlyBytes: number
  readonly updates: RateLimit
  readonly questions: RateLimit
  /** Updates behind one that names what is looked up just now; null while none does. */
  waiting: WaitingUpdate[] | null
  waitingBytes: number
  /** Small updates that took long, and when the first of them came. */
  slow: { count: number; since: number }
  readonly readOnlyRefusals: Recently
  /** Of the last answer to its question: whoever opens a large document has that much to read besides the news. */
  answerBytes: number
}

interface WaitingUpdate {
  readonly update: Uint8Array
  readonly isFirst: boolean
}

export function createRoom(deps: RoomDeps): Room {
  const { name, log, clock, logger } = deps
  const epoch = deps.stored.epoch
  const clients = createClientIds({ clock, known: deps.stored.clients })
  const peers = new Map<RoomPeer, PeerState>()
  const presence = createPresence({
    clock,
    broadcast: (message) => broadcast(toAwarenessFrame(message)),
    mayUse: (clientId, userId) => (clients.ownerOf(clientId) ?? userId) === userId,
  })

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
  let snapshotTakenAt = -Infinity

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
      deps.onRejected?.('tooSlow', peer)
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
    deps.onRejected?.(code, peer)
    if (rejection) peer.send(encodeOwnFrame({ type: 'rejected', value: { code, ...rejection } }))
    remove(peer)
    peer.close(CLOSE_CODES[code].code, rejection?.message.slice(0, 100) ?? code)
  }

  /**
   * @param isFirst the peer's answer to our question: everything that it did without a link, and all deletions that it knows of
   * @param wasLookedUp what it names was asked for: what the backend could not say then is not asked again
   */
  function receiveUpdate(
    peer: RoomPeer,
    state: PeerState,
    update: Uint8Array,
    isFirst: boolean,
    wasLookedUp = false,
  ): void {
    // Updates of one peer build on one another.
    if (state.waiting) return keepWaiting(peer, state, { update, isFirst })
    const facts = inspectUpdate(update)
    if (!facts) return refuse(peer, 'badMessage')
    const lineage = epochIn(facts)
    if (lineage !== null && lineage !== epoch) {
      return refuse(peer, 'epochGone', {
        path: '',
        message: 'This copy is of a document that was replaced by a new one',
      })
    }
    if (isTooLarge(facts, isFirst)) return refuse(peer, 'tooLarge', { path: '', message: 'This change is too large' })
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
    const lookedUp = wasLookedUp ? null : deps.references?.lookUp(namedByUpdate(facts.structs))
    if (lookedUp) {
      state.waiting = []
      keepWaiting(peer, state, { update, isFirst })
      void lookedUp.then(() => stopWaiting(peer, state))
      return
    }
    takeUpdate(peer, state, update, facts)
  }

  /** Judges an update of which everything is known, and hands it to the log. */
  function takeUpdate(peer: RoomPeer, state: PeerState, update: Uint8Array, facts: UpdateFacts): void {
    const newClientIds = [...facts.clientIds].filter((id) => clients.ownerOf(id) === undefined)
    if (!clients.mayClaim(peer.user.id, newClientIds.length)) {
      const message = 'Too many of your pages began to change this incident; wait five minutes'
      return refuse(peer, 'rateExceeded', { path: '', message })
    }
    const verdict = judge(peer, state, update, facts)
    if (verdict === 'again') {
      rebuildGuard()
      remove(peer)
      peer.close(CLOSE_CODES.tooCostly.code, 'send it again')
      return
    }
    if ('reason' in verdict) {
      rebuildGuard()
      logger.info(
        { document: name, userId: peer.user.id, path: verdict.path, reason: verdict.reason },
        'update refused',
      )
      return refuse(peer, 'updateRejected', { path: verdict.path, message: verdict.reason })
    }
    if (inFlightBytes > ROOM_LIMITS.inFlightBytes) return fail(new CodedError(COLLAB_ERRORS.COLLAB_LOG_UNAVAILABLE))
    clients.claim(peer.user.id, newClientIds)
    const { added } = verdict
    const stamp =
      added.length === 0
        ? null
        : composeAsServer((target) => stampEntries(target, added, new Date(clock.now()).toISOString()))
    // One entry of the log: no crash can part what was added from when.
    const logged = stamp ? Y.mergeUpdates([update, stamp]) : update
    // A failed append ends the room by itself.
    append(logged, { userId: peer.user.id, newClientIds, peer, state, stamp }).catch(() => undefined)
  }

  /** Somebody who was offline sends everything at once, and names every deletion of the document again. */
  function isTooLarge(facts: UpdateFacts, isFirst: boolean): boolean {
    if (!isFirst) return facts.structs.length > ROOM_LIMITS.structs || facts.deletes > ROOM_LIMITS.deletes
    if (facts.structs.length > ROOM_LIMITS.firstSyncStructs) return true
    return (
      facts.deletes > ROOM_LIMITS.firstSyncStructs &&
      facts.deletes > ROOM_LIMITS.firstSyncStructs + (inspectUpdate(ownDeletions())?.deletes ?? 0)
    )
  }

  /** What every answer of an honest peer holds besides its news. */
  const ownDeletions = (): Uint8Array => Y.encodeStateAsUpdate(doc, Y.encodeStateVector(doc))

  function mayBeLarger(frame: Uint8Array, state: PeerState): boolean {
    return !state.hasSynced && frame.byteLength <= ROOM_LIMITS.frameBytes + ownDeletions().byteLength
  }

  function keepWaiting(peer: RoomPeer, state: PeerState, waiting: WaitingUpdate): void {
    state.waitingBytes += waiting.update.byteLength
    // The first may be larger.
    if (state.waitingBytes > ROOM_LIMITS.waitingBytes && (state.waiting?.length ?? 0) > 0) {
      return refuse(peer, 'tooLarge', { path: '', message: 'This change is too large' })
    }
    state.waiting?.push({ ...waiting, update: waiting.update.slice() })
  }

  /** Also of somebody who has left meanwhile: what arrived is taken, as it would have been at once. */
  function stopWaiting(peer: RoomPeer, state: PeerState): void {
    const waiting = state.waiting ?? []
    state.waiting = null
    state.waitingBytes = 0
    if (isOver) return
    const wasHere = peers.has(peer)
    for (const [index, { update, isFirst }] of waiting.entries()) {
      if (wasHere && !peers.has(peer)) return
      receiveUpdate(peer, state, update, isFirst, index === 0)
    }
  }

  function mayWriteAs(clientId: number, userId: string): boolean {
    const owner = clients.ownerOf(clientId)
    if (owner !== undefined) return owner === userId
    // A page stands under its id before it writes: nobody else may be faster.
    if ((presence.holderOf(clientId) ?? userId) !== userId) return false
    // Written under, but by no person: a seed's id.
    return clientId !== SERVER_CLIENT_ID && Y.getState(guard.store, clientId) === 0
  }

  /** `again`: it took too long, which the machine may be to blame for. */
  function judge(
    peer: RoomPeer,
    state: PeerState,
    update: Uint8Array,
    facts: UpdateFacts,
  ): Refusal | 'again' | { readonly added: readonly string[] } {
    const author = { userId: peer.user.id, isModerator: peer.isModerator }
    const watch = deps.watchChange(guard, author, { isMissing: (named) => deps.references?.isMissing(named) ?? false })
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
    return { added: watch.added() }
  }

  function isOften(state: PeerState): boolean {
    const now = clock.monotonic()
    if (now - state.slow.since > SLOW_WITHIN_MS) state.slow = { count: 0, since: now }
    state.slow.count += 1
    return state.slow.count > MAX_SLOW_UPDATES
  }

  /** Composed on the guard, so that it fits behind everything that is on its way. Null when nothing changes. */
  function composeAsServer(change: (target: Y.Doc) => void): Uint8Array | null {
    const composed: Uint8Array[] = []
    const note = (update: Uint8Array): void => void composed.push(update)
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
    return composed[0] ?? null
  }

  function append(
    update: Uint8Array,
    by: {
      userId: string | null
      newClientIds: number[]
      peer?: RoomPeer
      state?: PeerState
      /** The server's part of the update, which its sender does not have. */
      stamp?: Uint8Array | null
    },
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
      if (by.peer && by.stamp && peers.has(by.peer)) deliver(by.peer, toUpdateFrame(by.stamp))
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
    const gapMs = unsaved.updates >= SNAPSHOT_URGENT_UPDATES ? 0 : Math.max(0, snapshotTakenAt + SNAPSHOT_GAP_MS - now)
    cancelSnapshot = clock.schedule(() => void saveSnapshot(), isDue ? gapMs : SNAPSHOT_IDLE_MS)
  }

  async function saveSnapshot(): Promise<void> {
    cancelSnapshot?.()
    cancelSnapshot = null
    if (durable === snapshotAt) return
    snapshotTakenAt = clock.monotonic()
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
      if (!isOver) deps.onSnapshot?.(state.byteLength, clients.size)
    } catch (error) {
      // The log still holds everything; the next change tries again.
      logger.warn({ err: error, document: name }, 'document snapshot not saved')
    }
  }

  function receiveSync(peer: RoomPeer, state: PeerState, decoder: decoding.Decoder): void {
    const step = decoding.readVarUint(decoder)
    const body = decoding.readVarUint8Array(decoder)
    if (step === SYNC.step1) {
      if (!state.questions.tryTake())
        return refuse(peer, 'rateExceeded', { path: '', message: 'Too many questions in a short time' })
      const answer = toSyncFrame(SYNC.step2, missingSince(body))
      deliver(peer, answer)
      state.answerBytes = answer.byteLength
      return
    }
    if (!state.updates.tryTake())
      return refuse(peer, 'rateExceeded', { path: '', message: 'Too many changes in a short time' })
    if (step !== SYNC.step2 && step !== SYNC.update) return refuse(peer, 'badMessage')
    if (step === SYNC.update && !state.hasSynced) return keepEarly(peer, state, body)
    const isFirst = !state.hasSynced
    state.hasSynced = true
    receiveUpdate(peer, state, body, isFirst)
    for (const update of state.early.splice(0)) if (peers.has(peer)) receiveUpdate(peer, state, update, false)
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
    peers,

    join: (peer) => {
      if (isOver) return peer.close(CLOSE_CODES.draining.code, 'come back')
      peers.set(peer, {
        received: 0,
        hasSynced: false,
        early: [],
        earlyBytes: 0,
        updates: createRateLimit(clock, ROOM_LIMITS.updates),
        questions: createRateLimit(clock, ROOM_LIMITS.questions),
        waiting: null,
        waitingBytes: 0,
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
      if (frame.byteLength > ROOM_LIMITS.frameBytes && !mayBeLarger(frame, state))
        return refuse(peer, 'tooLarge', { path: '', message: 'This change is too large' })
      try {
        const decoder = decoding.createDecoder(frame)
        switch (decoding.readVarUint(decoder)) {
          case FRAME.sync:
            return receiveSync(peer, state, decoder)
          case FRAME.awareness:
            return presence.receive(peer, decoding.readVarUint8Array(decoder))
          case FRAME.queryAwareness: {
            if (!state.questions.tryTake()) return refuse(peer, 'rateExceeded')
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
      const update = composeAsServer(change)
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
