import { useQuery } from '@tanstack/react-query'
import { resolveTimeRange, type TimeRange, toRangeExpressions, toRelativeRange } from '@watchroom/shared/time'
import { useMemo } from 'react'

import { useListPage } from '../../../api/useListPage.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { useTimeZone } from '../../../preferences/timeZone.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useDays, ZoneLabel } from '../../../ui/table/eventTimes.tsx'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import { Total } from '../../../ui/Total.tsx'
import { useRangedSearch } from '../../../url/useRangedSearch.ts'
import { OpenJob, toJob } from '../components/OpenJob.tsx'
import { jobColumns, jobTime } from '../jobColumns.tsx'
import { toJobFilters } from '../jobFilters.tsx'
import { jobNamesQuery, jobTable, useLiveJobs } from '../queries.ts'
import { DEFAULT_FILTERS, DEFAULT_PAGE_SIZE, type JobSearch, JobSearchSchema, toListAsk } from '../search.ts'

/** Third specification, section 9. */
const DEFAULT_RANGE = toRelativeRange('now-2d')

/** `/settings/jobs`: the internal work of the last days, and how it went. */
export function JobsScreen() {
  const { search, setSearch, range, setRange, onReset } = useRangedSearch(JobSearchSchema, {
    defaultRange: DEFAULT_RANGE,
    filters: DEFAULT_FILTERS,
    firstPage: { pageIndex: 0 },
  })
  const live = useLiveJobs('')
  const ask = useJobAsk(search, range)
  const page = useListPage(jobTable, {
    ask,
    what: 'jobs',
    search,
    setSearch,
    defaultSize: DEFAULT_PAGE_SIZE,
  })
  const { data: names = [] } = useQuery(jobNamesQuery)
  const zone = useTimeZone()
  const isByTime = search.sortBy === 'created_at'
  const columns = useMemo(
    () => jobColumns({ isOfOne: false, isByTime, onDetails: ({ id }) => setSearch({ job: id }) }),
    [isByTime, setSearch],
  )
  const groupOf = useDays(jobTime)
  return (
    <>
      <PageHeader title="Job History">
        <Total of={page.total} />
        <ZoneLabel />
        <Freshness view={live} />
      </PageHeader>
      <ResourceTable
        name="jobs"
        label="Job history"
        {...page.wiring}
        columns={columns}
        {...(isByTime ? { groupOf } : {})}
        rowLink={toJob}
        openKey={search.job}
        empty={{
          title: 'No jobs found',
          text: 'No jobs match in this time range. Successful jobs are hidden by default; remove that filter to see them.',
        }}
        filteredEmpty={onReset ? { title: 'No jobs found', text: 'No job matches these filters.' } : null}
        toolbar={{
          filters: toJobFilters({
            search,
            names,
            range,
            zone,
            onChange: (patch) => setSearch({ ...patch, pageIndex: 0 }),
            onRange: setRange,
          }),
          reset: onReset ? { text: 'Reset filters', onReset } : null,
        }}
      />
      <OpenJob />
    </>
  )
}

function useJobAsk(search: JobSearch, range: TimeRange) {
  const { serverNow } = useScreenClock()
  const zone = useTimeZone()
  // Read when it is asked for: a list that moved with the clock would ask anew with every second.
  return useMemo(() => {
    const isOpenEnded = toRangeExpressions(range).to === 'now'
    return toListAsk(search, resolveTimeRange(range, { now: serverNow(), zone }), isOpenEnded)
  }, [search, range, zone, serverNow])
}
