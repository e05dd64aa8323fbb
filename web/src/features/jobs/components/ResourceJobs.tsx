import type { JobHistory } from '@watchroom/shared/settings'
import { useMemo, useState } from 'react'

import { useTablePage } from '../../../api/useTablePage.ts'
import { useDays } from '../../../ui/table/eventTimes.tsx'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import { jobColumns, jobTime } from '../jobColumns.tsx'
import { jobTable, useLiveJobs } from '../queries.ts'
import { JobDetailsDialog } from './JobDetailsDialog.tsx'

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

/** Internal work that was done for one resource: the tab Job History. */
export function ResourceJobs({ resourceType, resourceId, noun, note }: ResourceJobsProps) {
  const [pageIndex, setPageIndex] = useState(0)
  const [open, setOpen] = useState<JobHistory | null>(null)
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
      jobColumns({ isOfOne: true, isByTime: true, onDetails: setOpen }).map((column) => ({
        ...column,
        isSortable: false,
      })),
    [],
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
      {open ? <JobDetailsDialog job={open} onClose={() => setOpen(null)} /> : null}
    </>
  )
}
