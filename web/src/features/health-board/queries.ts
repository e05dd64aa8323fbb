import { parseTimestamp } from '@watchroom/shared/time'
import { z } from 'zod'

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
