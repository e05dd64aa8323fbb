import { agentsTopic } from '@watchroom/shared/protocol'

import { useTopic } from '../../../live/useTopic.ts'
import { AgentList } from '../components/AgentList.tsx'
import { fetchAgents } from '../queries.ts'

const OPTIONS = { fetchRows: fetchAgents }

/** `/settings/agents`: who pushes from where, and who has fallen silent. */
export function AgentsScreen() {
  return <AgentList topic={useTopic(agentsTopic, {}, OPTIONS)} />
}
