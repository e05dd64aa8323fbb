import { type AgentSummary, AgentSummarySchema } from '@watchroom/shared/agents'
import { z } from 'zod'

import { request } from '../../api/request.ts'
import type { SaveResult } from '../../ui/form/saveResult.ts'
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

/** Saves the properties of an agent that is still as it was read; otherwise nothing is written. */
export async function saveAgent(
  agent: Pick<AgentRow, 'id' | 'updated_at'>,
  properties: Readonly<Record<string, string>>,
): Promise<SaveResult<AgentRow>> {
  const id = encodeURIComponent(agent.id)
  const unchanged = agent.updated_at ? `&updated_at=eq.${encodeURIComponent(agent.updated_at)}` : ''
  const saved = await request(`/api/db/agents?id=eq.${id}&deleted_at=is.null${unchanged}`, {
    method: 'PATCH',
    body: { properties },
    schema: z.array(AgentRowSchema),
  })
  if (saved[0] !== undefined) return { kind: 'saved', row: saved[0] }
  const [current] = await request(`/api/db/agents?select=id,properties,updated_at&id=eq.${id}&deleted_at=is.null`, {
    schema: z.array(AgentRowSchema),
  })
  return current ? { kind: 'changed', current } : { kind: 'gone' }
}

/** @param cleanup also deletes what the agent created */
export async function deleteAgent(id: string, cleanup: boolean): Promise<void> {
  await request(`/api/db/agents?id=eq.${encodeURIComponent(id)}`, {
    method: 'PATCH',
    body: { deleted_at: 'now()', ...(cleanup ? { cleanup: true } : {}) },
    schema: z.unknown(),
  })
}
