import { type AgentSummary, AgentSummarySchema } from '@watchroom/shared/agents'
import { z } from 'zod'

import { request } from '../../api/request.ts'

/** All agents by REST, for as long as the live link is down. */
export function fetchAgents(signal: AbortSignal): Promise<AgentSummary[]> {
  const path = '/api/db/agents_summary?select=*,created_by(id,name,avatar)&order=created_at.desc'
  return request(path, { schema: z.array(AgentSummarySchema), signal })
}
