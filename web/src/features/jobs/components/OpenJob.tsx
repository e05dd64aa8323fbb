import { useQuery } from '@tanstack/react-query'
import type { JobHistory } from '@watchroom/shared/settings'
import type { ReactNode } from 'react'

import { OpenedRow } from '../../../ui/dialog/OpenedRow.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { hasDetails } from '../jobDetails.ts'
import { jobTable } from '../queries.ts'
import { OpenJobSchema } from '../search.ts'
import { JobDetailsDialog } from './JobDetailsDialog.tsx'

/** A job that reports nothing has nothing to open. */
export const toJob = (job: JobHistory): RowLink | null =>
  hasDetails(job) ? { to: '.', search: (current) => ({ ...current, job: job.id }) } : null

/** The job in the URL, which may no longer be on any page. */
export function OpenJob(): ReactNode {
  const [{ job: id }, setSearch] = useSearchState(OpenJobSchema)
  return id === '' ? null : <Opened key={id} id={id} onClose={() => setSearch({ job: '' })} />
}

function Opened({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <OpenedRow query={useQuery(jobTable.oneQuery(id))} noun="job" onClose={onClose}>
      {(job) => <JobDetailsDialog job={job} onClose={onClose} />}
    </OpenedRow>
  )
}
