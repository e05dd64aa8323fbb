export { type AgentStatus, toAgentStatus } from './agentStatus.ts'
export { type AgentSummary, AgentSummarySchema } from './agentSummary.ts'
