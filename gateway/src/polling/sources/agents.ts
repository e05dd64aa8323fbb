import { type AgentSummary, AgentSummarySchema, toAgentStatus } from '@watchroom/shared/agents'
import type { Clock } from '@watchroom/shared/kernel'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

const PATH = '/db/agents_summary?select=*,created_by(id,name,avatar)'

/**
 * Agents report every 15 s to 60 s; the counts beside them change with every push. Where the database tells of changes, an
 * agent that falls silent is told of as well.
 */
const INTERVAL_MS = 15_000

export interface AgentsSourceDeps {
  readonly backend: BackendClient
  readonly clock: Clock
  /** How long after it was seen an agent counts as online; the specification's 61 s when absent. */
  readonly agentOfflineAfterMs?: number
}

/** Agents with their status, judged here on the server's clock: a browser's may be minutes off. */
export function createAgentsSource(deps: AgentsSourceDeps): Source<AgentSummary> {
  return {
    name: 'agents',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = deps.clock.now()
      const { rows, droppedRows } = await readTable(deps.backend, PATH, AgentSummarySchema, signal)
      const now = deps.clock.now()
      const agents = rows.map((row) => ({ ...row, status: toAgentStatus(row, now, deps.agentOfflineAfterMs) }))
      return { kind: 'all', asOf, rows: agents, droppedRows }
    },
  }
}
