import { type AgentSummary, AgentSummarySchema } from '@watchroom/shared/agents'
import { z } from 'zod'

import { request } from '../../api/request.ts'
import { defineTable } from '../../api/tables.ts'
import { type AgentForm, toExclusions } from './agentForm.ts'

/** All agents by REST, for as long as the live link is down. */
export function fetchAgents(signal: AbortSignal): Promise<AgentSummary[]> {
  const path = '/api/db/agents_summary?select=*,created_by(id,name,avatar)&order=created_at.desc'
  return request(path, { schema: z.array(AgentSummarySchema), signal })
}

const GeneratedAgentSchema = z.object({ access_token: z.string() })

/** @returns the access token, which nobody can ask for again */
export async function createAgent({ name, properties, kubernetes, telemetry }: AgentForm): Promise<string> {
  const answer = await request('/api/agent/generate', {
    method: 'POST',
    body: {
      name,
      properties,
      kubernetes: { ...kubernetes, exclusions: toExclusions(kubernetes.exclusions) },
      pushTelemetry: { enabled: telemetry.enabled, topologyName: telemetry.label.trim() },
    },
    schema: GeneratedAgentSchema,
  })
  return answer.access_token
}

/** Of the row itself, which has fewer columns than the summary. */
const AgentRowSchema = z.object({
  id: z.string(),
  properties: z.record(z.string(), z.string()).nullish().catch(null),
  updated_at: z.string().nullish(),
})
export type AgentRow = z.infer<typeof AgentRowSchema>

export const agentTable = defineTable({
  name: 'agents',
  row: AgentRowSchema,
  select: 'id,properties,updated_at',
  filter: 'deleted_at=is.null',
})
