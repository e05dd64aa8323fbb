export { type AgentSummary, AgentSummarySchema } from './agentSummary.ts'
