import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, Server as HttpServer } from 'node:http'
import { promisify } from 'node:util'
import { constants, deflateRaw, type InputType, type ZlibOptions } from 'node:zlib'

import { createRateLimits, createTimer, NIL_UUID, sleep } from '@watchroom/shared/kernel'
import {
  CLOSE_CODES,
  type CloseName,
  type Hello,
  HelloSchema,
  LIVE_EVENT,
  MAX_CLIENT_MESSAGE_BYTES,
  negotiateVersion,
  PACKED_ENCODING,
  type Refusal,
  topicAddress,
  wallTopic,
} from '@watchroom/shared/protocol'
import { Server, type Socket } from 'socket.io'

import type { AccessChange, Identity, Sight } from '../access/contract.ts'
import { createQuota } from '../platform/createQuota.ts'
import { createSocketAdmission, type SocketPlace } from '../platform/createSocketAdmission.ts'
import type { Device } from '../wall/contract.ts'
import type { Live, LiveDeps } from './contract.ts'
import { createLiveMetrics, createTopicHub, type TopicSight } from './createTopicHub.ts'
import { bufferedBytes, pauseReading, terminate } from './engineConnection.ts'
import { liveErrors } from './errors.ts'
import { createPacketLimit } from './packetLimit.ts'
import { registerGauges } from './registerGauges.ts'
import { LIVE_SETTINGS, type LiveSettings } from './settings.ts'
import type { Readable, TopicSession } from './topicSession.ts'

// Socket.IO's side of live topics: admission, identity, and the wire. What is said and when is `topicSession`'s business.

const deflateText: (input: InputType, options: ZlibOptions) => Promise<Uint8Array> = promisify(deflateRaw)

/**
 * Small blocks follow the columns, each of which has letters of its own, and random identifiers are not searched for
 * repetitions: 12 % fewer bytes for 1,000 checks than zlib's defaults, in 7 ms of a worker thread.
 */
const deflate = (text: string): Promise<Uint8Array> =>
  deflateText(text, { level: 9, memLevel: 5, strategy: constants.Z_FILTERED })

const PATH = '/socket.io/'

/** Time in which a drained crowd comes back: each socket gets 10 ms of it. */
const DRAIN_PER_SOCKET_MS = 10
const MIN_DRAIN_MS = 1_000
const MAX_DRAIN_MS = 20_000
/** Lets the farewells leave before the sockets close. */
const FAREWELL_MS = 100

/** Who stands behind a socket. A person's rights are the matrix's, a device's are one topic instance (LIVE-58). */
type Principal =
  | { readonly kind: 'person'; readonly identity: Identity }
  | { readonly kind: 'device'; readonly device: Device }

interface Guest {
  principal: Principal
  /** Monotonic time of the last look at the principal. */
  confirmedAt: number
  readonly session: TopicSession
  readonly recheck: () => void
}

/** The part of the engine's socket in use here. */
interface EngineConnection {
  readonly on: (event: 'packet', listener: () => void) => unknown
  readonly once: (event: 'close', listener: () => void) => unknown
}

/** Everybody is looked up again within this time, well below the 2 s of LIVE-53. */
const RECHECK_ALL_MS = 500
/** Whoever looks again wants to know what is true now, not what somebody heard a while ago. */
const MAX_ANSWER_AGE_MS = 1_000
const MIN_RECHECK_MS = 1_000
/** Timers may be early by a millisecond. */
const END_MARGIN_MS = 20

const SHARED: TopicSight = { kind: 'shared' }
const FORBIDDEN: TopicSight = { kind: 'forbidden', reason: null }

class RefusedError extends Error {
  /** Socket.IO hands it to the client's `connect_error`. */
  readonly data: Refusal

  constructor(reason: CloseName, message: string) {
    super(message)
    this.data = { code: CLOSE_CODES[reason].code, message }
  }
}

export function createLive(deps: LiveDeps): Live {
  const { access, clock, logger } = deps
  const settings: LiveSettings = { ...LIVE_SETTINGS, ...deps.settings }
  const guests = new Set<Guest>()
  let isDraining = false
  const admission = createSocketAdmission({
    hosts: deps.hosts,
    limits: {
      total: settings.maxSockets,
      perAddress: settings.maxSocketsPerAddress,
      perPerson: settings.maxSocketsPerPerson,
      pending: settings.maxPendingSockets,
      pendingPerAddress: settings.maxPendingSocketsPerAddress,
    },
  })
  const subscriptions = createQuota(settings.maxSubscriptionsPerPerson)
  const messages = createRateLimits(clock, {
    burst: settings.messageBurstPerPerson,
    perSecond: settings.messagesPerSecondPerPerson,
  })

  /** Sockets that were cut for sending too much, by person: whoever goes on opens others more and more seldom. */
  const cuts = createRateLimits(clock, {
    burst: settings.cutBurstPerPerson,
    perSecond: settings.cutsPerSecondPerPerson,
  })

  const metrics = createLiveMetrics(deps.metrics)
  const hub = createTopicHub({
    feeds: deps.feeds,
    clock,
    deflate,
    newEpoch: () => randomUUID().slice(0, 8),
    metrics,
    settings,
  })

  const places = new WeakMap<IncomingMessage, SocketPlace>()

  const isAdmitted = (request: IncomingMessage): boolean => {
    const place = !isDraining && admission.isOwn(request) ? admission.enter(request) : 'full'
    if (typeof place === 'string') return false
    places.set(request, place)
    return true
  }

  // The engine would answer every request of its path on the server itself; it gets an emitter instead, and only upgrades.
  const upgrades = new EventEmitter()
  deps.upgrades.add(PATH, (request, socket, head) => void upgrades.emit('upgrade', request, socket, head))

  const io = new Server({
    path: PATH,
    transports: ['websocket'],
    allowUpgrades: false,
    serveClient: false,
    // Other upgrades on this server belong to others.
    destroyUpgrade: false,
    maxHttpBufferSize: MAX_CLIENT_MESSAGE_BYTES,
    // Messages that are worth it are deflated once for all sockets (LIVE-40); per socket it would cost 300 KB each.
    perMessageDeflate: false,
    httpCompression: false,
    connectTimeout: settings.handshakeMs,
    // Finds clients that vanished. Our own beats are for the client, and faster.
    pingInterval: 10_000,
    pingTimeout: 20_000,
    allowRequest: (request, decide) => decide(null, isAdmitted(request)),
  })
  io.attach(upgrades as unknown as HttpServer)

  io.engine.on('connection', (connection: EngineConnection) => {
    const packets = createPacketLimit(clock, settings)
    connection.on('packet', () => {
      if (!packets.tryTake()) terminate(connection)
    })
  })

  io.use((socket, next) => void admit(socket, next))

  /** One socket, one greeting: while it is answered, Socket.IO would take another one for a second session. */
  const greeted = new WeakSet<object>()

  const admit = async (socket: Socket, next: (error?: Error) => void): Promise<void> => {
    if (greeted.has(socket.conn)) {
      terminate(socket.conn)
      return
    }
    greeted.add(socket.conn)
    try {
      socket.data = { principal: await greet(socket) }
      next()
    } catch (error) {
      next(error instanceof Error ? error : new Error('refused', { cause: error }))
      // Our client leaves by itself; another one shall not stay and knock.
      clock.schedule(() => terminate(socket.conn), FAREWELL_MS)
    }
  }

  /** @throws RefusedError */
  const greet = async (socket: Socket): Promise<Principal> => {
    const hello = readHello(socket)
    if (!hello || negotiateVersion(hello.versions) === null) {
      throw new RefusedError('versionUnknown', liveErrors.LIVE_VERSION_UNKNOWN.message)
    }
    let principal: Principal | null
    try {
      principal = await lookUp(socket, hello.as)
    } catch (error) {
      logger.warn({ err: error }, 'session of a new socket cannot be checked')
      throw new RefusedError('tokenExpired', liveErrors.LIVE_SESSION_UNCONFIRMED.message)
    }
    if (!principal) throw new RefusedError(ENDED[hello.as].reason, ENDED[hello.as].message)
    const name = nameOf(principal)
    if (name !== null && cuts.waitMs(name) > 0)
      throw new RefusedError('rateExceeded', liveErrors.LIVE_RATE_EXCEEDED.message)
    if (!places.get(socket.request)?.confirm(name)) {
      throw new RefusedError('rateExceeded', liveErrors.LIVE_TOO_MANY_SOCKETS.message)
    }
    return principal
  }

  /** One credential counts, the one the client came with: a device never becomes a person, nor the other way (LIVE-58). */
  const lookUp = async (socket: Socket, kind: Principal['kind'], maxAgeMs?: number): Promise<Principal | null> => {
    const { headers } = socket.request
    if (kind === 'device') {
      const device = (await deps.devices?.identify(headers)) ?? null
      return device && { kind, device }
    }
    const address = deps.hosts.addressOf(socket.request)
    const identity = await access.identify(headers, { address, ...(maxAgeMs === undefined ? {} : { maxAgeMs }) })
    return identity && { kind, identity }
  }

  /** The matrix is asked first, and then the backend: each can only narrow what the other allows. */
  const look = (
    principal: Principal,
    headers: IncomingHttpHeaders,
    { resource, address, source }: Readable,
  ): TopicSight | Promise<TopicSight> => {
    if (principal.kind === 'device') {
      return address === topicAddress(wallTopic.name, { boardId: principal.device.boardId }) ? SHARED : FORBIDDEN
    }
    if (!access.can(principal.identity, 'read', resource)) return FORBIDDEN
    const sight = deps.sights.look(headers, principal.identity.userId, source)
    const toTopicSight = (known: Sight): TopicSight => {
      if (known.kind === 'all') return SHARED
      if (known.kind === 'none') return { kind: 'forbidden', reason: known.reason }
      const caller = access.callerOf(headers)
      return caller ? { kind: 'personal', owner: caller.key, feeds: deps.feedsOf(caller) } : FORBIDDEN
    }
    return sight instanceof Promise ? sight.then(toTopicSight) : toTopicSight(sight)
  }

  io.on('connection', (socket) => {
    const { principal } = socket.data as { principal: Principal }
    const guest = welcome(socket, principal)
    guests.add(guest)
    socket.on('disconnect', () => {
      guests.delete(guest)
      guest.session.close()
    })
  })

  const welcome = (socket: Socket, principal: Principal): Guest => {
    const name = nameOf(principal)
    const session = hub.openSession(
      {
        send: (message) => socket.emit(LIVE_EVENT, message),
        bufferedBytes: () => bufferedBytes(socket.conn),
        close: (hard) => {
          if (hard) terminate(socket.conn)
          else socket.disconnect(true)
        },
        canUnpack: readHello(socket)?.encodings.includes(PACKED_ENCODING) ?? false,
      },
      {
        look: (topic) => look(guest.principal, socket.request.headers, topic),
        enterSubscription: () => (name === null ? () => undefined : subscriptions.enter(name)),
        onCut: (code) => {
          if (code !== CLOSE_CODES.rateExceeded.code) return
          if (name !== null) cuts.take(name)
          // What it has sent already is not even parsed.
          pauseReading(socket.conn)
          clock.schedule(() => terminate(socket.conn), FAREWELL_MS)
        },
      },
    )
    const guest: Guest = { principal, confirmedAt: clock.monotonic(), session, recheck: () => recheck.now() }
    const recheck = createRecheck(socket, guest)
    /** Messages that wait until it is known anew what their sender may. */
    const held: unknown[] = []
    const receive = (message: unknown): void => {
      if (held.length === 0 && mayAct(guest)) {
        session.receive(message)
        return
      }
      held.push(message)
      if (held.length > settings.messageBurst) session.end('rateExceeded', liveErrors.LIVE_RATE_EXCEEDED.message)
      else if (held.length === 1)
        void recheck.confirm().then(() => held.splice(0).forEach((one) => session.receive(one)))
    }
    socket.conn.transport.on('drain', session.flush)
    socket.onAny((event: string, message: unknown) => {
      if (event !== LIVE_EVENT) session.end('badMessage', liveErrors.LIVE_MESSAGE_UNREADABLE.message)
      else if (name !== null && messages.waitMs(name) > 0)
        session.end('rateExceeded', liveErrors.LIVE_RATE_EXCEEDED.message)
      else {
        if (name !== null) messages.take(name)
        receive(message)
      }
    })
    return guest
  }

  /** Whether the last look at a guest is recent enough to open another topic (LIVE-60). Of devices nobody tells more. */
  const mayAct = (guest: Guest): boolean =>
    access.isAnnounced() ||
    guest.principal.kind === 'device' ||
    clock.monotonic() - guest.confirmedAt < settings.confirmRightsMs

  /** Looks the session up again: on a timer, when it ends by itself, and at once when rights changed somewhere. */
  const createRecheck = (socket: Socket, guest: Guest): { now: () => void; confirm: () => Promise<void> } => {
    const timer = createTimer(clock)
    let unconfirmedSince: number | null = null
    const { kind } = guest.principal
    const everyMs = (): number => {
      if (kind === 'device') return settings.deviceRecheckMs
      return access.isAnnounced() ? settings.recheckMs : settings.unannouncedRecheckMs
    }
    const plan = (): void => {
      const jittered = everyMs() * (0.8 + deps.random() / 5)
      timer.set(now, Math.min(jittered, untilEnd(guest.principal)))
    }
    /** Milliseconds until the session ends by itself; a clock that is ahead of the backend's must not ask without a pause. */
    const untilEnd = (principal: Principal): number => {
      const endsAt = principal.kind === 'person' ? principal.identity.endsAt : undefined
      return endsAt === undefined ? Infinity : Math.max(MIN_RECHECK_MS, endsAt - clock.now() + END_MARGIN_MS)
    }
    const handleUnconfirmed = (error: unknown): void => {
      // The backend is away: the last answer holds for a while, or every outage would sign everybody out.
      unconfirmedSince ??= clock.monotonic()
      metrics.rechecks.inc({ result: 'unconfirmed' })
      logger.info({ err: error, ...toLogged(guest.principal) }, 'session of a socket cannot be checked')
      if (clock.monotonic() - unconfirmedSince >= settings.unconfirmedMs) {
        guest.session.end('tokenExpired', liveErrors.LIVE_SESSION_UNCONFIRMED.message)
      }
    }
    const confirm = async (): Promise<void> => {
      let principal: Principal | null
      try {
        principal = await lookUp(socket, kind, MAX_ANSWER_AGE_MS)
      } catch (error) {
        // The time at which a session ends needs nobody's confirmation.
        const hasEnded =
          guest.principal.kind === 'person' && (guest.principal.identity.endsAt ?? Infinity) <= clock.now()
        if (hasEnded) guest.session.end(ENDED[kind].reason, ENDED[kind].message)
        else handleUnconfirmed(error)
        return
      }
      unconfirmedSince = null
      guest.confirmedAt = clock.monotonic()
      const isSame = principal !== null && isSamePrincipal(principal, guest.principal)
      metrics.rechecks.inc({ result: isSame ? 'confirmed' : 'ended' })
      if (isSame && principal) {
        guest.principal = principal
        guest.session.recheckRights()
        // The session may end at another time now.
        if (untilEnd(principal) < settings.recheckMs) plan()
      } else guest.session.end(ENDED[kind].reason, ENDED[kind].message)
    }
    const now = (): void => {
      if (!socket.connected) return
      plan()
      void confirm()
    }
    plan()
    socket.on('disconnect', timer.clear)
    return { now, confirm }
  }

  const unlisten = access.onChange((change: AccessChange) => {
    for (const guest of guests) {
      if (guest.principal.kind !== 'person') continue
      // A thousand look-ups at once would cost the backend more than the change itself.
      if (change === 'all') clock.schedule(guest.recheck, deps.random() * RECHECK_ALL_MS)
      else if (change.userId === guest.principal.identity.userId) guest.recheck()
    }
  })
  const unlistenDevices = deps.devices?.onChange(() => {
    for (const guest of guests) if (guest.principal.kind === 'device') guest.recheck()
  })

  registerGauges(deps.metrics, hub, clock)

  return {
    wake: hub.wake,
    drain: async () => {
      isDraining = true
      const windowMs = Math.min(MAX_DRAIN_MS, Math.max(MIN_DRAIN_MS, guests.size * DRAIN_PER_SOCKET_MS))
      for (const { session } of guests) {
        session.end('draining', liveErrors.LIVE_DRAINING.message, Math.round(deps.random() * windowMs))
      }
      await sleep(clock, FAREWELL_MS)
    },
    close: async () => {
      isDraining = true
      unlisten()
      unlistenDevices?.()
      hub.close()
      io.local.disconnectSockets(true)
      io.engine.close()
      // Closing the HTTP server is its owner's business; Socket.IO would do it as well.
      await io.of('/').adapter.close()
    },
  }
}

/** How a socket ends whose credential is not valid, or no longer. */
const ENDED = {
  person: { reason: 'loginNeeded', message: liveErrors.LIVE_SESSION_REQUIRED.message },
  device: { reason: 'accessRemoved', message: liveErrors.LIVE_DEVICE_REMOVED.message },
} as const satisfies Record<Principal['kind'], { reason: CloseName; message: string }>

const isSamePrincipal = (a: Principal, b: Principal): boolean =>
  a.kind === 'person'
    ? b.kind === 'person' && a.identity.userId === b.identity.userId
    : b.kind === 'device' && a.device.linkId === b.device.linkId

/** By what a principal's sockets are counted; null for everybody together, where nobody signs in. */
const nameOf = (principal: Principal): string | null => {
  if (principal.kind === 'device') return `device:${principal.device.linkId}`
  const { userId } = principal.identity
  return userId === NIL_UUID ? null : userId
}

const toLogged = (principal: Principal): object =>
  principal.kind === 'person' ? { userId: principal.identity.userId } : { linkId: principal.device.linkId }

function readHello(socket: Socket): Hello | null {
  const hello = HelloSchema.safeParse(socket.handshake.auth)
  return hello.success ? hello.data : null
}
