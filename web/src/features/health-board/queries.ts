import { queryOptions } from '@tanstack/react-query'
import { parseTimestamp } from '@watchroom/shared/time'
import { z } from 'zod'

import { checkKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import { type LoadResults, MAX_RESULTS } from './board/createResultStrips.ts'

const LastResultsSchema = z.array(
  z.object({
    id: z.string(),
    check_statuses: z.array(z.object({ time: z.string(), status: z.boolean() })),
  }),
)

/** The newest results of several checks in one request, oldest first. */
export const fetchLastResults: LoadResults = async (checkIds, signal) => {
  const parameters = new URLSearchParams({
    id: `in.(${checkIds.join()})`,
    select: 'id,check_statuses(time,status)',
    'check_statuses.order': 'time.desc',
    'check_statuses.limit': String(MAX_RESULTS),
  })
  const rows = await request(`/api/db/checks?${parameters}`, { schema: LastResultsSchema, signal })
  return new Map(
    rows.map(({ id, check_statuses }) => [
      id,
      check_statuses.toReversed().flatMap(({ time, status }) => {
        const at = parseTimestamp(time)
        return at === null ? [] : [{ at, hasPassed: status }]
      }),
    ]),
  )
}

const AgentNamesSchema = z.array(z.object({ id: z.string(), name: z.string().nullish() }))

/** Names of agents by id, for tabs and columns that stand for agents. */
export const agentNamesQuery = queryOptions({
  queryKey: checkKeys.agentNames,
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
    const agents = await request('/api/db/agents?select=id,name', { schema: AgentNamesSchema, signal })
    return new Map(agents.flatMap(({ id, name }) => (name ? [[id, name]] : [])))
  },
})
