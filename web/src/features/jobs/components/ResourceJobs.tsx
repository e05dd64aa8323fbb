import { useMemo, useState } from 'react'

import { useTablePage } from '../../../api/useTablePage.ts'
import { useDays } from '../../../ui/table/eventTimes.tsx'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { jobColumns, jobTime } from '../jobColumns.tsx'
import { jobTable, useLiveJobs } from '../queries.ts'
import { OpenJobSchema } from '../search.ts'
import { OpenJob, toJob } from './OpenJob.tsx'

const PAGE_SIZE = 50

export interface ResourceJobsProps {
  /** As the job history calls it: `config_scraper`. */
  resourceType: string
  resourceId: string
  /** What the jobs are for, within a sentence. */
  noun: string
  /** Why there may never be one: a sentence. */
  note?: string | undefined
}

/** Jobs of one resource: the tab Job History. */
export function ResourceJobs({ resourceType, resourceId, noun, note }: ResourceJobsProps) {
  const [pageIndex, setPageIndex] = useState(0)
  const [{ job: open }, setSearch] = useSearchState(OpenJobSchema)
  useLiveJobs(resourceId)
  const page = useTablePage(
    jobTable,
    {
      filters: [`resource_type=eq.${resourceType}`, `resource_id=eq.${encodeURIComponent(resourceId)}`],
      order: { by: 'created_at', direction: 'desc' },
      limit: PAGE_SIZE,
      offset: pageIndex * PAGE_SIZE,
    },
    'the job history',
    () => setPageIndex(0),
  )
  const columns = useMemo(
    () =>
      jobColumns({ isOfOne: true, isByTime: true, onDetails: ({ id }) => setSearch({ job: id }) }).map((column) => ({
        ...column,
        isSortable: false,
      })),
    [setSearch],
  )
  const groupOf = useDays(jobTime)
  return (
    <>
      <ResourceTable
        name="resource-jobs"
        label="Job history"
        state={page.state}
        columns={columns}
        groupOf={groupOf}
        keyOf={jobTable.keyOf}
        rowLink={toJob}
        openKey={open}
        isLive
        paging={{
          pageIndex,
          pageSize: PAGE_SIZE,
          defaultSize: PAGE_SIZE,
          sizes: [PAGE_SIZE],
          total: page.total ?? 0,
          onChange: (patch) => setPageIndex(patch.pageIndex),
        }}
        empty={{ title: 'No jobs yet', text: note ?? `No job has run for this ${noun}.` }}
      />
      <OpenJob />
    </>
  )
}
