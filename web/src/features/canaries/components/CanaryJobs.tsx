import { useQuery } from '@tanstack/react-query'
import type { JobHistory } from '@watchroom/shared/settings'
import { useState } from 'react'

import { toQueryState } from '../../../ui/QueryStates.tsx'
import { Cell } from '../../../ui/table/Cell.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import { JOB_PAGE_SIZE, jobsQuery, jobTable } from '../queries.ts'

const COLUMNS: readonly TableColumn<JobHistory>[] = [
  { key: 'name', title: 'Job', kind: 'text', isMain: true, value: ({ name }) => name },
  { key: 'status', title: 'Status', kind: 'status', value: ({ status }) => status },
  { key: 'time_start', title: 'Started', kind: 'time', value: (job) => job.time_start },
  { key: 'duration_millis', title: 'Took', kind: 'duration', value: (job) => job.duration_millis },
  {
    key: 'errors',
    title: 'Errors',
    kind: 'text',
    isWrapped: true,
    value: toErrors,
    render: (job) => <Cell kind="text" value={toErrors(job) || String(job.error_count ?? 0)} />,
  },
]

function toErrors({ details }: JobHistory): string {
  return (details?.errors ?? []).map((error) => (typeof error === 'string' ? error : JSON.stringify(error))).join('; ')
}

/** Internal work that was done for one canary. */
export function CanaryJobs({ canaryId }: { canaryId: string }) {
  const [pageIndex, setPageIndex] = useState(0)
  const query = useQuery(jobsQuery(canaryId, pageIndex))
  return (
    <ResourceTable
      name="canary-jobs"
      label="Job history"
      place="part"
      state={{ ...toQueryState(query, 'the job history'), data: query.data?.rows }}
      columns={COLUMNS}
      keyOf={jobTable.keyOf}
      paging={{
        pageIndex,
        pageSize: JOB_PAGE_SIZE,
        defaultSize: JOB_PAGE_SIZE,
        sizes: [JOB_PAGE_SIZE],
        total: query.data?.total ?? 0,
        onChange: (patch) => setPageIndex(patch.pageIndex),
      }}
      empty={{ text: 'No job has run for this check by itself.' }}
    />
  )
}
