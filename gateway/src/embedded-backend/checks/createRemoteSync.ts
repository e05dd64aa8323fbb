// Checks of other agents on the board: what they are, what they last said, and since when nothing was heard of their agent.
import type { Clock } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

import { createAgentWatch } from './createAgentWatch.ts'
import type { CheckSummaryStore } from './createCheckSummary.ts'
import type { StoredResults } from './createResultStore.ts'
import { readAgents, readRemoteChecks, type RemoteCheck } from './remoteChecks.ts'
import { showChecks } from './showChecks.ts'

export interface RemoteSync {
  /** Brings in what agents and people wrote. @returns how many checks it changed on the board */
  refresh(): Promise<number>
  hasCanary(canaryId: string): boolean
  /** An agent gave a sign of life, at this moment of our clock. */
  agentSeen(agentId: string, at: number): void
  /** What results of an agent made of its checks. */
  setStates(states: StoredResults['states']): void
  close(): void
}

export interface RemoteSyncDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly summary: CheckSummaryStore
  readonly offlineAfterMs: number
  /** Agents fell silent or were heard again. */
  readonly onAgents: () => void
  /** Checks on the board are known, or unknown, from now on. */
  readonly onBoard: () => void
}

export function createRemoteSync(deps: RemoteSyncDeps): RemoteSync {
  const { pool, clock, summary } = deps
  /** As they are on the board. */
  const remote = new Map<string, RemoteCheck>()
  let canaryIds: ReadonlySet<string> = new Set()

  const agentWatch = createAgentWatch({
    clock,
    offlineAfterMs: deps.offlineAfterMs,
    onChange: (ids) => {
      deps.onAgents()
      showSilence(new Set(ids))
    },
  })

  const showSilence = (agentIds: ReadonlySet<string>): void => {
    let isChanged = false
    for (const [id, { summary: check }] of remote) {
      if (!agentIds.has(check.agentId)) continue
      summary.setUnknownSince(id, agentWatch.silentSince(check.agentId))
      isChanged = true
    }
    if (isChanged) deps.onBoard()
  }

  return {
    refresh: async () => {
      const agents = await readAgents(pool)
      const found = await readRemoteChecks(pool)
      const changed = found.filter((check) => {
        const known = remote.get(check.summary.id)
        return !known || JSON.stringify(known) !== JSON.stringify(check)
      })
      for (const check of changed) remote.set(check.summary.id, check)
      canaryIds = new Set(found.map((check) => check.summary.canaryId))
      const ids = new Set(found.map((check) => check.summary.id))
      const vanished = [...remote.keys()].filter((id) => !ids.has(id))
      for (const id of vanished) {
        remote.delete(id)
        summary.remove(id)
      }
      await showChecks({ pool, clock, summary }, changed)
      for (const { summary: check } of changed) summary.setUnknownSince(check.id, agentWatch.silentSince(check.agentId))
      agentWatch.set(agents)
      return changed.length + vanished.length
    },
    hasCanary: (canaryId) => canaryIds.has(canaryId),
    agentSeen: (agentId, at) => agentWatch.seen(agentId, at),
    setStates: (states) => {
      for (const [id, state] of states) {
        const check = remote.get(id)
        if (check) remote.set(id, { ...check, state })
      }
    },
    close: () => agentWatch.close(),
  }
}
