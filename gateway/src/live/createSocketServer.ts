// Socket.IO's part of live topics: which sockets are accepted, who they say they are, and what any of them may send.
import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server as HttpServer } from 'node:http'

import type { Clock } from '@watchroom/shared/kernel'
import {
  CLOSE_CODES,
  type CloseName,
  type Hello,
  HelloSchema,
  MAX_CLIENT_MESSAGE_BYTES,
  negotiateVersion,
  type Refusal,
  type ServerMessage,
} from '@watchroom/shared/protocol'
import { Server, type Socket } from 'socket.io'

import { createSocketAdmission, type SocketPlace } from '../platform/createSocketAdmission.ts'
import type { LiveDeps } from './contract.ts'
import { createMessageWriter } from './createMessageWriter.ts'
import type { Principals } from './createPrincipals.ts'
import { terminate } from './engineConnection.ts'
import { liveErrors } from './errors.ts'
import { createPacketLimit } from './packetLimit.ts'
import { CREDENTIAL_ENDED, nameOf, type Principal } from './principal.ts'
import type { LiveSettings } from './settings.ts'

const PATH = '/socket.io/'

/** Lets the last words leave before the socket closes. */
export const FAREWELL_MS = 100

/** Finds clients that vanished. Our own beats are for the client, and faster. */
const PING_INTERVAL_MS = 10_000
const PING_TIMEOUT_MS = 20_000

/** The part of the engine's socket in use here. */
interface EngineConnection {
  readonly on: (event: 'packet', listener: () => void) => unknown
  readonly once: (event: 'close', listener: () => void) => unknown
}

class RefusedError extends Error {
  /** Socket.IO hands it to the client's `connect_error`. */
  readonly data: Refusal

  constructor(reason: CloseName, message: string) {
    super(message)
    this.data = { code: CLOSE_CODES[reason].code, message }
  }
}

export interface SocketServer {
  /** From now on nobody is accepted. */
  refuseAll(): void
  /** Ends all sockets. */
  close(): Promise<void>
}

export interface OpenedSocket {
  readonly socket: Socket
  readonly hello: Hello
  readonly principal: Principal
  readonly send: (message: ServerMessage) => void
}

export interface SocketServerDeps extends Pick<LiveDeps, 'upgrades' | 'hosts' | 'logger'> {
  readonly clock: Clock
  readonly settings: LiveSettings
  readonly principals: Principals
  /** Whether someone may open a further socket now. */
  readonly mayEnter: (name: string) => boolean
  readonly onSocket: (opened: OpenedSocket) => void
}

export function createSocketServer(deps: SocketServerDeps): SocketServer {
  const { clock, settings, principals } = deps
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
  const places = new WeakMap<IncomingMessage, SocketPlace>()
  let refusesAll = false

  const accept = (request: IncomingMessage): boolean => {
    const place = !refusesAll && admission.isOwn(request) ? admission.enter(request) : 'full'
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
    pingInterval: PING_INTERVAL_MS,
    pingTimeout: PING_TIMEOUT_MS,
    allowRequest: (request, decide) => decide(null, accept(request)),
  })
  io.attach(upgrades as unknown as HttpServer)

  io.engine.on('connection', (connection: EngineConnection) => {
    const packets = createPacketLimit(clock, settings)
    connection.on('packet', () => {
      if (!packets.tryTake()) terminate(connection)
    })
  })

  /** One socket, one greeting: while it is answered, Socket.IO would take another one for a second session. */
  const greeted = new WeakSet<object>()

  io.use((socket, next) => void enter(socket, next))

  const enter = async (socket: Socket, next: (error?: Error) => void): Promise<void> => {
    if (greeted.has(socket.conn)) return terminate(socket.conn)
    greeted.add(socket.conn)
    try {
      socket.data = await authenticate(socket)
      next()
    } catch (error) {
      next(error instanceof Error ? error : new Error('refused', { cause: error }))
      // Our client leaves by itself; another one shall not stay and knock.
      clock.schedule(() => terminate(socket.conn), FAREWELL_MS)
    }
  }

  /** @throws RefusedError */
  const authenticate = async (socket: Socket): Promise<{ hello: Hello; principal: Principal }> => {
    const { success, data: hello } = HelloSchema.safeParse(socket.handshake.auth)
    if (!success || negotiateVersion(hello.versions) === null) {
      throw new RefusedError('versionUnknown', liveErrors.LIVE_VERSION_UNKNOWN.message)
    }
    let principal: Principal | null
    try {
      principal = await principals.identify(socket.request, hello.as)
    } catch (error) {
      deps.logger.warn({ err: error }, 'session of a new socket cannot be checked')
      throw new RefusedError('tokenExpired', liveErrors.LIVE_SESSION_UNCONFIRMED.message)
    }
    if (!principal) throw new RefusedError(CREDENTIAL_ENDED[hello.as].reason, CREDENTIAL_ENDED[hello.as].message)
    const name = nameOf(principal)
    if (name !== null && !deps.mayEnter(name)) {
      throw new RefusedError('rateExceeded', liveErrors.LIVE_RATE_EXCEEDED.message)
    }
    if (!places.get(socket.request)?.confirm(name)) {
      throw new RefusedError('rateExceeded', liveErrors.LIVE_TOO_MANY_SOCKETS.message)
    }
    return { hello, principal }
  }

  const write = createMessageWriter(io)
  io.on('connection', (socket) => {
    const { hello, principal } = socket.data as { hello: Hello; principal: Principal }
    deps.onSocket({ socket, hello, principal, send: (message) => write(socket, message) })
  })

  return {
    refuseAll: () => {
      refusesAll = true
    },
    close: async () => {
      refusesAll = true
      io.local.disconnectSockets(true)
      io.engine.close()
      // Closing the HTTP server is its owner's business; Socket.IO would do it as well.
      await io.of('/').adapter.close()
    },
  }
}
