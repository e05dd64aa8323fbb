// All wiring of the gateway, in order. Nothing here decides anything: capabilities do.

import type { EventEmitter } from 'node:events'

import { type BackendFacts, highestRole } from '@watchroom/shared/access'
import type { IncidentView } from '@watchroom/shared/collab'
import { SESSION_COOKIE } from '@watchroom/shared/identity'
import type { Clock } from '@watchroom/shared/kernel'
import type { FastifyInstance, RouteShorthandOptions } from 'fastify'

import type { Access } from '../access/contract.ts'
import { EVERYONE } from '../access/createAccess.ts'
import { readSessionToken } from '../access/credential.ts'
import { oneOrganizationPlugin } from '../access/oneOrganizationPlugin.ts'
import { accessPlugin, signInLimit } from '../access/plugin.ts'
import { standalonePlugin } from '../access/standalonePlugin.ts'
import type { Collab } from '../collab/contract.ts'
import { createCollab } from '../collab/createCollab.ts'
import type { DocumentKind } from '../collab/documentKind.ts'
import { demoPlugin } from '../console/demoPlugin.ts'
import { consolePlugin } from '../console/plugin.ts'
import type { LiveSettings } from '../live/settings.ts'
import { toSessionWatchSettings } from '../platform/createSessionWatch.ts'
import type { BackendClient } from '../platform/httpClient.ts'
import { createKnownHosts } from '../platform/knownHosts.ts'
import type { Logger } from '../platform/logger.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import type { PollerSettings } from '../polling/createPoller.ts'
import { PROXY_TIMEOUTS, type ProxyTimeouts } from '../proxy/forward.ts'
import { proxyPlugin } from '../proxy/plugin.ts'
import { createBackendHealth } from './backendHealth.ts'
import type { Config } from './config.ts'
import { createCapabilities } from './createCapabilities.ts'
import { createServer, type ServerTimeouts } from './createServer.ts'
import { DOCUMENT_KINDS } from './documentKinds.ts'
import type { ConnectionLimits } from './limitConnections.ts'
import { feedDependencies, toDatabaseDependency } from './liveDependencies.ts'
import { type Dependency, operationsPlugin } from './operations.ts'
import { createPresentHeader } from './presentHeader.ts'
import type { RefusalSettings } from './slowRefusals.ts'
import { toWatchedIncident } from './toWatchedIncident.ts'
import { createUpgradeRouter, type UpgradeRouter } from './upgradeRouter.ts'

/** Sign-ins a minute from one address: too few for guessing, enough for a team behind one address. */
const SIGN_INS_PER_MINUTE = 30

export interface GatewayDeps {
  readonly config: Pick<
    Config,
    | 'auth'
    | 'backendUrl'
    | 'backendDatabaseUrl'
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
  /** Password of the demo's accounts, null while unknown; absent unless a demo runs that only this machine can reach. */
  readonly demoPassword?: () => string | null
  /** Apart from its self-checks, what the backend shows is invented. */
  readonly isDemo?: boolean
  /** Where changes are announced, null while it is not known; absent where no database is at hand. */
  readonly databaseUrl?: () => string | null
  readonly proxyTimeouts?: ProxyTimeouts
  /** Where people sign in with a provider: who is asked before any session is read. */
  readonly hosted?: HostedEntrance
  readonly serverTimeouts?: ServerTimeouts
  readonly connectionLimits?: ConnectionLimits
  readonly refusalSettings?: RefusalSettings
  readonly liveSettings?: Partial<LiveSettings>
  readonly pollerSettings?: Partial<PollerSettings>
}

export interface HostedEntrance {
  readonly facts: NonNullable<BackendFacts['hosted']>
  readonly dependencies?: readonly Dependency[]
  /** What comes before any route; absent where another gateway stands before this one. */
  readonly register?: (app: FastifyInstance, signInRoute: RouteShorthandOptions) => Promise<void>
  /** Upgrades that may pass; the server's own when absent. */
  readonly upgrades?: EventEmitter
}

export interface Gateway {
  readonly app: FastifyInstance
  readonly access: Access
  readonly metrics: Metrics
  readonly upgrades: UpgradeRouter
  /** @returns the address it listens on, for example `http://127.0.0.1:3000` */
  listen(options: { port: number; host: string }): Promise<string>
  /** The backend may be back: whatever waits for it tries again now instead of after its delay. */
  wake(): void
  /**
   * Asks the backend what it can do and who the gateway is there.
   *
   * @returns the latter in a sentence; null in front of our own
   */
  meetBackend(): Promise<string | null>
  /** Unready from now on; sockets are told when to come back. */
  drain(): Promise<void>
  /** Stops everything it started, after `drain` or without. The backend client stays its owner's. */
  close(): Promise<void>
}

export async function buildGateway(deps: GatewayDeps): Promise<Gateway> {
  const { config, backend, clock, random, logger } = deps
  const signInsPerMinute = deps.signInsPerMinute ?? SIGN_INS_PER_MINUTE
  const signInRoute = { config: { rateLimit: signInLimit(signInsPerMinute) } }
  let isStopping = false

  const hosts = createKnownHosts({
    publicUrls: config.publicUrls ?? [],
    listenHost: config.host,
    trustedProxies: config.trustedProxy ?? [],
  })
  const metrics = createMetrics({ process: deps.hasProcessMetrics ?? false })
  const app = await createServer({ ...deps, hosts, metrics })
  const upgrades = createUpgradeRouter({
    server: deps.hosted?.upgrades ?? app.server,
    hosts,
    createId: deps.createId,
    logger,
  })
  let collab: Collab | undefined
  const capabilities = createCapabilities(deps, { hosts, metrics, upgrades, signInRoute, collab: () => collab })
  const { abilities, access, database, feeds, live, ownCredential, policy, presence, sights } = capabilities
  const { onlyGateway, topologyHistory, unattended, wakes, wall } = capabilities

  // A connection that is still answering when the server stops would otherwise stay open for its keep-alive time.
  app.addHook('onResponse', async () => {
    if (isStopping) setImmediate(() => app.server.closeIdleConnections())
  })
  await app.register(accessPlugin, { signInsPerMinute })
  await (deps.hosted ? deps.hosted.register?.(app, signInRoute) : app.register(oneOrganizationPlugin, { policy }))
  if (config.auth === 'none') await app.register(standalonePlugin, { policy })

  await app.register(operationsPlugin, {
    metrics,
    dependencies: [
      createBackendHealth({ backend, clock }),
      ...(ownCredential ? [ownCredential] : []),
      ...(database ? [toDatabaseDependency(database, clock)] : []),
      ...(onlyGateway ? [onlyGateway] : []),
      ...wakes.dependencies,
      ...feedDependencies(feeds),
      ...(deps.hosted?.dependencies ?? []),
    ],
    ownCredential: () => ownCredential?.report() ?? { isSound: true, text: null },
    backendFacts: async () => {
      await abilities.settle()
      return {
        changes: wakes.areChangesAnnounced() ? 'announced' : 'polled',
        missing: abilities.missing(),
        ...(deps.isDemo ? { demo: true as const } : {}),
        ...(deps.hosted ? { hosted: deps.hosted.facts } : {}),
      }
    },
    isStopping: () => isStopping,
    metricsToken: config.metricsToken,
    policy,
  })
  await app.register(proxyPlugin, {
    access,
    metrics,
    backend,
    ...(config.auth === 'none'
      ? { credential: 'service', actsAs: highestRole(EVERYONE.roles) }
      : { credential: 'caller' }),
    sessionCookie: SESSION_COOKIE,
    readSessionToken,
    timeouts: deps.proxyTimeouts ?? PROXY_TIMEOUTS,
    say: createPresentHeader(presence),
    policy,
    onWritten: wakes.onWritten,
    signInRoute,
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
  await topologyHistory.register(app)
  await app.register(demoPlugin, { password: () => deps.demoPassword?.() ?? null, policy })
  await app.register(consolePlugin, { webRoot: deps.webRoot, policy })

  return {
    app,
    access,
    metrics,
    upgrades,
    listen: (options) => app.listen(options),
    wake: () => live.wake(),
    meetBackend: async () => {
      await Promise.all([ownCredential?.ask(), abilities.ask()])
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
      await capabilities.close()
      await app.close()
      upgrades.close()
      metrics.close()
    },
  }
}
