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
import { useDays, ZoneLabel } from '../../../ui/table/eventTimes.tsx'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { ChoiceFilter } from '../../../ui/table/ResourceToolbar.tsx'
import { TimeRangePicker } from '../../../ui/time-range/TimeRangePicker.tsx'
import { Total } from '../../../ui/Total.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { useTimeRange } from '../../../url/useTimeRange.ts'
import { RUN_COLUMNS, runKey, runTime, toRun } from '../components/runColumns.tsx'
import { RunPlaybookDialog } from '../components/RunPlaybookDialog.tsx'
import { toStatusWord } from '../components/RunStatusTag.tsx'
import { playbookNamesQuery, playbookTable, resourceNameQuery } from '../playbookQueries.ts'
import { titleOf } from '../runParts.ts'
import { runTable } from '../runQueries.ts'
import { RUN_PAGE_SIZE, type RunListSearch, RunListSearchSchema } from '../search.ts'
import { useLiveRuns } from '../useLiveRuns.ts'

/** Second specification, section 9. */
const DEFAULT_RANGE = toRelativeRange('now-7d')

const STATUSES = RUN_STATUSES.map((value) => ({ value, label: toStatusWord(value) }))

/** `/playbooks/runs`: past, active and waiting runs. */
export function PlaybookRunsScreen() {
  const { page, live, search, setSearch, range, setRange, limit } = useRuns()
  const groupOf = useDays(runTime)
  const playbook = usePlaybookChoices(search.playbook)
  const item = useItemFilter(search.configId, () => setSearch({ configId: '', pageIndex: 0 }))
  const isFiltered = search.playbook !== '' || search.status !== '' || search.configId !== ''
  return (
    <>
      <PageHeader title="Playbook runs" controls={<PlaybookControls id={search.playbook} />}>
        <Total of={page.total} />
        <ZoneLabel />
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
        groupOf={groupOf}
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
              ...playbook,
              value: search.playbook,
              onChange: (id) => setSearch({ playbook: id, pageIndex: 0 }),
            },
            {
              kind: 'choice',
              key: 'status',
              title: 'Status',
              options: STATUSES,
              value: search.status,
              onChange: (status) => setSearch({ status: status as RunListSearch['status'], pageIndex: 0 }),
            },
            ...item,
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

/** The playbooks that there are, and one that a link asks for and that was deleted since. */
function usePlaybookChoices(chosen: string): Pick<ChoiceFilter, 'options' | 'isLoading'> {
  const { data: names, isPending } = useQuery(playbookNamesQuery)
  const options = (names?.rows ?? []).map((row) => ({ value: row.id, label: titleOf(row) }))
  const isOther = chosen !== '' && names !== undefined && !options.some(({ value }) => value === chosen)
  const other = useQuery({ ...playbookTable.oneQuery(chosen), enabled: isOther })
  if (!isOther) return { options, isLoading: isPending }
  if (other.isPending) return { options, isLoading: true }
  const label = other.data
    ? `${titleOf(other.data)}${other.data.deleted_at ? ' (deleted)' : ''}`
    : 'An unknown playbook'
  return { options: [...options, { value: chosen, label }] }
}

/** The config item that a link asks for; there is nothing to choose it from here. */
function useItemFilter(id: string, onRemove: () => void): readonly ChoiceFilter[] {
  const { data, isPending } = useQuery({ ...resourceNameQuery({ kind: 'config', id }), enabled: id !== '' })
  if (id === '') return []
  const options = isPending ? [] : [{ value: id, label: data?.name || 'An unknown item' }]
  return [
    {
      kind: 'choice',
      key: 'configId',
      title: 'Config item',
      options,
      value: id,
      isLoading: isPending,
      onChange: onRemove,
    },
  ]
}

/** One page of runs, updated from the live topic. */
function useRuns() {
  const [search, setSearch] = useSearchState(RunListSearchSchema)
  const [chosen, setRange] = useTimeRange()
  const range = chosen ?? DEFAULT_RANGE
  const { serverNow } = useScreenClock()
  const zone = useTimeZone()
  // Resolved once per request: a list that moved with the clock would send a new request every second.
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
        aria-keyshortcuts="e"
        onClick={() => void navigate({ to: '/playbooks/$id', params: { id } })}
      />
      <CommandButton icon={<Play />} intent="primary" command="Run Playbook" onClick={() => setOpen(true)} />
      {isOpen ? <RunPlaybookDialog playbookId={id} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
