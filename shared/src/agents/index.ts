export { AGENT_ONLINE_WITHIN_MS, type AgentStatus, agentStatusOf, toAgentStatus } from './agentStatus.ts'
export { type AgentSummary, AgentSummarySchema } from './agentSummary.ts'
