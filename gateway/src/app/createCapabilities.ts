// The parts of the gateway, each given those it needs; `buildGateway` puts them behind routes.

import { randomBytes, randomUUID } from 'node:crypto'

import type { Pool } from 'pg'

import { createAccess } from '../access/createAccess.ts'
import { createRoutePolicy } from '../access/createRoutePolicy.ts'
import { createSights } from '../access/createSights.ts'
import type { signInLimit } from '../access/plugin.ts'
import type { Collab } from '../collab/contract.ts'
import { createDefinitionOfDone } from '../definition-of-done/createDefinitionOfDone.ts'
import { createUnattended } from '../definition-of-done/createUnattended.ts'
import { createSubjectRows } from '../definition-of-done/subjectRows.ts'
import { createUnattendedRows } from '../definition-of-done/unattendedRows.ts'
import { createLive } from '../live/createLive.ts'
import { toSessionWatchSettings } from '../platform/createSessionWatch.ts'
import { createDatabase } from '../platform/database/createDatabase.ts'
import { databaseErrors } from '../platform/database/errors.ts'
import { CodedError } from '../platform/errors.ts'
import type { KnownHosts } from '../platform/knownHosts.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Feeds } from '../polling/contract.ts'
import { createFeeds } from '../polling/createFeeds.ts'
import { createPagePresence } from '../presence/createPagePresence.ts'
import { createTopologyHistory } from '../topology-history/createTopologyHistory.ts'
import { createWall } from '../wall/createWall.ts'
import type { GatewayDeps } from './buildGateway.ts'
import { createBackendCapabilities } from './createBackendCapabilities.ts'
import { createOnlyGateway } from './createOnlyGateway.ts'
import { createOwnCredential } from './createOwnCredential.ts'
import { createWakes } from './createWakes.ts'
import { GATEWAY_MIGRATIONS } from './gatewayMigrations.ts'
import type { UpgradeRouter } from './upgradeRouter.ts'

/** Length of the tokens and cookies of screens without an account. */
const SECRET_BYTES = 32

/** What is there before any capability. */
export interface Surroundings {
  readonly hosts: KnownHosts
  readonly metrics: Metrics
  readonly upgrades: UpgradeRouter
  /** Of routes that take passwords and links. */
  readonly signInRoute: { readonly config: { readonly rateLimit: ReturnType<typeof signInLimit> } }
  /** Made later than this. */
  readonly collab: () => Collab | undefined
}

export function createCapabilities(deps: GatewayDeps, outer: Surroundings) {
  const { config, backend, clock, random, logger } = deps
  const { hosts, metrics, upgrades } = outer
  const isBackendForeign = config.backendUrl !== undefined
  const abilities = createBackendCapabilities({ backend, clock, logger })
  const access = createAccess({
    backend,
    clock,
    logger,
    mode: config.auth === 'none' ? 'none' : 'session',
    onPerson: abilities.offer,
    // A foreign backend announces no sessions and roles, whatever else it announces.
    ...(isBackendForeign ? {} : { isAnnounced: () => wakes.areRightsAnnounced() }),
  })
  const sights = createSights({ backend, access, clock, metrics })
  const ownCredential = isBackendForeign
    ? createOwnCredential({ backend, clock, logger, isEveryones: config.auth === 'none' })
    : null
  const policy = createRoutePolicy(access, () => !abilities.missing().includes('sessionTokens'))
  const polled = createFeeds({
    backend,
    clock,
    random,
    logger,
    metrics,
    settings: deps.pollerSettings ?? {},
    agentOfflineAfterMs: config.agentOfflineAfterMs,
    areFirstRunsLate: () => abilities.missing().includes('promptRuns'),
  })
  // A backend that was away may come back as another version.
  polled.feeds.checks({}).listen({
    onRead: () => undefined,
    onProblem: (problem) => {
      if (problem === null) void abilities.ask()
    },
  })
  const definitionOfDone = createDefinitionOfDone({
    checks: polled.feeds.checks({}),
    rows: createSubjectRows(backend),
    clock,
    logger,
  })
  const database =
    deps.databaseUrl && createDatabase({ databaseUrl: deps.databaseUrl, migrations: GATEWAY_MIGRATIONS, clock, logger })
  const pool = (): Pool => {
    if (!database) throw new CodedError(databaseErrors.DATABASE_UNAVAILABLE)
    return database.pool()
  }
  const onlyGateway = database && createOnlyGateway({ pool, clock, logger, metrics })
  const wall = createWall({
    backend,
    access,
    sights,
    checks: polled.feeds.checks({}),
    pool,
    clock,
    logger,
    createId: randomUUID,
    createSecret: () => randomBytes(SECRET_BYTES).toString('base64url'),
    policy,
    enterRoute: outer.signInRoute,
  })
  const topologyHistory = createTopologyHistory({
    openTopology: polled.openTopology,
    hasDatabase: database !== undefined,
    pool,
    sights,
    clock,
    logger: logger.child({ part: 'topology-history' }),
    policy,
  })
  const unattended =
    deps.databaseUrl && createUnattended({ definitionOfDone, rows: createUnattendedRows(backend), clock, logger })
  const presence = createPagePresence({ clock })
  const feeds: Feeds = {
    ...polled.feeds,
    definitionOfDone: ({ incidentId }) => definitionOfDone.feed(incidentId),
    presence: presence.feed,
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
  const wakes = createWakes({
    databaseUrl: deps.databaseUrl,
    backendDatabaseUrl: config.backendDatabaseUrl,
    isBackendForeign,
    clock,
    random,
    logger,
    access,
    live,
    wall,
    topologyHistory,
    unattended,
    collab: outer.collab,
  })

  return {
    abilities,
    access,
    database,
    feeds,
    live,
    onlyGateway,
    ownCredential,
    policy,
    presence,
    sights,
    topologyHistory,
    unattended,
    wakes,
    wall,
    /** Called after the sockets of `live` are closed: none of them may ask for anything any more. */
    close: async () => {
      await topologyHistory.close()
      await onlyGateway?.close()
      await database?.close()
      wall.close()
      unattended?.close()
      definitionOfDone.close()
      polled.close()
      presence.close()
      sights.close()
      ownCredential?.close()
      abilities.close()
      await wakes.close()
    },
  }
}
