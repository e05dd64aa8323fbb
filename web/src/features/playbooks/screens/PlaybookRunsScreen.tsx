import { Edit, Play } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { RUN_STATUSES } from '@watchroom/shared/playbooks'
import { resolveTimeRange, toRangeExpressions, toRelativeRange } from '@watchroom/shared/time'
import { useMemo, useState } from 'react'

import { useSession } from '../../../api/session.tsx'
import { useTablePage } from '../../../api/useTablePage.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { useTimeZone } from '../../../preferences/timeZone.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import { TimeRangePicker } from '../../../ui/time-range/TimeRangePicker.tsx'
import { Total } from '../../../ui/Total.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { useTimeRange } from '../../../url/useTimeRange.ts'
import { RUN_COLUMNS, runKey, toRun } from '../components/runColumns.tsx'
import { RunPlaybookDialog } from '../components/RunPlaybookDialog.tsx'
import { toStatusWord } from '../components/RunStatusTag.tsx'
import { playbookNamesQuery } from '../playbookQueries.ts'
import { titleOf } from '../runParts.ts'
import { runTable } from '../runQueries.ts'
import { RUN_PAGE_SIZE, type RunListSearch, RunListSearchSchema } from '../search.ts'
import { useLiveRuns } from '../useLiveRuns.ts'

/** Second specification, section 9. */
const DEFAULT_RANGE = toRelativeRange('now-7d')

const STATUSES = RUN_STATUSES.map((value) => ({ value, label: toStatusWord(value) }))

/** `/playbooks/runs`: what has run, what runs, and what waits. */
export function PlaybookRunsScreen() {
  const { page, live, search, setSearch, range, setRange, limit } = useRuns()
  const { data: names } = useQuery(playbookNamesQuery)
  const options = (names?.rows ?? []).map((row) => ({ value: row.id, label: titleOf(row) }))
  const isFiltered = search.playbook !== '' || search.status !== '' || search.configId !== ''
  return (
    <>
      <PageHeader title="Playbook runs" controls={<PlaybookControls id={search.playbook} />}>
        <Total of={page.total} />
        <Freshness view={live} />
        <TimeRangePicker value={range} onChange={setRange} />
      </PageHeader>
      <ResourceTable
        name="playbook-runs"
        label="Playbook runs"
        state={page.state}
        columns={RUN_COLUMNS}
        keyOf={runKey}
        rowLink={toRun}
        isLive
        question={JSON.stringify([search, range])}
        paging={{
          pageIndex: search.pageIndex,
          pageSize: limit,
          defaultSize: limit,
          sizes: [limit],
          total: page.total ?? 0,
          onChange: ({ pageIndex }) => setSearch({ pageIndex }),
        }}
        empty={{ text: 'Nothing ran in this time range. Runs appear here as soon as someone or something starts one.' }}
        filteredEmpty={isFiltered ? { text: 'No run matches these filters.' } : null}
        toolbar={{
          filters: [
            {
              kind: 'choice',
              key: 'playbook',
              title: 'Playbook',
              options,
              value: search.playbook,
              onChange: (playbook) => setSearch({ playbook, pageIndex: 0 }),
            },
            {
              kind: 'choice',
              key: 'status',
              title: 'Status',
              options: STATUSES,
              value: search.status,
              onChange: (status) => setSearch({ status: status as RunListSearch['status'], pageIndex: 0 }),
            },
          ],
          reset: isFiltered
            ? {
                text: 'Clear filters',
                onReset: () => setSearch({ playbook: '', status: '', configId: '', pageIndex: 0 }),
              }
            : null,
        }}
      />
    </>
  )
}

/** One page of runs with what the live topic knows better. */
function useRuns() {
  const [search, setSearch] = useSearchState(RunListSearchSchema)
  const [chosen, setRange] = useTimeRange()
  const range = chosen ?? DEFAULT_RANGE
  const { serverNow } = useScreenClock()
  const zone = useTimeZone()
  // Read when it is asked for: a list that moved with the clock would ask anew with every second.
  const ends = useMemo(() => resolveTimeRange(range, { now: serverNow(), zone }), [range, zone, serverNow])
  const limit = search.configId === '' ? RUN_PAGE_SIZE.all : RUN_PAGE_SIZE.config
  const page = useTablePage(
    runTable,
    {
      filters: [
        ...(search.playbook === '' ? [] : [`playbook_id=eq.${search.playbook}`]),
        ...(search.status === '' ? [] : [`status=eq.${search.status}`]),
        ...(search.configId === '' ? [] : [`config_id=eq.${search.configId}`]),
        // When it was asked for: a run that waits for approval has not started.
        `created_at=gte.${new Date(ends.from).toISOString()}`,
        ...(toRangeExpressions(range).to === 'now' ? [] : [`created_at=lte.${new Date(ends.to).toISOString()}`]),
      ],
      order: { by: 'created_at', direction: 'desc' },
      limit,
      offset: search.pageIndex * limit,
    },
    'runs',
    () => setSearch({ pageIndex: 0 }, { replace: true }),
  )
  const { live, state } = useLiveRuns(page.state, { isByStatus: search.status !== '' })
  return { page: { ...page, state }, live, search, setSearch, range, setRange, limit }
}

/** With one playbook chosen: what can be done with it. */
function PlaybookControls({ id }: { id: string }) {
  const { can } = useSession()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  if (id === '' || !can('write', 'playbooks')) return null
  return (
    <>
      <CommandButton
        icon={<Edit />}
        command="Edit Playbook"
        onClick={() => void navigate({ to: '/playbooks/$id', params: { id } })}
      />
      <CommandButton icon={<Play />} intent="primary" command="Run Playbook" onClick={() => setOpen(true)} />
      {isOpen ? <RunPlaybookDialog playbookId={id} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
