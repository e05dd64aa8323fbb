// The socket side of shared documents: admission, identity, frames in and out. What a frame means is the room's business.

import { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders, Server } from 'node:http'
import type { Socket } from 'node:net'

import websocket from '@fastify/websocket'
import { mayModerate } from '@watchroom/shared/access'
import { encodeOwnFrame, FRAME, INCIDENT_LAYOUT } from '@watchroom/shared/collab'
import { createTimer, NIL_UUID, type Timer } from '@watchroom/shared/kernel'
import { CLOSE_CODES, type CloseName } from '@watchroom/shared/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'

import type { Identity } from '../access/contract.ts'
import { createSocketAdmission } from '../platform/createSocketAdmission.ts'
import { CodedError } from '../platform/errors.ts'
import type { Collab, CollabDeps, RoomPeer } from './contract.ts'
import { COMPACTION, createDocumentHub, type OpenDocument } from './createDocumentHub.ts'
import { createFairTurns } from './createFairTurns.ts'
import { createReaderWatch, READER_SETTINGS } from './createReaderWatch.ts'
import { createReferences } from './createReferences.ts'
import { createRefusals, type Visitor } from './createRefusals.ts'
import { ROOM_LIMITS } from './createRoom.ts'
import { createTurnstile } from './createTurnstile.ts'
import { createIncidentTables } from './incidentTables.ts'

const PREFIX = '/collab/'
/** Frames that arrive while the document is being opened; an honest client sends two. */
const MAX_EARLY_FRAMES = 64
/** Sessions and roles are looked up again this often even if nobody says that they changed. */
const RECHECK_MS = 50_000
/** The same where nobody would say it: rights hold for at most 30 s, an ended session for a minute. */
const UNANNOUNCED_RECHECK_MS = 24_000
/** And an edit is judged by an answer no older than this (COLLAB-40). */
const CONFIRM_RIGHTS_MS = 4_000
/** Whoever looks again wants to know what is true now, not what somebody heard a while ago. */
const MAX_ANSWER_AGE_MS = 1_000
const MIN_RECHECK_MS = 1_000
/** Timers may be early by a millisecond. */
const END_MARGIN_MS = 20
/** A session that cannot be confirmed for this long ends. */
const UNCONFIRMED_MS = 300_000
/** Frames that wait while their sender's rights are looked up. */
const MAX_HELD_FRAMES = 256
/** Open sockets of one gateway. */
const MAX_SOCKETS = 5_000
/** Frames of a socket that wait for their turn; at the first number it is not read any more, at the second it is again. */
const PAUSE_AT = 64
const RESUME_AT = 16
/** A change is checked against the document; a caret only replaces another. */
const WEIGHT_OF_CHANGE = 4
const WEIGHT_OF_REST = 1
/** Of what a page calls itself. */
const MAX_PAGE_LENGTH = 40
/** Whoever asked for it hears something at least every so often (COLLAB-27). */
const BEAT_MS = 2_000
const BEAT_LOOK_MS = 500
const BEAT = encodeOwnFrame({ type: 'beat', value: { everyMs: BEAT_MS } })
/** Between the farewell and the end of a socket. */
const FAREWELL_MS = 1_000
/** A handshake takes about 0.3 ms. */
const UPGRADES_PER_TURN = 8

interface Guest {
  readonly peer: RoomPeer
  readonly headers: IncomingHttpHeaders
  readonly wantsBeat: boolean
  /** Null while it is being opened. */
  document: OpenDocument | null
  /** Monotonic. */
  spokenAt: number
  readonly address: string
  identity: Identity
  /** Monotonic time of the last look at the identity. */
  confirmedAt: number
  /** Since when nobody could say whether the session holds; null while somebody can. */
  unconfirmedSince: number | null
  readonly timer: Timer
}

/** What `preValidation` found out, for the handler: a socket can only be closed with a reason after it was accepted. */
type Admission = { kind: 'admitted'; identity: Identity } | { kind: 'refused'; reason: CloseName }

export async function createCollab(app: FastifyInstance, deps: CollabDeps): Promise<Collab> {
  const { access, clock, logger, metrics } = deps
  const acknowledgements = metrics.histogram({
    name: 'watchroom_document_ack_seconds',
    help: 'From reading an update to its durable acknowledgement',
  })
  const rejections = metrics.counter({
    name: 'watchroom_document_rejected_total',
    help: 'Updates and sockets that were refused',
    labelNames: ['code'],
  })
  const refusals = createRefusals({ clock })
  const visitors = new WeakMap<RoomPeer, Visitor>()
  const turns = createFairTurns({ clock })
  const hub = createDocumentHub({
    pool: deps.pool,
    tables: createIncidentTables(deps.backend),
    references: createReferences({ backend: deps.backend, clock, logger }),
    clock,
    random: deps.random,
    logger,
    compaction: deps.compaction ?? COMPACTION,
    layout: deps.layout ?? INCIDENT_LAYOUT,
    onAcknowledged: (durationMs) => acknowledgements.observe(durationMs / 1000),
    onRejected: (code, peer) => {
      rejections.inc({ code })
      const visitor = visitors.get(peer)
      if (code !== 'tooSlow' && visitor) refusals.note(visitor)
    },
    onOpen: deps.onOpen,
  })
  metrics.gauge({
    name: 'watchroom_documents_open',
    help: 'Documents held in memory',
    collect() {
      this.set(hub.openDocuments().size)
    },
  })

  const readers = createReaderWatch({ clock, settings: deps.readerSettings ?? READER_SETTINGS })
  const guests = new Map<WebSocket, Guest>()
  const { perPerson, perAddress } = deps.socketLimits
  const admission = createSocketAdmission({
    hosts: deps.hosts,
    // A look at the session is all that a socket waits for here, and those are bounded by themselves.
    limits: { total: MAX_SOCKETS, perAddress, perPerson, pending: MAX_SOCKETS, pendingPerAddress: perAddress },
  })
  const outcomes = new WeakMap<FastifyRequest, Admission>()
  let isDraining = false

  // @fastify/websocket would answer every upgrade of the server; it gets an emitter instead, and only our paths.
  const upgrades = new EventEmitter()
  const turn = createTurnstile({ perTurn: UPGRADES_PER_TURN, maxWaiting: MAX_SOCKETS })
  deps.upgrades.add(PREFIX, (request, socket, head) => {
    void turn().then((isTaken) => {
      if (!isTaken || !upgrades.emit('upgrade', request, socket, head)) socket.destroy()
    })
  })
  await app.register(websocket, {
    options: {
      server: upgrades as unknown as Server,
      maxPayload: 4 * ROOM_LIMITS.frameBytes,
      perMessageDeflate: false,
    },
  })

  const admit = async (request: FastifyRequest): Promise<Admission> => {
    const place = isDraining ? 'full' : admission.enter(request.raw)
    if (typeof place === 'string') return { kind: 'refused', reason: place === 'full' ? 'draining' : 'rateExceeded' }
    let identity: Identity | null
    try {
      identity = await access.identify(request.headers, { address: request.ip })
    } catch (error) {
      logger.info({ err: error }, 'session of a document socket cannot be checked')
      return { kind: 'refused', reason: 'tokenExpired' }
    }
    if (!identity) return { kind: 'refused', reason: 'loginNeeded' }
    if (!access.can(identity, 'read', 'incident')) return { kind: 'refused', reason: 'accessRemoved' }
    // Where nobody signs in, everybody is one person.
    const person = identity.userId === NIL_UUID ? null : identity.userId
    if (refusals.isOver(toVisitor(request, identity)) || !place.confirm(person)) {
      return { kind: 'refused', reason: 'rateExceeded' }
    }
    return { kind: 'admitted', identity }
  }

  const checkBeforeUpgrade = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!admission.isOwn(request.raw)) {
      rejections.inc({ code: 'foreignOrigin' })
      await reply.code(403).send()
      return
    }
    const outcome = await admit(request)
    // Sessions are looked up together and answered together: the handshakes wait for their turn again.
    await turn()
    outcomes.set(request, outcome)
  }

  app.get(`${PREFIX}*`, { websocket: true, preValidation: checkBeforeUpgrade }, (socket, request) => {
    const outcome = outcomes.get(request)
    socket.on('error', (error) => logger.debug({ err: error }, 'document socket failed'))
    if (outcome?.kind === 'admitted') {
      welcome(socket, request, outcome.identity)
      return
    }
    const reason = outcome?.reason ?? 'rateExceeded'
    dismiss(socket, CLOSE_CODES[reason].code, reason)
  })

  /** Says why and waits a moment for the other side to leave. Whoever goes on sending is not read any more: that costs time. */
  const dismiss = (socket: WebSocket, code: number, reason: string): void => {
    if (socket.readyState !== socket.OPEN) return
    socket.close(code, reason)
    socket.on('message', () => socket.pause())
    clock.schedule(() => socket.terminate(), FAREWELL_MS)
  }

  /** Listens at once: a frame that arrives before anybody listens is lost. */
  const welcome = (socket: WebSocket, request: FastifyRequest, identity: Identity): void => {
    const early: Uint8Array[] = []
    const peer = toPeer(socket, request, identity)
    const { userId } = identity
    const guest: Guest = {
      peer,
      headers: request.headers,
      wantsBeat: readQuery(request, 'beat') !== undefined,
      document: null,
      spokenAt: clock.monotonic(),
      address: request.ip,
      identity,
      confirmedAt: clock.monotonic(),
      unconfirmedSince: null,
      timer: createTimer(clock),
    }
    guests.set(socket, guest)
    plan(guest)
    visitors.set(peer, toVisitor(request, identity))
    // What changed between the look at the session and this moment was told to nobody here.
    void recheck(guest)
    readers.add(socket, () => {
      rejections.inc({ code: 'tooSlow' })
      peer.close(CLOSE_CODES.tooSlow.code, 'too slow')
    })
    /** A flood waits in the network, and at its own end: everybody else's frames are read meanwhile (COLLAB-24). */
    const read = ({ room }: OpenDocument, frame: Uint8Array): void => {
      turns.add(userId, socket, frame[0] === FRAME.sync ? WEIGHT_OF_CHANGE : WEIGHT_OF_REST, () => {
        room.receive(peer, frame)
        if (socket.isPaused && socket.readyState === socket.OPEN && turns.waiting(socket) < RESUME_AT) socket.resume()
      })
      if (turns.waiting(socket) > PAUSE_AT) socket.pause()
    }
    const receive = (frame: Uint8Array): void => {
      if (guest.document) read(guest.document, frame)
      else if (early.length < MAX_EARLY_FRAMES && frame.byteLength <= ROOM_LIMITS.frameBytes) early.push(frame)
      else peer.close(CLOSE_CODES.tooLarge.code, 'too much before the document was open')
    }
    /** Frames that wait until it is known anew what their sender may. */
    const held: Uint8Array[] = []
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return peer.close(CLOSE_CODES.badMessage.code, 'binary frames only')
      const frame = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      if (held.length === 0 && mayAct(guest)) return receive(frame)
      held.push(frame)
      if (held.length > MAX_HELD_FRAMES) peer.close(CLOSE_CODES.rateExceeded.code, 'too many messages')
      else if (held.length === 1) {
        void recheck(guest).then(() => {
          if (socket.readyState === socket.OPEN) for (const one of held.splice(0)) receive(one)
        })
      }
    })
    socket.on('close', () => {
      guests.delete(socket)
      guest.timer.clear()
      readers.remove(socket)
      const { document } = guest
      // Behind what was sent before.
      if (document) turns.add(userId, socket, 0, () => hub.leave(document, peer))
    })
    const name = toDocumentPath(request)
    const epoch = readQuery(request, 'epoch')
    hub.open(name).then(
      (opened) => {
        if (socket.readyState !== socket.OPEN) return
        // What it kept is of another lineage: mixed with this one it would come back to life (COLLAB-19).
        if (epoch !== undefined && epoch !== opened.room.epoch) {
          return peer.close(CLOSE_CODES.epochGone.code, 'epoch gone')
        }
        guest.document = opened
        hub.join(opened, peer)
        if (guest.wantsBeat) peer.send(BEAT)
        for (const frame of early) read(opened, frame)
      },
      (error: unknown) => refuse(peer, name, error),
    )
  }

  const refuse = (peer: RoomPeer, name: string, error: unknown): void => {
    if (error instanceof CodedError && error.code === 'COLLAB_DOCUMENT_NOT_FOUND') {
      return peer.close(CLOSE_CODES.notFound.code, 'no such incident')
    }
    logger.warn({ err: error, document: name }, 'document not opened')
    peer.close(CLOSE_CODES.draining.code, 'come back')
  }

  /** Frames of one turn go out in one write: a system call for each costs more than everything else about them. */
  const createGatheringWriter = (socket: Socket): { gather: () => void; flush: () => void } => {
    let isGathering = false
    const flush = (): void => {
      if (!isGathering) return
      isGathering = false
      socket.uncork()
    }
    const gather = (): void => {
      if (isGathering) return
      isGathering = true
      socket.cork()
      process.nextTick(flush)
    }
    return { gather, flush }
  }

  const toPeer = (socket: WebSocket, request: FastifyRequest, identity: Identity): RoomPeer => {
    const writes = createGatheringWriter(request.raw.socket)
    return {
      socketId: request.id,
      user: { id: identity.userId, name: identity.name || identity.email, avatar: null },
      ...rightsOf(identity),
      send: (frame) => {
        if (socket.readyState !== socket.OPEN) return
        writes.gather()
        socket.send(frame)
        const guest = guests.get(socket)
        if (guest?.wantsBeat) guest.spokenAt = clock.monotonic()
      },
      flush: writes.flush,
      close: (code, reason) => dismiss(socket, code, reason),
      bufferedBytes: () => socket.bufferedAmount,
    }
  }

  const rightsOf = (identity: Identity): { canWrite: boolean; isModerator: boolean } => ({
    canWrite: access.can(identity, 'write', 'incident'),
    isModerator: mayModerate(identity.roles),
  })

  /** Whether the last look at a guest is recent enough for another edit. */
  const mayAct = (guest: Guest): boolean =>
    access.isAnnounced() || clock.monotonic() - guest.confirmedAt < CONFIRM_RIGHTS_MS

  /** The next look at a guest: now and then, and when the session ends by itself. */
  const plan = (guest: Guest): void => {
    const everyMs = access.isAnnounced() ? RECHECK_MS : UNANNOUNCED_RECHECK_MS
    const { endsAt = Infinity } = guest.identity
    const untilEndMs = Math.max(MIN_RECHECK_MS, endsAt - clock.now() + END_MARGIN_MS)
    guest.timer.set(
      () => {
        plan(guest)
        void recheck(guest)
      },
      Math.min(everyMs * (0.8 + deps.random() / 5), untilEndMs),
    )
  }

  const handleUnconfirmed = (guest: Guest, error: unknown): void => {
    const { peer, identity } = guest
    logger.info({ err: error, userId: peer.user.id }, 'session of a document socket cannot be checked')
    // The time at which a session ends needs nobody's confirmation.
    if ((identity.endsAt ?? Infinity) <= clock.now()) return peer.close(CLOSE_CODES.loginNeeded.code, 'session ended')
    // The backend is away: the last answer holds for a while, or every outage would throw everybody out.
    guest.unconfirmedSince ??= clock.monotonic()
    if (clock.monotonic() - guest.unconfirmedSince >= UNCONFIRMED_MS) {
      peer.close(CLOSE_CODES.tokenExpired.code, 'session not confirmed')
    }
  }

  const recheck = async (guest: Guest): Promise<void> => {
    const { peer, headers, address } = guest
    let identity: Identity | null
    try {
      identity = await access.identify(headers, { address, maxAgeMs: MAX_ANSWER_AGE_MS })
    } catch (error) {
      handleUnconfirmed(guest, error)
      return
    }
    guest.unconfirmedSince = null
    guest.confirmedAt = clock.monotonic()
    if (identity?.userId !== peer.user.id) return peer.close(CLOSE_CODES.loginNeeded.code, 'session ended')
    guest.identity = identity
    // The session may end at another time now, unless the socket is gone already.
    if (guest.timer.isSet() && (identity.endsAt ?? Infinity) - clock.now() < RECHECK_MS) plan(guest)
    if (!access.can(identity, 'read', 'incident')) return peer.close(CLOSE_CODES.accessRemoved.code, 'access removed')
    const room = guest.document?.room
    if (room?.peers.has(peer)) room.changeRole(peer, rightsOf(identity))
    // Whose document is still being opened joins it with these.
    else Object.assign(peer, rightsOf(identity))
  }

  const recheckAll = (isAffected: (guest: Guest) => boolean): void => {
    for (const guest of guests.values()) if (isAffected(guest)) void recheck(guest)
  }
  const stopListening = access.onChange((change) =>
    recheckAll(({ peer }) => change === 'all' || change.userId === peer.user.id),
  )
  const beatTimer = createTimer(clock)
  const beat = (): void => {
    const due = clock.monotonic() - BEAT_MS + BEAT_LOOK_MS
    for (const { peer, document, wantsBeat, spokenAt } of guests.values())
      if (wantsBeat && document && spokenAt <= due) peer.send(BEAT)
    beatTimer.set(beat, BEAT_LOOK_MS)
  }
  beat()

  return {
    wake: (incidentId) => hub.wake(incidentId),
    drain: async () => {
      isDraining = true
      await hub.close()
    },
    close: async () => {
      isDraining = true
      beatTimer.clear()
      turns.close()
      readers.close()
      stopListening()
      await hub.close()
      for (const [socket, { timer }] of guests) {
        timer.clear()
        socket.terminate()
      }
    },
  }
}

function toDocumentPath(request: FastifyRequest): string {
  return (request.params as { '*': string })['*']
}

/**
 * What a client says in its address: `epoch` of the copy that it brings along (without one it has nothing, or is a stock client
 * that does not say), `beat` when it wants to hear that the link is alive, `page` to be told from its person's other pages.
 */
function readQuery(request: FastifyRequest, name: 'epoch' | 'beat' | 'page'): string | undefined {
  const value = (request.query as Partial<Record<string, unknown>>)[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function toVisitor(request: FastifyRequest, { userId }: Identity): Visitor {
  return {
    userId,
    document: toDocumentPath(request),
    page: readQuery(request, 'page')?.slice(0, MAX_PAGE_LENGTH) ?? '',
  }
}
