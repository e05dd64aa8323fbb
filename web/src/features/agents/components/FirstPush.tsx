import type { AgentSummary } from '@watchroom/shared/agents'

import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'

/** Whether the agent has reported yet. It updates by itself, because the row comes from the live topic. */
export function FirstPush({ agent }: { agent: AgentSummary | undefined }) {
  return (
    <output aria-label="First push">
      {agent?.last_received ? (
        <StatusGlyph status="healthy" word="Connected: the first push has arrived" />
      ) : agent?.last_seen ? (
        <StatusGlyph status="running" word="The agent is connected. Waiting for its first push" />
      ) : (
        <StatusGlyph status="unknown" word="Waiting for the first push …" />
      )}
    </output>
  )
}
