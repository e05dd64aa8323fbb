import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { jobsTopic } from '@watchroom/shared/protocol'
import { type JobHistory, JobHistorySchema } from '@watchroom/shared/settings'
import { useEffect, useRef } from 'react'
import { z } from 'zod'

import { jobNamesKey } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import { defineTable } from '../../api/tables.ts'
import { useTopic } from '../../live/useTopic.ts'

/** Internal work that was done. */
export const jobTable = defineTable<JobHistory>({ name: 'job_histories', row: JobHistorySchema })

const NamesSchema = z.array(z.object({ name: z.string().nullable() }))

/** Every name that a job has had. */
export const jobNamesQuery = queryOptions({
  queryKey: jobNamesKey,
  queryFn: async ({ signal }) => {
    const rows = await request('/api/db/job_history_names?order=name.asc', { schema: NamesSchema, signal })
    return rows.flatMap(({ name }) => (name ? [name] : []))
  },
})

/** Reads jobs again when one begins or ends. @param resourceId empty: any */
export function useLiveJobs(resourceId: string) {
  const queryClient = useQueryClient()
  const live = useTopic(jobsTopic, { resourceId })
  const seen = useRef(live.rows)
  useEffect(() => {
    if (seen.current === live.rows) return
    seen.current = live.rows
    void jobTable.invalidate(queryClient)
    void queryClient.invalidateQueries({ queryKey: jobNamesKey })
  }, [live.rows, queryClient])
  return live
}
