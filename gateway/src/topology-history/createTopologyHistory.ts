// The past of the topology: recorded all the time, and told to those who see as much as the gateway.
import type { Clock } from '@watchroom/shared/kernel'
import type { FastifyInstance } from 'fastify'

import type { Identity, Sights } from '../access/contract.ts'
import type { RoutePolicy } from '../platform/http/defineRoute.ts'
import { createHistoryStore } from './createHistoryStore.ts'
import { createRecorder, type Recorder, type RecorderDeps } from './createRecorder.ts'
import { topologyHistoryRoutes } from './routes.ts'

/** Two weeks, or as much as this. */
const RETENTION = { keepMs: 14 * 24 * 3_600_000, maxBytes: 500 * 1024 * 1024 }

export interface TopologyHistoryDeps extends Omit<RecorderDeps, 'retention'> {
  /** Without a database nothing is recorded. */
  readonly hasDatabase: boolean
  readonly sights: Pick<Sights, 'showsAll'>
  readonly clock: Clock
  readonly policy: RoutePolicy<Identity>
}

export interface TopologyHistory extends Recorder {
  readonly register: (app: FastifyInstance) => Promise<void>
}

export function createTopologyHistory(deps: TopologyHistoryDeps): TopologyHistory {
  const recorder = deps.hasDatabase ? createRecorder({ ...deps, retention: RETENTION }) : null
  return {
    register: async (app) => {
      await app.register(topologyHistoryRoutes, { ...deps, store: createHistoryStore(deps.pool) })
    },
    wake: () => recorder?.wake(),
    close: async () => {
      await recorder?.close()
    },
  }
}
