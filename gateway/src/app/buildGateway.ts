// All wiring of the gateway, in order. Nothing here decides anything: capabilities do.

import { randomBytes, randomUUID } from 'node:crypto'

import type { Clock } from '@watchroom/shared/kernel'
import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'

import type { Access } from '../access/contract.ts'
import { createAccess } from '../access/createAccess.ts'
import { SESSION_COOKIE } from '../access/credential.ts'
import { accessPlugin, denyAccess, requireIdentity, signInLimit } from '../access/plugin.ts'
import { standalonePlugin } from '../access/standalonePlugin.ts'
import type { Collab } from '../collab/contract.ts'
import { createCollab } from '../collab/createCollab.ts'
import { COLLAB_MIGRATIONS } from '../collab/migrations.ts'
import { consolePlugin } from '../console/plugin.ts'
import { securityHeaders } from '../console/securityHeaders.ts'
import { createDefinitionOfDone } from '../definition-of-done/createDefinitionOfDone.ts'
import { createUnattended } from '../definition-of-done/createUnattended.ts'
import { createSubjectRows } from '../definition-of-done/subjectRows.ts'
import { createUnattendedRows } from '../definition-of-done/unattendedRows.ts'
import { createLive } from '../live/createLive.ts'
import type { LiveSettings } from '../live/settings.ts'
import { createDatabase } from '../platform/database/createDatabase.ts'
import { databaseErrors } from '../platform/database/errors.ts'
import { createDatabaseWake } from '../platform/databaseWake.ts'
import { CodedError } from '../platform/errors.ts'
import type { BackendClient } from '../platform/httpClient.ts'
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
import { handleFrameworkError, registerErrorHandler } from './errorHandler.ts'
import { feedDependencies, toDatabaseDependency, toWakeDependency } from './liveDependencies.ts'
import { observeRequests } from './observeRequests.ts'
import { operationsPlugin } from './operations.ts'
import { toWatchedIncident } from './toWatchedIncident.ts'
import { createUpgradeRouter, type UpgradeRouter } from './upgradeRouter.ts'

/** Kept connections outlive the idle times usual in load balancers (60 s), so that it is the balancer who closes. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** Time to send a whole request; answers may take longer. */
const REQUEST_TIMEOUT_MS = 60_000

/** Sign-ins from one address in a minute; a guesser gets no further, a team behind one address does. */
const SIGN_INS_PER_MINUTE = 30

/** Of the tokens and cookies of screens without an account. */
const SECRET_BYTES = 32

export interface GatewayDeps {
  readonly config: Pick<Config, 'auth' | 'trustedProxy' | 'agentOfflineAfterMs'>
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
  /** Where changes are announced, null while it is not known; absent where no database is at hand. */
  readonly databaseUrl?: () => string | null
  readonly proxyTimeouts?: ProxyTimeouts
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
  /** Unready from now on; sockets are told when to come back. */
  drain(): Promise<void>
  /** Stops everything it started, after `drain` or without. The backend client stays its owner's. */
  close(): Promise<void>
}

export async function buildGateway(deps: GatewayDeps): Promise<Gateway> {
  const { config, backend, clock, random, logger } = deps
  const signInsPerMinute = deps.signInsPerMinute ?? SIGN_INS_PER_MINUTE
  let isStopping = false

  // Named by its smaller type, so that every plugin sees a plain Fastify instance.
  const loggerInstance: FastifyBaseLogger = logger
  const app = fastify({
    loggerInstance,
    // `observeRequests` writes the one line per request.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxy ?? false,
    genReqId: (request) => readRequestId(request.headers['x-request-id']) ?? deps.createId(),
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    frameworkErrors: handleFrameworkError,
  })

  const metrics = createMetrics({ process: deps.hasProcessMetrics ?? false })
  const access = createAccess({ backend, clock, logger, mode: config.auth })
  const upgrades = createUpgradeRouter({ server: app.server, logger })
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
    checks: polled.feeds.checks({}),
    pool: () => {
      if (!database) throw new CodedError(databaseErrors.DATABASE_UNAVAILABLE)
      return database.pool()
    },
    clock,
    logger,
    createId: randomUUID,
    createSecret: () => randomBytes(SECRET_BYTES).toString('base64url'),
    requireIdentity: (request) => requireIdentity(access, request),
    deny: denyAccess,
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
    server: app.server,
    access,
    devices: wall.devices,
    feeds,
    clock,
    random,
    logger,
    metrics,
    trustProxy: config.trustedProxy !== undefined,
    settings: deps.liveSettings ?? {},
  })
  upgrades.leave('/socket.io/')
  let collab: Collab | undefined
  const wake =
    deps.databaseUrl &&
    createDatabaseWake({
      databaseUrl: deps.databaseUrl,
      clock,
      random,
      logger,
      onWake: (topic) => {
        if (topic === 'rights') return access.invalidate('all')
        if (topic === 'wall') return wall.wake()
        // `incidents:<id>`: the topic, then the one incident that changed.
        const [name, id] = topic.split(':', 2)
        if (name !== 'incidents' || id === undefined) return live.wake(name)
        polled.wakeIncident(id)
        unattended?.wake()
        collab?.wake(id)
      },
      onConnected: () => {
        live.wake()
        collab?.wake()
        wall.wake()
      },
    })

  // A connection that is still answering when the server stops would otherwise stay open for its keep-alive time.
  app.addHook('onResponse', async () => {
    if (isStopping) setImmediate(() => app.server.closeIdleConnections())
  })
  registerErrorHandler(app)
  observeRequests(app, metrics)
  await app.register(securityHeaders)
  await app.register(accessPlugin, { access, signInsPerMinute })
  if (config.auth === 'none') await app.register(standalonePlugin, { access })

  await app.register(operationsPlugin, {
    metrics,
    dependencies: [
      backendHealth,
      ...(database ? [toDatabaseDependency(database)] : []),
      ...(wake ? [toWakeDependency(wake)] : []),
      ...feedDependencies(feeds),
    ],
    isStopping: () => isStopping,
    requireAdministrator: async (request) => {
      const identity = await requireIdentity(access, request)
      if (!identity.roles.includes('admin')) denyAccess()
    },
  })
  await app.register(proxyPlugin, {
    access,
    metrics,
    backend,
    credential: config.auth === 'none' ? 'service' : 'caller',
    sessionCookie: SESSION_COOKIE,
    timeouts: deps.proxyTimeouts ?? PROXY_TIMEOUTS,
    requireIdentity: (request) => requireIdentity(access, request),
    deny: denyAccess,
    signInRoute: { config: { rateLimit: signInLimit(signInsPerMinute) } },
  })
  // Shared documents need a database of the gateway's own to be durable in; without one they are not served.
  collab =
    database &&
    (await createCollab(app, {
      upgrades,
      access,
      backend,
      pool: () => database.pool(),
      clock,
      random,
      logger,
      metrics,
      ...(unattended ? { onOpen: (incident) => unattended.attend(toWatchedIncident(incident)) } : {}),
    }))
  await wall.register(app)
  await app.register(consolePlugin, { webRoot: deps.webRoot })

  return {
    app,
    access,
    metrics,
    upgrades,
    listen: (options) => app.listen(options),
    wake: () => live.wake(),
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
      await wake?.close()
      await app.close()
      upgrades.close()
      metrics.close()
    },
  }
}

/** An id given by a proxy is kept when it is short and plain, so that both logs tell one story. */
function readRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : undefined
}
