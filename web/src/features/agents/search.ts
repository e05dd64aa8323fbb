import { z } from 'zod'

import { AGENT_SORT_KEYS, type AgentSortKey } from './sortAgents.ts'

/** Page sizes of the agent list (first specification, section 9). */
export const AGENT_PAGE_SIZES = [50, 100, 200] as const

/** What a link to the agents page carries; nonsense falls back key by key. */
export type AgentSearch = {
  /** Opens the dialog that creates an agent. */
  addAgent: boolean
  /** Opens the dialog of this agent. */
  id: string
  pageIndex: number
  pageSize: number
  sortBy: AgentSortKey
  sortOrder: 'asc' | 'desc'
}

export const AgentSearchSchema: z.ZodType<AgentSearch> = z.object({
  addAgent: z
    .literal('true')
    .transform(() => true)
    .catch(false),
  id: z.guid().catch(''),
  pageIndex: z.coerce.number().int().min(0).catch(0),
  pageSize: z.coerce
    .number()
    .refine((size) => AGENT_PAGE_SIZES.some((known) => known === size))
    .catch(AGENT_PAGE_SIZES[0]),
  sortBy: z.enum(AGENT_SORT_KEYS).catch('created_at'),
  sortOrder: z.enum(['asc', 'desc']).catch('desc'),
})
