import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
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
import type { FlatSearch } from '../../../url/searchParams.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { useTimeRange } from '../../../url/useTimeRange.ts'
import { OpenJob, toJob } from '../components/OpenJob.tsx'
import { jobColumns, jobTime } from '../jobColumns.tsx'
import { toJobFilters } from '../jobFilters.tsx'
import { jobNamesQuery, jobTable, useLiveJobs } from '../queries.ts'
import {
  DEFAULT_FILTERS,
  DEFAULT_PAGE_SIZE,
  isFiltered,
  type JobSearch,
  JobSearchSchema,
  toListAsk,
  withRange,
} from '../search.ts'

/** Third specification, section 9. */
const DEFAULT_RANGE = toRelativeRange('now-2d')

/** `/settings/jobs`: the internal work of the last days, and how it went. */
export function JobsScreen() {
  const { search, setSearch, range, setRange, onReset } = useJobAddress()
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

/** Filters and range as the address has them. `onReset` is null while they are as they come. */
function useJobAddress() {
  const [search, setSearch] = useSearchState(JobSearchSchema)
  const [chosen] = useTimeRange()
  const navigate = useNavigate()
  const setRange = (range: TimeRange | undefined, patch: Partial<JobSearch> = {}): void =>
    void navigate({
      to: '.',
      search: (current: FlatSearch) => withRange(current, range, patch),
      resetScroll: false,
    })
  const isChanged = chosen !== undefined || isFiltered(search)
  return {
    search,
    setSearch,
    range: chosen ?? DEFAULT_RANGE,
    setRange,
    onReset: isChanged ? () => setRange(undefined, DEFAULT_FILTERS) : null,
  }
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
