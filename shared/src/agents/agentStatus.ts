import { NIL_UUID } from '../kernel/index.ts'
import { parseTimestamp } from '../time/index.ts'
import type { AgentSummary } from './agentSummary.ts'

/** Agents report every 15 s to 60 s; one second of grace on the longest (first specification, section 9). */
const AGENT_ONLINE_WITHIN_MS = 61_000

export type AgentStatus = 'online' | 'offline'

/**
 * @param now the server's clock in ms since the epoch; a browser's own clock may be minutes off
 * @returns null for an agent that was never seen
 */
export function toAgentStatus(
  agent: Pick<AgentSummary, 'last_seen'>,
  now: number,
  onlineWithinMs = AGENT_ONLINE_WITHIN_MS,
): AgentStatus | null {
  const seenAt = parseTimestamp(agent.last_seen)
  if (seenAt === null) return null
  return now - seenAt <= onlineWithinMs ? 'online' : 'offline'
}

/** The backend lists itself among its agents. */
export const isThisServer = ({ id }: Pick<AgentSummary, 'id'>): boolean => id === NIL_UUID

/** What a screen shows: the server's judgement, pushed when it changes; ours where a backend was asked directly. */
export function agentStatusOf(agent: Pick<AgentSummary, 'last_seen' | 'status'>, now: number): AgentStatus | null {
  return agent.status === undefined ? toAgentStatus(agent, now) : agent.status
}
