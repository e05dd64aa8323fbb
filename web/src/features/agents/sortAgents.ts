import type { AgentSummary } from '@watchroom/shared/agents'
import { assertNever } from '@watchroom/shared/kernel'
import { parseTimestamp } from '@watchroom/shared/time'

/** Columns of `agents_summary` that the list can be ordered by; the wire names stand in the address. */
export const AGENT_SORT_KEYS = [
  'name',
  'config_count',
  'checks_count',
  'config_scrapper_count',
  'playbook_runs_count',
  'last_seen',
  'last_received',
  'created_at',
  'updated_at',
  'created_by',
] as const
export type AgentSortKey = (typeof AGENT_SORT_KEYS)[number]

function toSortValue(agent: AgentSummary, key: AgentSortKey): string | number | null {
  switch (key) {
    case 'name':
      return agent.name.toLowerCase()
    case 'created_by':
      return agent.created_by?.name?.toLowerCase() ?? null
    case 'config_count':
    case 'checks_count':
    case 'config_scrapper_count':
    case 'playbook_runs_count':
      return agent[key] ?? 0
    case 'last_seen':
    case 'last_received':
    case 'created_at':
    case 'updated_at':
      return parseTimestamp(agent[key])
    default:
      return assertNever(key, 'toSortValue')
  }
}

/** Agents in order. Those without a value come last both ways; ties are ordered by name. */
export function sortAgents(agents: readonly AgentSummary[], key: AgentSortKey, order: 'asc' | 'desc'): AgentSummary[] {
  const direction = order === 'asc' ? 1 : -1
  return agents.toSorted((a, b) => {
    const [left, right] = [toSortValue(a, key), toSortValue(b, key)]
    if (left === right) return a.name.localeCompare(b.name) || a.id.localeCompare(b.id)
    if (left === null) return 1
    if (right === null) return -1
    return left < right ? -direction : direction
  })
}
