import { useQuery } from '@tanstack/react-query'
import { NIL_UUID } from '@watchroom/shared/kernel'

import { agentsQuery } from '../../api/agents.ts'
import { useSession } from '../../api/session.tsx'
import type { Choice } from '../../ui/form/SelectField.tsx'

/** Agents whose components the page can be narrowed to. None where there is only this installation, and for those who may not know. */
export function useAgents({ isAsked = true } = {}): readonly Choice[] {
  const { can } = useSession()
  const { data = [] } = useQuery({ ...agentsQuery, enabled: isAsked && can('read', 'agents') })
  const agents = data.filter(({ deleted_at }) => !deleted_at).map(({ id, name }) => ({ value: id, label: name || id }))
  return agents.some(({ value }) => value !== NIL_UUID) ? agents : []
}
