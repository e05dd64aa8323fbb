// Live topics on a real port: real HTTP to the backend, real Socket.IO to the clients. Rights can be narrowed.
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { onTestFinished } from 'vitest'

import type { Access, Identity } from '../../gateway/src/access/contract.ts'
import { createAccess } from '../../gateway/src/access/createAccess.ts'
import { createSights } from '../../gateway/src/access/createSights.ts'
import { createUpgradeRouter, type UpgradeRouter } from '../../gateway/src/app/upgradeRouter.ts'
import { createDefinitionOfDone } from '../../gateway/src/definition-of-done/createDefinitionOfDone.ts'
import { createSubjectRows } from '../../gateway/src/definition-of-done/subjectRows.ts'
import type { Live } from '../../gateway/src/live/contract.ts'
import { createLive } from '../../gateway/src/live/createLive.ts'
import type { LiveSettings } from '../../gateway/src/live/settings.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'
import { createBackendClient } from '../../gateway/src/platform/httpClient.ts'
import { createLogger } from '../../gateway/src/platform/logger.ts'
import { createMetrics } from '../../gateway/src/platform/metrics.ts'
import { createFeeds } from '../../gateway/src/polling/createFeeds.ts'
import type { PollerSettings } from '../../gateway/src/polling/createPoller.ts'
import { createPagePresence } from '../../gateway/src/presence/createPagePresence.ts'
import { createBoardFeeds } from '../../gateway/src/wall/createBoardFeeds.ts'
import { createLiveClient, type LiveClient } from '../../web/src/live/createLiveClient.ts'
import { createOpenSocket, inflateRaw } from '../../web/src/live/openSocket.ts'
import { FakeBackend, SERVICE_TOKEN } from './fakeBackend.ts'
import { TEST_HOSTS } from './testHosts.ts'

export interface LiveGateway {
  readonly server: Server
  readonly upgrades: UpgradeRouter
  readonly port: number
  readonly url: string
  readonly live: Live
  readonly access: Access
  readonly backend: FakeBackend
  /** A browser of ours, signed in with the role's session; `port` when it goes through a relay. */
  readonly openClient: (options?: { session?: string; port?: number }) => LiveClient
  /** Value of a metric line that starts with `name` (labels included). */
  readonly metric: (name: string) => Promise<number>
}

export interface LiveGatewayOptions {
  readonly settings?: Partial<LiveSettings>
  readonly polling?: Partial<PollerSettings>
  /** Instead of the matrix, in which every role may read every topic of today. */
  readonly can?: (identity: Identity) => boolean
  /** Whether changes of rights are told at once; nobody says anything of it when absent. */
  readonly isAnnounced?: boolean
}

/** Started for one test, gone after it. */
export async function useLiveGateway(options: LiveGatewayOptions = {}): Promise<LiveGateway> {
  const backend = await FakeBackend.start()
  const client = createBackendClient({ backendUrl: backend.url, token: SERVICE_TOKEN })
  const clock = systemClock
  const logger = createLogger({ level: 'silent' })
  const metrics = createMetrics({ process: false })
  const common = { clock, random: Math.random, logger, metrics }
  const { can, isAnnounced } = options
  const byMatrix = createAccess({
    backend: client,
    clock,
    logger,
    mode: 'session',
    ...(isAnnounced === undefined ? {} : { isAnnounced: () => isAnnounced }),
  })
  const access: Access = can ? { ...byMatrix, can: (identity) => can(identity) } : byMatrix
  const sights = createSights({ backend: client, access, clock, metrics })
  const {
    feeds,
    feedsOf,
    close: closeFeeds,
  } = createFeeds({ ...common, backend: client, settings: options.polling ?? {} })
  const definitionOfDone = createDefinitionOfDone({
    checks: feeds.checks({}),
    rows: createSubjectRows(client),
    clock,
    logger,
  })
  const presence = createPagePresence({ clock })
  const boards = createBoardFeeds({ checks: feeds.checks({}), clock })
  const server = createServer((_request, response) => response.writeHead(404).end())
  const upgrades = createUpgradeRouter({ server, hosts: TEST_HOSTS, createId: randomUUID, logger })
  const live = createLive({
    ...common,
    upgrades,
    access,
    feeds: {
      ...feeds,
      definitionOfDone: ({ incidentId }) => definitionOfDone.feed(incidentId),
      presence: presence.feed,
      wall: ({ boardId }) => boards.feed(boardId),
    },
    sights,
    feedsOf,
    hosts: TEST_HOSTS,
    settings: options.settings ?? {},
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const clients: LiveClient[] = []

  onTestFinished(async () => {
    for (const opened of clients) opened.close()
    await live.close()
    definitionOfDone.close()
    boards.close()
    presence.close()
    closeFeeds()
    sights.close()
    server.closeAllConnections()
    await new Promise((resolve) => {
      server.close(resolve)
    })
    await client.close()
    await backend.stop()
  })

  return {
    server,
    upgrades,
    port,
    url,
    live,
    access,
    backend,
    openClient: ({ session = 'session-admin', port: through = port } = {}) => {
      const opened = createLiveClient({
        clock,
        random: Math.random,
        inflate: inflateRaw,
        openSocket: createOpenSocket(`http://127.0.0.1:${through}`, {
          cookie: `ory_kratos_session=${session}`,
          origin: `http://127.0.0.1:${through}`,
        }),
      })
      clients.push(opened)
      return opened
    },
    metric: async (name) => {
      const line = (await metrics.render()).split('\n').find((text) => text.startsWith(`${name} `))
      return line ? Number(line.slice(name.length + 1)) : 0
    },
  }
}

/** Rows as the backend sends them. */
export function buildSummary(count: number, change: (index: number) => object = () => ({})): unknown[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    canary_id: `10000000-0000-4000-8000-${String(index % 250).padStart(12, '0')}`,
    canary_name: `canary-${index % 250}`,
    canary_namespace: 'default',
    name: `check-${index}`,
    type: 'http',
    status: 'healthy',
    endpoint: `https://service-${index}.example.test/health`,
    agent_id: '00000000-0000-0000-0000-000000000000',
    labels: { app: `app-${index % 20}` },
    uptime: { passed: 10, failed: 0, last_pass: '2026-01-01T00:00:00Z', last_fail: null },
    latency: { p95: 12, p97: 13, p99: 14, rolling1h: 11.5 },
    last_runtime: '2026-01-01T00:00:00Z',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    deleted_at: null,
    silenced_at: null,
    ...change(index),
  }))
}
