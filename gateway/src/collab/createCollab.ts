// The socket side of shared documents: admission, identity, frames in and out. What a frame means is the room's business.

import { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders, Server } from 'node:http'
import type { Socket } from 'node:net'

import websocket from '@fastify/websocket'
import { mayModerate } from '@watchroom/shared/access'
import { INCIDENT_LAYOUT } from '@watchroom/shared/collab'
import { createTimer } from '@watchroom/shared/kernel'
import { CLOSE_CODES, type CloseName } from '@watchroom/shared/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'

import type { Identity } from '../access/contract.ts'
import { CodedError } from '../platform/errors.ts'
import { judgeOrigin } from '../platform/sameOrigin.ts'
import type { Collab, CollabDeps, RoomPeer } from './contract.ts'
import { COMPACTION, createDocumentHub, type OpenDocument } from './createDocumentHub.ts'
import { createReaderWatch, READER_SETTINGS } from './createReaderWatch.ts'
import { createRecently, type Recently } from './createRecently.ts'
import { ROOM_LIMITS } from './createRoom.ts'
import { createTurnstile } from './createTurnstile.ts'
import { createIncidentTables } from './incidentTables.ts'

const PREFIX = '/collab/'
/** Frames that arrive while the document is being opened; an honest client sends two. */
const MAX_EARLY_FRAMES = 64
/** Rights are looked up again this often even if nobody says that they changed. */
const RECHECK_MS = 60_000
/** Open sockets of one gateway, and of one person. */
const MAX_SOCKETS = 5_000
const MAX_SOCKETS_PER_PERSON = 100
/** In a minute. An honest page has perhaps one a day. */
const MAX_REFUSALS_PER_PERSON = 30
/** Between the farewell and the end of a socket. */
const FAREWELL_MS = 1_000
/** A handshake takes about 0.3 ms. */
const UPGRADES_PER_TURN = 8

interface Guest {
  readonly peer: RoomPeer
  readonly headers: IncomingHttpHeaders
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
  /** By person: whoever comes back at once after each refusal does not mean well. */
  const refusals = new Map<string, Recently>()
  const refusalsOf = (userId: string): Recently => {
    const known = refusals.get(userId) ?? createRecently({ clock, limit: MAX_REFUSALS_PER_PERSON })
    refusals.set(userId, known)
    return known
  }
  const hub = createDocumentHub({
    pool: deps.pool,
    tables: createIncidentTables(deps.backend),
    clock,
    random: deps.random,
    logger,
    compaction: deps.compaction ?? COMPACTION,
    layout: deps.layout ?? INCIDENT_LAYOUT,
    onAcknowledged: (durationMs) => acknowledgements.observe(durationMs / 1000),
    onRejected: (code, userId) => {
      rejections.inc({ code })
      if (code !== 'tooSlow') refusalsOf(userId).note()
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
  const admissions = new WeakMap<FastifyRequest, Admission>()
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
    if (isDraining || guests.size >= MAX_SOCKETS) return { kind: 'refused', reason: 'draining' }
    let identity: Identity | null
    try {
      identity = await access.identify(request.headers)
    } catch (error) {
      logger.info({ err: error }, 'session of a document socket cannot be checked')
      return { kind: 'refused', reason: 'tokenExpired' }
    }
    if (!identity) return { kind: 'refused', reason: 'loginNeeded' }
    if (!access.can(identity, 'read', 'incident')) return { kind: 'refused', reason: 'accessRemoved' }
    const own = [...guests.values()].filter(({ peer }) => peer.user.id === identity.userId).length
    if (own >= MAX_SOCKETS_PER_PERSON || refusals.get(identity.userId)?.isOver())
      return { kind: 'refused', reason: 'rateExceeded' }
    return { kind: 'admitted', identity }
  }

  const checkBeforeUpgrade = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // Browsers send cookies with sockets of foreign pages too; programs bring a header of their own.
    const verdict = judgeOrigin(request.headers, request.host)
    const isProgram = request.headers['x-session-token'] !== undefined || request.headers.authorization !== undefined
    if (verdict === 'foreign' || (verdict === 'unknown' && !isProgram)) {
      rejections.inc({ code: 'foreignOrigin' })
      await reply.code(403).send()
      return
    }
    const admission = await admit(request)
    // Sessions are looked up together and answered together: the handshakes wait for their turn again.
    await turn()
    admissions.set(request, admission)
  }

  app.get(`${PREFIX}*`, { websocket: true, preValidation: checkBeforeUpgrade }, (socket, request) => {
    const admission = admissions.get(request)
    socket.on('error', (error) => logger.debug({ err: error }, 'document socket failed'))
    if (admission?.kind === 'admitted') {
      welcome(socket, request, admission.identity)
      return
    }
    const reason = admission?.reason ?? 'loginNeeded'
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
    let document: OpenDocument | null = null
    const peer = toPeer(socket, request, identity)
    const guest: Guest = { peer, headers: request.headers }
    guests.set(socket, guest)
    // What changed between the look at the session and this moment was told to nobody here.
    void recheck(guest)
    readers.add(socket, () => {
      rejections.inc({ code: 'tooSlow' })
      peer.close(CLOSE_CODES.tooSlow.code, 'too slow')
    })
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return peer.close(CLOSE_CODES.badMessage.code, 'binary frames only')
      const frame = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      if (document) document.room.receive(peer, frame)
      else if (early.length < MAX_EARLY_FRAMES && frame.byteLength <= ROOM_LIMITS.frameBytes) early.push(frame)
      else peer.close(CLOSE_CODES.tooLarge.code, 'too much before the document was open')
    })
    socket.on('close', () => {
      guests.delete(socket)
      readers.remove(socket)
      if (document) hub.leave(document, peer)
    })
    const name = (request.params as { '*': string })['*']
    const epoch = readEpoch(request)
    hub.open(name).then(
      (opened) => {
        if (socket.readyState !== socket.OPEN) return
        // What it kept is of another lineage: mixed with this one it would come back to life (COLLAB-19).
        if (epoch !== undefined && epoch !== opened.room.epoch) {
          return peer.close(CLOSE_CODES.epochGone.code, 'epoch gone')
        }
        document = opened
        hub.join(opened, peer)
        for (const frame of early) opened.room.receive(peer, frame)
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

  const recheck = async ({ peer, headers }: Guest): Promise<void> => {
    let identity: Identity | null
    try {
      identity = await access.identify(headers)
    } catch (error) {
      // The backend is away: the last answer holds, or every outage would throw everybody out.
      logger.info({ err: error, userId: peer.user.id }, 'session of a document socket cannot be checked')
      return
    }
    if (!identity) return peer.close(CLOSE_CODES.loginNeeded.code, 'session ended')
    if (!access.can(identity, 'read', 'incident')) return peer.close(CLOSE_CODES.accessRemoved.code, 'access removed')
    const rooms = [...hub.openDocuments().values()].flatMap(({ room }) => (room.peers.has(peer) ? [room] : []))
    for (const room of rooms) room.changeRole(peer, rightsOf(identity))
    // Whose document is still being opened joins it with these.
    if (rooms.length === 0) Object.assign(peer, rightsOf(identity))
  }

  const recheckAll = (isAffected: (guest: Guest) => boolean): void => {
    for (const guest of guests.values()) if (isAffected(guest)) void recheck(guest)
  }
  const stopListening = access.onChange((change) =>
    recheckAll(({ peer }) => change === 'all' || change.userId === peer.user.id),
  )
  const timer = createTimer(clock)
  const plan = (): void =>
    timer.set(() => {
      recheckAll(() => true)
      plan()
    }, RECHECK_MS)
  plan()

  return {
    wake: (incidentId) => hub.wake(incidentId),
    drain: async () => {
      isDraining = true
      await hub.close()
    },
    close: async () => {
      isDraining = true
      timer.clear()
      readers.close()
      stopListening()
      await hub.close()
      for (const socket of guests.keys()) socket.terminate()
    },
  }
}

/** Epoch of the copy that a client brings along. Without one it has nothing, or is a stock client that does not say. */
function readEpoch(request: FastifyRequest): string | undefined {
  const { epoch } = request.query as { epoch?: unknown }
  return typeof epoch === 'string' && epoch !== '' ? epoch : undefined
}
