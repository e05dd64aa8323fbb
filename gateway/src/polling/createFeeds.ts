import type { Clock } from '@watchroom/shared/kernel'

import type { BackendClient } from '../platform/httpClient.ts'
import type { Logger } from '../platform/logger.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Feeds } from './contract.ts'
import { createPoller, createPollerMetrics, type PollerSettings } from './createPoller.ts'
import { createAgentsSource } from './sources/agents.ts'
import { createChecksSource } from './sources/checks.ts'

export interface FeedsDeps {
  readonly backend: BackendClient
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly metrics: Metrics
  readonly settings?: Partial<PollerSettings>
}

/** One poller per source of the backend. A topic that nobody serves does not compile. */
export function createFeeds(deps: FeedsDeps): { readonly feeds: Feeds; readonly close: () => void } {
  const pollerDeps = { ...deps, metrics: createPollerMetrics(deps.metrics) }
  const agents = createPoller(createAgentsSource(deps), pollerDeps)
  const checks = createPoller(createChecksSource(deps), pollerDeps)
  return {
    feeds: { agents: () => agents, checks: () => checks },
    close: () => {
      agents.close()
      checks.close()
    },
  }
}
