import { Edit, Play } from '@blueprintjs/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { isEnded, type PlaybookRunSummary, RUN_STATUSES } from '@watchroom/shared/playbooks'
import { playbookRunsTopic } from '@watchroom/shared/protocol'
import { resolveTimeRange, toRangeExpressions, toRelativeRange } from '@watchroom/shared/time'
import { useEffect, useMemo, useRef, useState } from 'react'

import { useSession } from '../../../api/session.tsx'
import { useTablePage } from '../../../api/useTablePage.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { useTopic } from '../../../live/useTopic.ts'
import { useTimeZone } from '../../../preferences/timeZone.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { DASH } from '../../../ui/table/Cell.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { TimeRangePicker } from '../../../ui/time-range/TimeRangePicker.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { useTimeRange } from '../../../url/useTimeRange.ts'
import { RunPlaybookDialog } from '../components/RunPlaybookDialog.tsx'
import { RunStatusTag, toStatusWord } from '../components/RunStatusTag.tsx'
import { Elapsed } from '../components/RunSteps.tsx'
import { playbookNamesQuery } from '../playbookQueries.ts'
import { targetOf, titleOf } from '../runParts.ts'
import { runTable } from '../runQueries.ts'
import { RUN_PAGE_SIZE, type RunListSearch, RunListSearchSchema } from '../search.ts'

import styles from '../playbooks.module.css'

/** Second specification, section 9. */
const DEFAULT_RANGE = toRelativeRange('now-7d')

const keyOf = ({ id }: PlaybookRunSummary): string => id
const toRun = ({ id }: PlaybookRunSummary): RowLink => ({ to: `/playbooks/runs/${id}` })

const COLUMNS: readonly TableColumn<PlaybookRunSummary>[] = [
  { key: 'playbook', title: 'Playbook', kind: 'text', isMain: true, value: ({ playbooks }) => titleOf(playbooks) },
  {
    key: 'status',
    title: 'Status',
    kind: 'status',
    value: ({ status }) => status,
    render: ({ status }) => <RunStatusTag status={status} />,
  },
  {
    key: 'error',
    title: 'Why',
    kind: 'text',
    value: ({ error }) => error,
    render: ({ error }) =>
      error ? (
        <span className={styles['why']} title={error}>
          {error}
        </span>
      ) : (
        DASH
      ),
  },
  { key: 'resource', title: 'Resource', kind: 'text', value: (run) => targetOf(run)?.name },
  { key: 'started', title: 'Started', kind: 'time', value: ({ start_time: at, created_at: asked }) => at ?? asked },
  {
    key: 'duration',
    title: 'Duration',
    kind: 'duration',
    value: ({ start_time: from }) => from,
    render: ({ start_time: from, end_time: to, status }) =>
      from ? <Elapsed from={from} to={isEnded(status) ? (to ?? from) : null} /> : DASH,
  },
  { key: 'by', title: 'Triggered By', kind: 'person', value: ({ created_by: by }) => by?.name },
]

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
        {page.total === undefined ? null : <span className="wr-muted">{page.total.toLocaleString()} total</span>}
        <Freshness view={live} />
        <TimeRangePicker value={range} onChange={setRange} />
      </PageHeader>
      <ResourceTable
        name="playbook-runs"
        label="Playbook runs"
        state={page.state}
        columns={COLUMNS}
        keyOf={keyOf}
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
        empty={{ title: 'No runs in this time', text: 'Runs stand here as soon as somebody or something starts one.' }}
        filteredEmpty={isFiltered ? { title: 'No runs found', text: 'No run matches these filters.' } : null}
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
  const live = useTopic(playbookRunsTopic, {})
  useNewRuns(live.rows)
  const data = useMemo(() => {
    const known = new Map(live.rows.map((run) => [run.id, run]))
    return page.state.data?.map((run) => known.get(run.id) ?? run)
  }, [page.state.data, live.rows])
  return { page: { ...page, state: { ...page.state, data } }, live, search, setSearch, range, setRange, limit }
}

/** New runs, and those that now match a filter or no longer do, are read with the page. */
function useNewRuns(rows: readonly PlaybookRunSummary[]): void {
  const queryClient = useQueryClient()
  const states = rows.map(({ id, status }) => `${id} ${status}`).join()
  const seen = useRef(states)
  useEffect(() => {
    if (seen.current === states) return
    seen.current = states
    void runTable.invalidate(queryClient)
  }, [states, queryClient])
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
