import type { Clock } from '@watchroom/shared/kernel'
import type { SettingsTable } from '@watchroom/shared/settings'
import type { Component } from '@watchroom/shared/topology'

import { asCaller, type BackendCaller } from '../platform/backendCaller.ts'
import type { BackendClient } from '../platform/httpClient.ts'
import type { Logger } from '../platform/logger.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Feed, PolledFeeds } from './contract.ts'
import { createKeyedFeeds } from './createKeyedFeeds.ts'
import { createPoller, createPollerMetrics, type PollerSettings } from './createPoller.ts'
import { narrowFeed } from './narrowFeed.ts'
import { createAgentsSource } from './sources/agents.ts'
import { createCatalogSummarySource } from './sources/catalogSummary.ts'
import { createChecksSource } from './sources/checks.ts'
import { createConfigSource } from './sources/config.ts'
import { changesScope, createConfigChangesSource, toChangeMatcher } from './sources/configChanges.ts'
import { createConfigInsightsSource } from './sources/configInsights.ts'
import { createConfigRelationshipsSource } from './sources/configRelationships.ts'
import { createConfigsSource } from './sources/configs.ts'
import { createEventQueueSource } from './sources/eventQueue.ts'
import { createFeatureFlagsSource } from './sources/featureFlags.ts'
import { createIncidentEventsSource } from './sources/incidentEvents.ts'
import { createIncidentsSource } from './sources/incidents.ts'
import { createJobsSource } from './sources/jobs.ts'
import { createLogTailSource, type LogTailParams } from './sources/logTail.ts'
import { createNotificationsSource } from './sources/notifications.ts'
import { createPeopleSource } from './sources/people.ts'
import { createPlaybookOutputSource } from './sources/playbookOutput.ts'
import { createPlaybookRunSource } from './sources/playbookRun.ts'
import { createPlaybookRunsSource } from './sources/playbookRuns.ts'
import { createPlaybooksSource } from './sources/playbooks.ts'
import { createScrapersSource } from './sources/scrapers.ts'
import { createSettingsSource } from './sources/settings.ts'
import { createSilencesSource } from './sources/silences.ts'
import { createTopologySource } from './sources/topology.ts'
import { createTransitionsSource } from './sources/transitions.ts'
import { createWaitingRunsSource } from './sources/waitingRuns.ts'
import { createWholeTopologySource } from './sources/wholeTopology.ts'

export interface FeedsDeps {
  readonly backend: BackendClient
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly metrics: Metrics
  readonly settings?: Partial<PollerSettings>
  /** How long after it was seen an agent counts as online; the specification's 61 s when absent. */
  readonly agentOfflineAfterMs?: number
  /** Checks that are saved have no row until the backend looks for them, after minutes. */
  readonly areFirstRunsLate?: () => boolean
}

/** Someone reads along: what a step prints, or a log says, is on the screen within the time of a blink. */
const OUTPUT_GAP_MS = 40

/** The whole catalog is read at once: where it changes all the time, not more often than this. */
const CATALOG_GAP_MS = 500
const SUMMARY_GAP_MS = 1_500
/** A storm of events moves both with each of them. */
const QUEUE_GAP_MS = 500
/** What people type into an incident is written all the time, and moves its changelog with each row; nobody follows that faster. */
const INCIDENT_GAP_MS = 1_000
/** The whole topology likewise: what comes and goes within this time was never seen. */
const WHOLE_TOPOLOGY_GAP_MS = 250

export interface FeedsOwner {
  /** Read with the gateway's own credential, for everyone. */
  readonly feeds: PolledFeeds
  /** Read with someone's own credential, for their sockets alone. Each is opened anew and ends with its last listener. */
  readonly feedsOf: (caller: BackendCaller) => PolledFeeds
  /** Every component, for a reader who closes it. */
  readonly openTopology: () => Feed<Component>
  readonly close: () => void
}

/** One poller per source of the backend. A topic that nobody serves does not compile. */
export function createFeeds(deps: FeedsDeps): FeedsOwner {
  const pollerDeps = { ...deps, metrics: createPollerMetrics(deps.metrics) }
  const withGap = (minGapMs: number) => ({ ...pollerDeps, settings: { ...deps.settings, minGapMs } })
  const pollChanges = (backend: BackendClient, scope: string) =>
    createPoller(createConfigChangesSource({ ...deps, backend, scope }), withGap(CATALOG_GAP_MS))
  const createPollers = (backend: BackendClient, isPersonal = false) => {
    const sourceDeps = { ...deps, backend }
    return {
      agents: () => createPoller(createAgentsSource(sourceDeps), pollerDeps),
      checks: () => createPoller(createChecksSource(sourceDeps), pollerDeps),
      catalogSummary: () => createPoller(createCatalogSummarySource(sourceDeps), withGap(SUMMARY_GAP_MS)),
      config: ({ id }) => createPoller(createConfigSource({ ...sourceDeps, configId: id }), withGap(CATALOG_GAP_MS)),
      configChanges: (params) => narrowFeed(pollChanges(backend, changesScope(params)), toChangeMatcher(params)),
      configInsights: ({ configId }) =>
        createPoller(createConfigInsightsSource({ ...sourceDeps, configId }), withGap(CATALOG_GAP_MS)),
      configRelationships: () => createPoller(createConfigRelationshipsSource(sourceDeps), withGap(CATALOG_GAP_MS)),
      configs: () => createPoller(createConfigsSource(sourceDeps), withGap(CATALOG_GAP_MS)),
      eventQueue: () => createPoller(createEventQueueSource(sourceDeps), withGap(QUEUE_GAP_MS)),
      featureFlags: () => createPoller(createFeatureFlagsSource(sourceDeps), pollerDeps),
      incident: ({ id }) =>
        createPoller(createIncidentEventsSource({ ...sourceDeps, incidentId: id }), withGap(INCIDENT_GAP_MS)),
      incidents: () => createPoller(createIncidentsSource(sourceDeps), pollerDeps),
      logTail: (params) =>
        createPoller(createLogTailSource({ ...sourceDeps, params, isPersonal }), withGap(OUTPUT_GAP_MS)),
      jobs: ({ resourceId }) => createPoller(createJobsSource({ ...sourceDeps, resourceId }), pollerDeps),
      people: () => createPoller(createPeopleSource(sourceDeps), pollerDeps),
      playbookOutput: ({ actionId }) =>
        createPoller(createPlaybookOutputSource({ ...sourceDeps, actionId }), withGap(OUTPUT_GAP_MS)),
      playbookRun: ({ id }) => createPoller(createPlaybookRunSource({ ...sourceDeps, runId: id }), pollerDeps),
      notifications: () => createPoller(createNotificationsSource(sourceDeps), pollerDeps),
      playbookRuns: () => createPoller(createPlaybookRunsSource(sourceDeps), pollerDeps),
      playbooks: () => createPoller(createPlaybooksSource(sourceDeps), pollerDeps),
      scrapers: () => createPoller(createScrapersSource(sourceDeps), withGap(CATALOG_GAP_MS)),
      settings: ({ table }) => createPoller(createSettingsSource({ ...sourceDeps, table }), pollerDeps),
      silences: () => createPoller(createSilencesSource(sourceDeps), pollerDeps),
      topology: ({ id }) => createPoller(createTopologySource({ ...sourceDeps, id }), pollerDeps),
      transitions: () => createPoller(createTransitionsSource(sourceDeps), withGap(QUEUE_GAP_MS)),
      waitingRuns: () => createPoller(createWaitingRunsSource(sourceDeps), pollerDeps),
    } satisfies PolledFeeds
  }
  const pollers = createPollers(deps.backend)
  const agents = pollers.agents()
  const checks = pollers.checks()
  const catalogSummary = pollers.catalogSummary()
  const configs = pollers.configs()
  const configRelationships = pollers.configRelationships()
  const scrapers = pollers.scrapers()
  const eventQueue = pollers.eventQueue()
  const featureFlags = pollers.featureFlags()
  const incidents = pollers.incidents()
  const people = pollers.people()
  const notifications = pollers.notifications()
  const playbookRuns = pollers.playbookRuns()
  const playbooks = pollers.playbooks()
  const silences = pollers.silences()
  const transitions = pollers.transitions()
  const waitingRuns = pollers.waitingRuns()
  const incidentEvents = createKeyedFeeds((id: string) => pollers.incident({ id }))
  const logTails = createKeyedFeeds((key: string) => pollers.logTail(JSON.parse(key) as LogTailParams))
  const config = createKeyedFeeds((id: string) => pollers.config({ id }))
  // Read once for all who look at the same items, whatever each of them filters by.
  const changes = createKeyedFeeds((scope: string) => pollChanges(deps.backend, scope))
  const configInsights = createKeyedFeeds((configId: string) => pollers.configInsights({ configId }))
  const jobs = createKeyedFeeds((resourceId: string) => pollers.jobs({ resourceId }))
  const playbookOutputs = createKeyedFeeds((actionId: string) => pollers.playbookOutput({ actionId }))
  const playbookRunParts = createKeyedFeeds((id: string) => pollers.playbookRun({ id }))
  const topologies = createKeyedFeeds((id: string) => pollers.topology({ id }))
  const settings = createKeyedFeeds((table: SettingsTable) => pollers.settings({ table }))

  return {
    feeds: {
      agents: () => agents,
      checks: () => checks,
      catalogSummary: () => catalogSummary,
      config: ({ id }) => config.get(id),
      configChanges: (params) => narrowFeed(changes.get(changesScope(params)), toChangeMatcher(params)),
      configInsights: ({ configId }) => configInsights.get(configId),
      configRelationships: () => configRelationships,
      configs: () => configs,
      eventQueue: () => eventQueue,
      featureFlags: () => featureFlags,
      incident: ({ id }) => incidentEvents.get(id),
      incidents: () => incidents,
      logTail: ({ componentId, selector, query }) => logTails.get(JSON.stringify({ componentId, selector, query })),
      jobs: ({ resourceId }) => jobs.get(resourceId),
      people: () => people,
      playbookOutput: ({ actionId }) => playbookOutputs.get(actionId),
      playbookRun: ({ id }) => playbookRunParts.get(id),
      notifications: () => notifications,
      playbookRuns: () => playbookRuns,
      playbooks: () => playbooks,
      scrapers: () => scrapers,
      settings: ({ table }) => settings.get(table),
      silences: () => silences,
      topology: ({ id }) => topologies.get(id),
      transitions: () => transitions,
      waitingRuns: () => waitingRuns,
    },
    feedsOf: (caller) => {
      const own = createPollers(asCaller(deps.backend, caller), true)
      return {
        agents: () => endWithListener(own.agents()),
        checks: () => endWithListener(own.checks()),
        catalogSummary: () => endWithListener(own.catalogSummary()),
        config: (params) => endWithListener(own.config(params)),
        configChanges: (params) => endWithListener(own.configChanges(params)),
        configInsights: (params) => endWithListener(own.configInsights(params)),
        configRelationships: () => endWithListener(own.configRelationships()),
        configs: () => endWithListener(own.configs()),
        eventQueue: () => endWithListener(own.eventQueue()),
        featureFlags: () => endWithListener(own.featureFlags()),
        incident: (params) => endWithListener(own.incident(params)),
        incidents: () => endWithListener(own.incidents()),
        logTail: (params) => endWithListener(own.logTail(params)),
        jobs: (params) => endWithListener(own.jobs(params)),
        people: () => endWithListener(own.people()),
        playbookOutput: (params) => endWithListener(own.playbookOutput(params)),
        playbookRun: (params) => endWithListener(own.playbookRun(params)),
        notifications: () => endWithListener(own.notifications()),
        playbookRuns: () => endWithListener(own.playbookRuns()),
        playbooks: () => endWithListener(own.playbooks()),
        scrapers: () => endWithListener(own.scrapers()),
        settings: (params) => endWithListener(own.settings(params)),
        silences: () => endWithListener(own.silences()),
        topology: (params) => endWithListener(own.topology(params)),
        transitions: () => endWithListener(own.transitions()),
        waitingRuns: () => endWithListener(own.waitingRuns()),
      }
    },
    openTopology: () => createPoller(createWholeTopologySource(deps), withGap(WHOLE_TOPOLOGY_GAP_MS)),
    close: () => {
      const ofCatalog = [catalogSummary, config, changes, configInsights, configRelationships, configs, scrapers]
      const shared = [agents, checks, featureFlags, incidents, people]
      const ofNotifications = [eventQueue, notifications, silences, transitions]
      const ofPlaybooks = [playbooks, playbookRuns, waitingRuns]
      const keyed = [incidentEvents, jobs, logTails, playbookOutputs, playbookRunParts, settings, topologies]
      for (const feed of [...ofCatalog, ...shared, ...ofNotifications, ...ofPlaybooks, ...keyed]) feed.close()
    },
  }
}

/** A feed that one reader has to themselves. */
const endWithListener = <Row>(feed: Feed<Row>): Feed<Row> => ({
  ...feed,
  listen: (listener) => {
    const stop = feed.listen(listener)
    return () => {
      stop()
      feed.close()
    }
  },
})
