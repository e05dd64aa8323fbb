import { useQuery } from '@tanstack/react-query'
import { formatDuration } from '@watchroom/shared/time'
import { useState } from 'react'

import { errorText } from '../../../api/request.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { Pagination } from '../../../ui/Pagination.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { JOB_PAGE_SIZE, type Job, jobsQuery } from '../queries.ts'

/** Internal work that was done for one canary. */
export function CanaryJobs({ canaryId }: { canaryId: string }) {
  const [pageIndex, setPageIndex] = useState(0)
  const query = useQuery(jobsQuery(canaryId, pageIndex))
  if (query.isPending) return <LoadingSkeleton label="Loading the job history" />
  if (query.isError) {
    return (
      <ErrorState
        title="Could not load the job history"
        message={errorText(query.error)}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
      />
    )
  }
  const { rows, total } = query.data
  if (total === 0) return <EmptyState>No job has run for this check by itself.</EmptyState>
  return (
    <div className="canary-jobs">
      <table>
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">Status</th>
            <th scope="col">Started</th>
            <th scope="col">Took</th>
            <th scope="col">Errors</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </tbody>
      </table>
      {total > JOB_PAGE_SIZE ? (
        <Pagination
          pageIndex={pageIndex}
          pageSize={JOB_PAGE_SIZE}
          total={total}
          pageSizes={[JOB_PAGE_SIZE]}
          onPageChange={setPageIndex}
          onPageSizeChange={() => setPageIndex(0)}
        />
      ) : null}
    </div>
  )
}

function JobRow({ job }: { job: Job }) {
  const errors = job.details?.errors ?? []
  return (
    <tr>
      <td>{job.name}</td>
      <td>{job.status ?? '–'}</td>
      <td>
        <TimeAgo at={job.time_start} />
      </td>
      <td>{typeof job.duration_millis === 'number' ? formatDuration(job.duration_millis) : '–'}</td>
      <td>{errors.length > 0 ? errors.map(String).join('; ') : (job.error_count ?? 0)}</td>
    </tr>
  )
}
