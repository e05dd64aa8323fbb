import type { Clock } from '@watchroom/shared/kernel'
import { type JobState, jobsTopic } from '@watchroom/shared/protocol'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

/** More than a page of the job history shows. */
const NEWEST = 200
/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 10_000

/** Jobs as far as a list must know that they changed. @param deps.resourceId empty: of all resources */
export function createJobsSource(deps: { backend: BackendClient; clock: Clock; resourceId: string }): Source<JobState> {
  const filter = deps.resourceId === '' ? '' : `&resource_id=eq.${deps.resourceId}`
  const paths = ['', '&status=eq.RUNNING'].map(
    (state) => `/db/job_histories?select=id,status${filter}${state}&order=created_at.desc&limit=${NEWEST}`,
  )
  return {
    name: 'jobs',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = deps.clock.now()
      const read = await Promise.all(paths.map((path) => readTable(deps.backend, path, jobsTopic.row, signal)))
      const rows = new Map(read.flatMap((part) => part.rows).map((row) => [row.id, row]))
      const droppedRows = read.reduce((sum, part) => sum + part.droppedRows, 0)
      return { kind: 'all', asOf, rows: [...rows.values()], droppedRows }
    },
  }
}
