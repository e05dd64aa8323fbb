// What the gateway is made of, each part with those that it needs; `buildGateway` puts them behind routes.

import { randomBytes, randomUUID } from 'node:crypto'

import { toDocumentName } from '@watchroom/shared/collab'

import { createAccess } from '../access/createAccess.ts'
import { createRoutePolicy } from '../access/createRoutePolicy.ts'
import { createSights } from '../access/createSights.ts'
import type { signInLimit } from '../access/plugin.ts'
import { COLLAB_MIGRATIONS } from '../collab/migrations.ts'
import { createDefinitionOfDone } from '../definition-of-done/createDefinitionOfDone.ts'
import { createUnattended } from '../definition-of-done/createUnattended.ts'
import { createSubjectRows } from '../definition-of-done/subjectRows.ts'
import { createUnattendedRows } from '../definition-of-done/unattendedRows.ts'
import { createLive } from '../live/createLive.ts'
import { toSessionWatchSettings } from '../platform/createSessionWatch.ts'
import { createDatabase } from '../platform/database/createDatabase.ts'
import { databaseErrors } from '../platform/database/errors.ts'
import { createDatabaseWake } from '../platform/databaseWake.ts'
import { CodedError } from '../platform/errors.ts'
import type { KnownHosts } from '../platform/knownHosts.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Feeds } from '../polling/contract.ts'
import { createFeeds } from '../polling/createFeeds.ts'
import { createWall } from '../wall/createWall.ts'
import { WALL_MIGRATIONS } from '../wall/migrations.ts'
import type { GatewayDeps } from './buildGateway.ts'
import { createOwnCredential } from './createOwnCredential.ts'
import { DOCUMENT_KINDS } from './documentKinds.ts'
import type { UpgradeRouter } from './upgradeRouter.ts'

/** Of the tokens and cookies of screens without an account. */
const SECRET_BYTES = 32

/** What is there before any capability. */
export interface Surroundings {
  readonly hosts: KnownHosts
  readonly metrics: Metrics
  readonly upgrades: UpgradeRouter
  /** Of routes that take passwords and links. */
  readonly signInRoute: { readonly config: { readonly rateLimit: ReturnType<typeof signInLimit> } }
  /** Rows of this shared document changed, or of any. */
  readonly wakeDocuments: (name?: string) => void
}

export function createCapabilities(deps: GatewayDeps, outer: Surroundings) {
  const { config, backend, clock, random, logger } = deps
  const { hosts, metrics, upgrades } = outer
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
    enterRoute: outer.signInRoute,
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
        outer.wakeDocuments(toDocumentName(DOCUMENT_KINDS.incident.name, id))
      },
      onConnected: () => {
        // What was said meanwhile is lost, also that somebody's session ended.
        access.invalidate('all')
        live.wake()
        outer.wakeDocuments()
        wall.wake()
      },
    })

  return {
    access,
    database,
    definitionOfDone,
    feeds,
    live,
    ownCredential,
    policy,
    polled,
    sights,
    unattended,
    wake,
    wall,
  }
}
