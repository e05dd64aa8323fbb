import type { Clock } from '@watchroom/shared/kernel'

import type { BackendClient } from '../platform/httpClient.ts'
import type { Logger } from '../platform/logger.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Feeds } from './contract.ts'
import { createKeyedFeeds } from './createKeyedFeeds.ts'
import { createPoller, createPollerMetrics, type PollerSettings } from './createPoller.ts'
import { createAgentsSource } from './sources/agents.ts'
import { createChecksSource } from './sources/checks.ts'
import { createIncidentEventsSource } from './sources/incidentEvents.ts'
import { createIncidentsSource } from './sources/incidents.ts'

export interface FeedsDeps {
  readonly backend: BackendClient
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly metrics: Metrics
  readonly settings?: Partial<PollerSettings>
  /** How long after it was seen an agent counts as online; the specification's 61 s when absent. */
  readonly agentOfflineAfterMs?: number
}

export interface PolledFeeds {
  /** All but those that other capabilities make. */
  readonly feeds: Omit<Feeds, 'definitionOfDone' | 'wall'>
  /** Rows of one incident changed. */
  readonly wakeIncident: (incidentId: string) => void
  readonly close: () => void
}

/** One poller per source of the backend. A topic that nobody serves does not compile. */
export function createFeeds(deps: FeedsDeps): PolledFeeds {
  const pollerDeps = { ...deps, metrics: createPollerMetrics(deps.metrics) }
  const agents = createPoller(createAgentsSource(deps), pollerDeps)
  const checks = createPoller(createChecksSource(deps), pollerDeps)
  const incidents = createPoller(createIncidentsSource(deps), pollerDeps)
  const incidentEvents = createKeyedFeeds((incidentId) =>
    createPoller(createIncidentEventsSource({ ...deps, incidentId }), pollerDeps),
  )
  return {
    feeds: {
      agents: () => agents,
      checks: () => checks,
      incident: ({ id }) => incidentEvents.get(id),
      incidents: () => incidents,
    },
    wakeIncident: (incidentId) => {
      incidents.wake()
      incidentEvents.wake(incidentId)
    },
    close: () => {
      agents.close()
      checks.close()
      incidents.close()
      incidentEvents.close()
    },
  }
}
