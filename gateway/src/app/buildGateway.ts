// All wiring of the gateway, in order. Nothing here decides anything: capabilities do.

import { randomBytes, randomUUID } from 'node:crypto'

import { highestRole } from '@watchroom/shared/access'
import { type IncidentView, toDocumentName } from '@watchroom/shared/collab'
import type { Clock } from '@watchroom/shared/kernel'
import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'

import type { Access } from '../access/contract.ts'
import { createAccess, EVERYBODY } from '../access/createAccess.ts'
import { createRoutePolicy } from '../access/createRoutePolicy.ts'
import { createSights } from '../access/createSights.ts'
import { readSessionToken, SESSION_COOKIE } from '../access/credential.ts'
import { accessPlugin, signInLimit } from '../access/plugin.ts'
import { standalonePlugin } from '../access/standalonePlugin.ts'
import type { Collab } from '../collab/contract.ts'
import { createCollab } from '../collab/createCollab.ts'
import type { DocumentKind } from '../collab/documentKind.ts'
import { COLLAB_MIGRATIONS } from '../collab/migrations.ts'
import { demoPlugin } from '../console/demoPlugin.ts'
import { consolePlugin } from '../console/plugin.ts'
import { securityHeaders } from '../console/securityHeaders.ts'
import { createDefinitionOfDone } from '../definition-of-done/createDefinitionOfDone.ts'
import { createUnattended } from '../definition-of-done/createUnattended.ts'
import { createSubjectRows } from '../definition-of-done/subjectRows.ts'
import { createUnattendedRows } from '../definition-of-done/unattendedRows.ts'
import { createLive } from '../live/createLive.ts'
import type { LiveSettings } from '../live/settings.ts'
import { toSessionWatchSettings } from '../platform/createSessionWatch.ts'
import { createDatabase } from '../platform/database/createDatabase.ts'
import { databaseErrors } from '../platform/database/errors.ts'
import { createDatabaseWake } from '../platform/databaseWake.ts'
import { CodedError } from '../platform/errors.ts'
import type { BackendClient } from '../platform/httpClient.ts'
import { acceptJsonBodies } from '../platform/jsonBodies.ts'
import { createKnownHosts } from '../platform/knownHosts.ts'
import type { Logger } from '../platform/logger.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import type { Feeds } from '../polling/contract.ts'
import { createFeeds } from '../polling/createFeeds.ts'
import type { PollerSettings } from '../polling/createPoller.ts'
import { PROXY_TIMEOUTS, type ProxyTimeouts } from '../proxy/forward.ts'
import { proxyPlugin } from '../proxy/plugin.ts'
import { createWall } from '../wall/createWall.ts'
import { WALL_MIGRATIONS } from '../wall/migrations.ts'
import { createBackendHealth } from './backendHealth.ts'
import type { Config } from './config.ts'
import { createOwnCredential } from './createOwnCredential.ts'
import { DOCUMENT_KINDS } from './documentKinds.ts'
import { handleFrameworkError, registerErrorHandler } from './errorHandler.ts'
import { appErrors } from './errors.ts'
import { CONNECTION_LIMITS, type ConnectionLimits, limitConnections } from './limitConnections.ts'
import { feedDependencies, toDatabaseDependency, toWakeDependency } from './liveDependencies.ts'
import { observeRequests } from './observeRequests.ts'
import { operationsPlugin } from './operations.ts'
import { REFUSAL_SETTINGS, type RefusalSettings, slowRefusals } from './slowRefusals.ts'
import { toWatchedIncident } from './toWatchedIncident.ts'
import { createUpgradeRouter, type UpgradeRouter } from './upgradeRouter.ts'

/** Kept connections outlive the idle times usual in load balancers (60 s), so that it is the balancer who closes. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** Time to send the headers, and the whole request; answers may take longer. Looked at every few seconds. */
export interface ServerTimeouts {
  readonly headersMs: number
  readonly requestMs: number
  readonly checkEveryMs: number
}

const SERVER_TIMEOUTS: ServerTimeouts = { headersMs: 15_000, requestMs: 60_000, checkEveryMs: 5_000 }

/** Sign-ins from one address in a minute; a guesser gets no further, a team behind one address does. */
const SIGN_INS_PER_MINUTE = 30

/** Of the tokens and cookies of screens without an account. */
const SECRET_BYTES = 32

export interface GatewayDeps {
  readonly config: Pick<
    Config,
    | 'auth'
    | 'backendUrl'
    | 'host'
    | 'publicUrls'
    | 'trustedProxy'
    | 'agentOfflineAfterMs'
    | 'metricsToken'
    | 'socketsPerPerson'
    | 'socketsPerAddress'
    | 'sessionIdleMs'
  >
  readonly backend: BackendClient
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  /** Unguessable text for request ids. */
  readonly createId: () => string
  readonly logger: Logger
  /** Directory of the built web client. */
  readonly webRoot: string
  /** Measures this process too; off where several gateways share one. */
  readonly hasProcessMetrics?: boolean
  readonly signInsPerMinute?: number
  /** Of the demo's accounts, null while it is not known; absent where no demo runs that only this machine reaches. */
  readonly demoPassword?: () => string | null
  /** Where changes are announced, null while it is not known; absent where no database is at hand. */
  readonly databaseUrl?: () => string | null
  readonly proxyTimeouts?: ProxyTimeouts
  readonly serverTimeouts?: ServerTimeouts
  readonly connectionLimits?: ConnectionLimits
  readonly refusalSettings?: RefusalSettings
  readonly liveSettings?: Partial<LiveSettings>
  readonly pollerSettings?: Partial<PollerSettings>
}

export interface Gateway {
  readonly app: FastifyInstance
  readonly access: Access
  readonly metrics: Metrics
  readonly upgrades: UpgradeRouter
  /** @returns the address it listens on, for example `http://127.0.0.1:3000` */
  listen(options: { port: number; host: string }): Promise<string>
  /** The backend may be there now: whatever waits for it need not wait out its delay. */
  wake(): void
  /** Who the gateway is in front of a foreign backend, in a sentence; null in front of our own. */
  ownCredential(): Promise<string | null>
  /** Unready from now on; sockets are told when to come back. */
  drain(): Promise<void>
  /** Stops everything it started, after `drain` or without. The backend client stays its owner's. */
  close(): Promise<void>
}

export async function buildGateway(deps: GatewayDeps): Promise<Gateway> {
  const { config, backend, clock, random, logger } = deps
  const signInsPerMinute = deps.signInsPerMinute ?? SIGN_INS_PER_MINUTE
  const serverTimeouts = deps.serverTimeouts ?? SERVER_TIMEOUTS
  let isStopping = false

  const hosts = createKnownHosts({
    publicUrls: config.publicUrls ?? [],
    listenHost: config.host,
    trustedProxies: config.trustedProxy ?? [],
  })
  // Named by its smaller type, so that every plugin sees a plain Fastify instance.
  const loggerInstance: FastifyBaseLogger = logger
  const app = fastify({
    loggerInstance,
    // `observeRequests` writes the one line per request.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxy === undefined ? false : (address) => hosts.isTrustedProxy(address),
    genReqId: (request) => readRequestId(request.headers['x-request-id']) ?? deps.createId(),
    requestTimeout: serverTimeouts.requestMs,
    http: { headersTimeout: serverTimeouts.headersMs, connectionsCheckingInterval: serverTimeouts.checkEveryMs },
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) =>
      handleFrameworkError(hosts.hostOf(request.raw) === null ? unknownHost() : error, request, reply),
  })

  limitConnections(app.server, deps.connectionLimits ?? CONNECTION_LIMITS, hosts.isTrustedProxy)
  const metrics = createMetrics({ process: deps.hasProcessMetrics ?? false })
  const access = createAccess({
    backend,
    clock,
    logger,
    mode: config.auth,
    // Another backend's database is not the one that is listened to, or another program writes it.
    ...(config.backendUrl === undefined ? { isAnnounced: () => wake?.isConnected() ?? false } : {}),
  })
  const sights = createSights({ backend, access, clock, metrics })
  const ownCredential = config.backendUrl === undefined ? null : createOwnCredential({ backend, clock, logger })
  const policy = createRoutePolicy(access)
  const upgrades = createUpgradeRouter({ server: app.server, hosts, createId: deps.createId, logger })
  const backendHealth = createBackendHealth({ backend, clock })
  const polled = createFeeds({
    backend,
    clock,
    random,
    logger,
    metrics,
    settings: deps.pollerSettings ?? {},
    agentOfflineAfterMs: config.agentOfflineAfterMs,
  })
  const definitionOfDone = createDefinitionOfDone({
    checks: polled.feeds.checks({}),
    rows: createSubjectRows(backend),
    clock,
    logger,
  })
  const database =
    deps.databaseUrl &&
    createDatabase({
      databaseUrl: deps.databaseUrl,
      migrations: [...COLLAB_MIGRATIONS, ...WALL_MIGRATIONS],
      clock,
      logger,
    })
  const wall = createWall({
    backend,
    access,
    sights,
    checks: polled.feeds.checks({}),
    pool: () => {
      if (!database) throw new CodedError(databaseErrors.DATABASE_UNAVAILABLE)
      return database.pool()
    },
    clock,
    logger,
    createId: randomUUID,
    createSecret: () => randomBytes(SECRET_BYTES).toString('base64url'),
    policy,
    enterRoute: { config: { rateLimit: signInLimit(signInsPerMinute) } },
  })
  const unattended =
    deps.databaseUrl && createUnattended({ definitionOfDone, rows: createUnattendedRows(backend), clock, logger })
  const feeds: Feeds = {
    ...polled.feeds,
    definitionOfDone: ({ incidentId }) => definitionOfDone.feed(incidentId),
    wall: ({ boardId }) => wall.feed(boardId),
  }
  const live = createLive({
    upgrades,
    access,
    devices: wall.devices,
    feeds,
    sights,
    feedsOf: polled.feedsOf,
    clock,
    random,
    logger,
    metrics,
    hosts,
    settings: {
      maxSocketsPerPerson: config.socketsPerPerson,
      maxSocketsPerAddress: config.socketsPerAddress,
      watch: toSessionWatchSettings(config.sessionIdleMs),
      ...deps.liveSettings,
    },
  })
  let collab: Collab | undefined
  const wake =
    deps.databaseUrl &&
    createDatabaseWake({
      databaseUrl: deps.databaseUrl,
      clock,
      random,
      logger,
      onWake: ({ name, id }) => {
        if (name === 'rights') return access.invalidate(id === null ? 'all' : { userId: id })
        if (name === 'wall') return wall.wake()
        if (name === 'settings' && id !== null) return live.wake('settings', { table: id })
        if (name !== 'incidents' || id === null) return live.wake(name)
        live.wake('incidents')
        live.wake('incident', { id })
        unattended?.wake()
        collab?.wake(toDocumentName(DOCUMENT_KINDS.incident.name, id))
      },
      onConnected: () => {
        // What was said meanwhile is lost, also that somebody's session ended.
        access.invalidate('all')
        live.wake()
        collab?.wake()
        wall.wake()
      },
    })

  // A connection that is still answering when the server stops would otherwise stay open for its keep-alive time.
  app.addHook('onResponse', async () => {
    if (isStopping) setImmediate(() => app.server.closeIdleConnections())
  })
  acceptJsonBodies(app)
  registerErrorHandler(app)
  observeRequests(app, metrics)
  slowRefusals(app, deps.refusalSettings ?? REFUSAL_SETTINGS, clock)
  app.addHook('onRequest', async (request) => {
    if (hosts.hostOf(request.raw) === null) throw unknownHost()
  })
  await app.register(securityHeaders)
  await app.register(accessPlugin, { signInsPerMinute })
  if (config.auth === 'none') await app.register(standalonePlugin, { policy })

  await app.register(operationsPlugin, {
    metrics,
    dependencies: [
      backendHealth,
      ...(ownCredential ? [ownCredential] : []),
      ...(database ? [toDatabaseDependency(database)] : []),
      ...(wake ? [toWakeDependency(wake)] : []),
      ...feedDependencies(feeds),
    ],
    ownCredential: () => ownCredential?.report() ?? { isSound: true, text: null },
    isStopping: () => isStopping,
    metricsToken: config.metricsToken,
    policy,
  })
  await app.register(proxyPlugin, {
    access,
    metrics,
    backend,
    ...(config.auth === 'none'
      ? { credential: 'service', actsAs: highestRole(EVERYBODY.roles) }
      : { credential: 'caller' }),
    sessionCookie: SESSION_COOKIE,
    readSessionToken,
    timeouts: deps.proxyTimeouts ?? PROXY_TIMEOUTS,
    policy,
    signInRoute: { config: { rateLimit: signInLimit(signInsPerMinute) } },
    clock,
  })
  const incidents: DocumentKind<IncidentView> = {
    ...DOCUMENT_KINDS.incident,
    ...(unattended ? { onOpen: (incident) => unattended.attend(toWatchedIncident(incident, clock)) } : {}),
  }
  // Shared documents need a database of the gateway's own to be durable in; without one they are not served.
  collab =
    database &&
    (await createCollab(app, {
      upgrades,
      access,
      sights,
      backend,
      pool: () => database.pool(),
      hosts,
      sessionWatch: toSessionWatchSettings(config.sessionIdleMs),
      socketLimits: { perPerson: config.socketsPerPerson, perAddress: config.socketsPerAddress },
      clock,
      random,
      logger,
      metrics,
      kinds: Object.values({ ...DOCUMENT_KINDS, incident: incidents }),
    }))
  await wall.register(app)
  await app.register(demoPlugin, { password: () => deps.demoPassword?.() ?? null, policy })
  await app.register(consolePlugin, { webRoot: deps.webRoot, policy })

  return {
    app,
    access,
    metrics,
    upgrades,
    listen: (options) => app.listen(options),
    wake: () => live.wake(),
    ownCredential: async () => {
      await ownCredential?.ask()
      return ownCredential?.report().text ?? null
    },
    drain: async () => {
      isStopping = true
      await Promise.all([live.drain(), collab?.drain()])
    },
    close: async () => {
      isStopping = true
      // Sockets first: the server waits for every connection that is not idle.
      await Promise.all([live.close(), collab?.close()])
      await database?.close()
      wall.close()
      unattended?.close()
      definitionOfDone.close()
      polled.close()
      sights.close()
      ownCredential?.close()
      await wake?.close()
      await app.close()
      upgrades.close()
      metrics.close()
    },
  }
}

const unknownHost = (): CodedError => new CodedError(appErrors.REQUEST_HOST_UNKNOWN)

/** An id given by a proxy is kept when it is short and plain, so that both logs tell one story. */
function readRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : undefined
}
