// Shared documents, put together: which sockets are let in, and what serves them. What a frame means is the room's business, and
// what a document says its kind's.

import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'

import websocket from '@fastify/websocket'
import { parseDocumentName } from '@watchroom/shared/collab'
import { createRateLimits, NIL_UUID } from '@watchroom/shared/kernel'
import { CLOSE_CODES, type CloseName } from '@watchroom/shared/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Identity } from '../access/contract.ts'
import { SESSION_WATCH_SETTINGS } from '../platform/createSessionWatch.ts'
import { createSocketAdmission } from '../platform/createSocketAdmission.ts'
import { CodedError } from '../platform/errors.ts'
import type { Collab, CollabDeps, RoomPeer } from './contract.ts'
import { createDocumentHub, type DocumentHub } from './createDocumentHub.ts'
import type { DocumentKind } from './documentKind.ts'
import { COMPACTION } from './log/createEpochs.ts'
import type { ServedKind } from './openDocument.ts'
import { createReferences } from './room/createReferences.ts'
import { ROOM_LIMITS } from './room/roomLimits.ts'
import { createDismissal } from './socket/createDismissal.ts'
import { createLockout, type DocumentPage } from './socket/createLockout.ts'
import { READER_SETTINGS } from './socket/createReaderWatch.ts'
import { type DocumentRights, type DocumentVerdict, findRights } from './socket/createSessions.ts'
import { createSocketAcceptor } from './socket/createSocketAcceptor.ts'
import { createTurnstile } from './socket/createTurnstile.ts'
import { type DocumentAddress, readDocumentAddress } from './socket/documentAddress.ts'

const PREFIX = '/collab/'
/** Open sockets of one gateway. */
const MAX_SOCKETS = 5_000
/** Documents that one person may have loaded: some dozen pages come back at once after a restart, nobody reads one a second. */
const OPENINGS = { burst: 60, perSecond: 1 }
/** A handshake takes about 0.3 ms. */
const UPGRADES_PER_TURN = 8

/** What `preValidation` found out, for the handler: a socket can only be closed with a reason after it was accepted. */
type Admission =
  | {
      readonly kind: 'admitted'
      readonly identity: Identity
      readonly rights: DocumentRights
      readonly of: DocumentKind
    }
  | { readonly kind: 'refused'; readonly reason: CloseName }

export async function createCollab(app: FastifyInstance, deps: CollabDeps): Promise<Collab> {
  const { access, clock, logger } = deps
  const { acknowledgements, rejections } = createMeasurements(deps, () => hub)
  const lockout = createLockout({ clock })
  const openings = createRateLimits(clock, OPENINGS)
  const pages = new WeakMap<RoomPeer, DocumentPage>()
  const kinds = new Map(deps.kinds.map((kind) => [kind.name, toServedKind(kind, deps)]))
  const hub = createDocumentHub({
    pool: deps.pool,
    kinds,
    clock,
    random: deps.random,
    logger,
    compaction: deps.compaction ?? COMPACTION,
    ...(deps.maxDocuments === undefined ? {} : { maxDocuments: deps.maxDocuments }),
    onAcknowledged: (durationMs) => acknowledgements.observe(durationMs / 1000),
    onRejected: (code, peer) => {
      rejections.inc({ code })
      const page = pages.get(peer)
      if (code !== 'tooSlow' && page) lockout.noteRefusal(page)
    },
  })
  const dismiss = createDismissal(clock)
  const acceptor = createSocketAcceptor({
    hub,
    access,
    sights: deps.sights,
    clock,
    random: deps.random,
    logger,
    readerSettings: deps.readerSettings ?? READER_SETTINGS,
    sessionWatch: deps.sessionWatch ?? SESSION_WATCH_SETTINGS,
    dismiss,
    onStuck: () => rejections.inc({ code: 'tooSlow' }),
  })
  const { perPerson, perAddress } = deps.socketLimits
  const admission = createSocketAdmission({
    hosts: deps.hosts,
    // A look at the session is all that a socket waits for here, and those are bounded by themselves.
    limits: { total: MAX_SOCKETS, perAddress, perPerson, pending: MAX_SOCKETS, pendingPerAddress: perAddress },
  })
  const turn = createTurnstile({ perTurn: UPGRADES_PER_TURN, maxWaiting: MAX_SOCKETS })
  const outcomes = new WeakMap<FastifyRequest, Admission>()
  let isDraining = false

  // @fastify/websocket would answer every upgrade of the server; it gets an emitter instead, and only our paths.
  const upgrades = new EventEmitter()
  deps.upgrades.add(PREFIX, (request, socket, head) => {
    void turn().then((isTaken) => {
      // Whoever left while they waited is not looked up any more.
      if (!isTaken || socket.destroyed || !upgrades.emit('upgrade', request, socket, head)) socket.destroy()
    })
  })
  await app.register(websocket, {
    options: {
      server: upgrades as unknown as Server,
      maxPayload: 4 * ROOM_LIMITS.frameBytes,
      perMessageDeflate: false,
    },
  })

  const authenticate = async (request: FastifyRequest): Promise<Admission> => {
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
    const address = readDocumentAddress(request)
    const served = kinds.get(parseDocumentName(address.name)?.kind ?? '')
    if (!served) return { kind: 'refused', reason: 'notFound' }
    let verdict: DocumentVerdict
    try {
      verdict = await findRights(deps, served.kind, address.name, { identity, headers: request.headers })
    } catch (error) {
      if (error instanceof CodedError && error.status === 401) return { kind: 'refused', reason: 'loginNeeded' }
      logger.info({ err: error }, 'rights to a document cannot be checked')
      return { kind: 'refused', reason: 'tokenExpired' }
    }
    // Where the backend is slow it is seconds since that was looked at.
    if (isDraining) return { kind: 'refused', reason: 'draining' }
    if (verdict.kind === 'denied') return { kind: 'refused', reason: 'accessRemoved' }
    if (verdict.kind === 'unserved') return { kind: 'refused', reason: 'gatewayRefused' }
    // Where nobody signs in, everyone is one person.
    const person = identity.userId === NIL_UUID ? null : identity.userId
    if (lockout.isLocked(toPage(address, identity)) || !place.confirm(person)) {
      return { kind: 'refused', reason: 'rateExceeded' }
    }
    // Who looks through all of them waits for themselves: each takes memory, and reads for as long as it is open.
    if (person !== null && !hub.isOpen(address.name)) {
      if (openings.waitMs(person) > 0) return { kind: 'refused', reason: 'draining' }
      openings.take(person)
      // From now on it is open: others who come for it at the same time do not count. The acceptor says what is wrong with it.
      hub.open(address.name).catch(() => undefined)
    }
    return { kind: 'admitted', identity, rights: verdict.rights, of: served.kind }
  }

  const checkBeforeUpgrade = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!admission.isOwn(request.raw)) {
      rejections.inc({ code: 'foreignOrigin' })
      await reply.code(403).send()
      return
    }
    const outcome = await authenticate(request)
    // Sessions are looked up together and answered together: the handshakes wait for their turn again.
    await turn()
    outcomes.set(request, outcome)
  }

  app.get(`${PREFIX}*`, { websocket: true, preValidation: checkBeforeUpgrade }, (socket, request) => {
    const outcome = outcomes.get(request)
    socket.on('error', (error) => logger.debug({ err: error }, 'document socket failed'))
    if (outcome?.kind === 'admitted') {
      const address = readDocumentAddress(request)
      const { identity, rights, of: kind } = outcome
      pages.set(acceptor.accept({ socket, request, identity, rights, kind, address }), toPage(address, identity))
      return
    }
    const reason = outcome?.reason ?? 'rateExceeded'
    dismiss(socket, CLOSE_CODES[reason].code, reason)
  })

  return {
    wake: (name) => hub.wake(name),
    drain: async () => {
      isDraining = true
      await hub.close()
    },
    close: async () => {
      isDraining = true
      acceptor.stop()
      await hub.close()
      acceptor.close()
    },
  }
}

function createMeasurements({ clock, metrics }: Pick<CollabDeps, 'clock' | 'metrics'>, hub: () => DocumentHub) {
  metrics.gauge({
    name: 'watchroom_documents_open',
    help: 'Documents held in memory',
    collect() {
      this.set(hub().openDocuments().size)
    },
  })
  metrics.gauge({
    name: 'watchroom_document_unsaved_rows',
    help: 'Rows of open documents that the backend does not have yet',
    collect() {
      this.set(hub().unsaved().rows)
    },
  })
  metrics.gauge({
    name: 'watchroom_document_unsaved_age_seconds',
    help: 'Age of the oldest change in an open document that the backend does not have yet',
    collect() {
      const { since } = hub().unsaved()
      this.set(since === null ? 0 : (clock.monotonic() - since) / 1_000)
    },
  })
  metrics.gauge({
    name: 'watchroom_document_refused_rows',
    help: 'Rows of open documents that the backend refused',
    collect() {
      this.set(hub().unsaved().refused)
    },
  })
  return {
    acknowledgements: metrics.histogram({
      name: 'watchroom_document_ack_seconds',
      help: 'From reading an update to its durable acknowledgement',
    }),
    rejections: metrics.counter({
      name: 'watchroom_document_rejected_total',
      help: 'Updates and sockets that were refused',
      labelNames: ['code'],
    }),
  }
}

function toServedKind(kind: DocumentKind, { backend, clock, logger }: CollabDeps): ServedKind {
  const references = createReferences({ backend, clock, logger, tables: kind.references })
  return { kind, tables: kind.createTables(backend), references }
}

function toPage({ name, page }: DocumentAddress, { userId }: Identity): DocumentPage {
  return { userId, document: name, page }
}
