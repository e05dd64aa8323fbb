import type { Clock } from '@watchroom/shared/kernel'
import { TOPICS } from '@watchroom/shared/protocol'
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
import { createLogTailSource } from './sources/logTail.ts'
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
  const { feeds, close } = shareFeeds(createPollers(deps.backend))
  // Read once for all who look at the same items, whatever each of them filters by.
  const changes = createKeyedFeeds((scope: string) => pollChanges(deps.backend, scope))

  return {
    feeds: {
      ...feeds,
      configChanges: (params) => narrowFeed(changes.get(changesScope(params)), toChangeMatcher(params)),
    },
    feedsOf: (caller) =>
      mapFeeds(
        createPollers(asCaller(deps.backend, caller), true),
        (open) => (params) => endWithListener(open(params)),
      ),
    openTopology: () => createPoller(createWholeTopologySource(deps), withGap(WHOLE_TOPOLOGY_GAP_MS)),
    close: () => {
      close()
      changes.close()
    },
  }
}

/** One feed for all who ask for the same: from the start where there is nothing to ask for, otherwise while someone listens. */
function shareFeeds(pollers: PolledFeeds): { readonly feeds: PolledFeeds; readonly close: () => void } {
  const opened: { readonly close: () => void }[] = []
  const feeds = mapFeeds(pollers, <Params, Row>(open: Open<Params, Row>, name: PolledTopic): Open<Params, Row> => {
    const nothing = TOPICS[name].params.safeParse({})
    if (nothing.success) {
      const feed = open(nothing.data as Params)
      opened.push(feed)
      return () => feed
    }
    const keyed = createKeyedFeeds((key: string) => open(JSON.parse(key) as Params))
    opened.push(keyed)
    return (params) => keyed.get(JSON.stringify(params))
  })
  return {
    feeds,
    close: () => {
      for (const each of opened) each.close()
    },
  }
}

type PolledTopic = keyof PolledFeeds
type Open<Params, Row> = (params: Params) => Feed<Row>

/** The same topics, opened in another way. What is opened has the rows that it had: `change` knows none of them. */
function mapFeeds(
  feeds: PolledFeeds,
  change: <Params, Row>(open: Open<Params, Row>, name: PolledTopic) => Open<Params, Row>,
): PolledFeeds {
  const names = Object.keys(feeds) as PolledTopic[]
  return Object.fromEntries(
    names.map((name) => [name, change<never, unknown>(feeds[name], name)]),
  ) as unknown as PolledFeeds
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
