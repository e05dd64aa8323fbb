export { agentStatusOf, isThisServer, toAgentStatus } from './agentStatus.ts'
export { type ClockExchange, toClockBounds } from './clockBounds.ts'
export { type AgentSummary, AgentSummarySchema } from './agentSummary.ts'
