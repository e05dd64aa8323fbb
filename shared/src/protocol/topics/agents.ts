import { z } from 'zod'

import { type AgentSummary, AgentSummarySchema } from '../../agents/index.ts'
import type { Topic } from '../topic.ts'

/** Agents with their counts; liveness is judged on `last_seen` by the reader with the server's clock. */
export const agentsTopic: Topic<Record<string, never>, AgentSummary> = {
  name: 'agents',
  params: z.record(z.string(), z.never()),
  row: AgentSummarySchema,
  key: 'id',
  resource: () => 'agents',
  source: () => 'agents_summary',
}
