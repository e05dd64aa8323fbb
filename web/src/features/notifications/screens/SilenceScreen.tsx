import { Button } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'

import { errorText } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { useEndlessRows } from '../../../api/useEndlessRows.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { useScreenClock } from '../../../ui/clock.tsx'
import { ConfirmMutation } from '../../../ui/dialog/ConfirmMutation.tsx'
import { OpenedRow } from '../../../ui/dialog/OpenedRow.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { toQueryState } from '../../../ui/QueryStates.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { RowAction } from '../../../ui/table/RowActions.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { showErrorToast, showToast } from '../../../ui/toaster.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { SilenceDialog } from '../components/SilenceDialog.tsx'
import { changeSilence, type Silence, silenceTable, useLiveSilences } from '../queries.ts'
import { type SilenceSearch, SilenceSearchSchema } from '../search.ts'
import { resourceOf, stateOf, toResourceKey } from '../silenceForm.ts'

const CLOSED = {
  add: false,
  id: '',
  check_id: '',
  canary_id: '',
  component_id: '',
  config_id: '',
} satisfies SilenceSearch
/** Active and upcoming silences are all loaded; past ones as far as someone scrolls. */
const STANDING = { filters: ['until=gt.now'], order: { by: 'from', direction: 'asc' }, limit: 1_000 } as const
const PAST = { filters: ['until=lte.now'], order: { by: 'until', direction: 'desc' } } as const
/** An ended silence becomes past at once. */
const TICK_MS = 1_000
const STATES = { active: 'Active', coming: 'Coming', past: 'Past' } as const
const ORDER = { active: 0, coming: 1, past: 2 } as const

const toSilence = ({ id }: Silence): RowLink => ({ to: '.', search: (current) => ({ ...current, id }) })

const toColumns = (now: number): readonly TableColumn<Silence>[] => [
  {
    key: 'resource',
    title: 'Resource',
    kind: 'text',
    isMain: true,
    value: (row) => `${resourceOf(row).name} (${resourceOf(row).kind})`,
  },
  { key: 'state', title: 'State', kind: 'text', value: (row) => STATES[stateOf(row, now)] },
  { key: 'from', title: 'From', kind: 'time', value: ({ from }) => from },
  { key: 'until', title: 'Until', kind: 'time', value: ({ until }) => until },
  { key: 'recursive', title: 'Recursive', kind: 'text', value: ({ recursive }) => (recursive ? 'Yes' : 'No') },
  { key: 'description', title: 'Description', kind: 'text', value: ({ description }) => description },
  { key: 'created_by', title: 'Created by', kind: 'person', value: ({ created_by: author }) => author },
]

/** `/settings/notifications/silence`: active, upcoming and past silences, for people who may silence. */
export function SilenceScreen() {
  const mayWrite = useSession().can('write', 'notifications')
  if (mayWrite) return <Silences />
  return (
    <>
      <PageHeader title="Silences" />
      <EmptyState title="You can’t silence notifications">An administrator or an editor can.</EmptyState>
    </>
  )
}

function Silences() {
  const queryClient = useQueryClient()
  const [search, setSearch] = useSearchState(SilenceSearchSchema)
  const live = useLiveSilences()
  const [calledOff, setCalledOff] = useState<Silence | null>(null)
  const { state, more, now } = useSilences()
  const columns = useMemo(() => toColumns(now), [now])
  const resource = toResourceKey(search)
  const rowActions = useCallback(
    (row: Silence): readonly RowAction[] => {
      const stands = stateOf(row, now)
      if (stands === 'active') return [{ text: 'End now', onSelect: () => void end(row, queryClient) }]
      return stands === 'coming' ? [{ text: 'Call off', onSelect: () => setCalledOff(row) }] : []
    },
    [now, queryClient],
  )
  const add = { text: 'Silence', icon: <Plus />, onClick: () => setSearch({ add: true }) }
  return (
    <>
      <PageHeader title="Silences" action={add}>
        <Freshness view={live} />
      </PageHeader>
      <ResourceTable
        name="silences"
        label="Silences"
        state={state}
        more={more}
        isLive
        columns={columns}
        keyOf={silenceTable.keyOf}
        rowLink={toSilence}
        openKey={search.id}
        rowActions={rowActions}
        empty={{
          title: 'Nothing is silenced',
          text: 'A silence holds back messages about a resource, for example during planned work.',
          action: <Button {...add} />,
        }}
      />
      {search.add || resource !== '' ? (
        <SilenceDialog key={resource} silence={null} resource={resource} onClose={() => setSearch(CLOSED)} />
      ) : search.id === '' ? null : (
        <OpenSilence key={search.id} id={search.id} onClose={() => setSearch(CLOSED)} />
      )}
      {calledOff === null ? null : <CallOff silence={calledOff} onClose={() => setCalledOff(null)} />}
    </>
  )
}

async function end(silence: Silence, queryClient: QueryClient): Promise<void> {
  try {
    await changeSilence(silence, { until: 'now()' })
    showToast('The silence ended')
  } catch (error) {
    showErrorToast(errorText(error))
  }
  await silenceTable.invalidate(queryClient)
}

const NONE: readonly Silence[] = []

/** Active, coming and past ones. */
function useSilences() {
  const query = useQuery(silenceTable.listQuery(STANDING))
  const past = useEndlessRows(silenceTable, PAST, 'silences')
  const standing = query.data?.rows
  // If past ones fail to load, the others still show.
  const ended = past.state.data ?? (past.state.failure === null ? undefined : NONE)
  const all = useMemo(() => {
    if (standing === undefined || ended === undefined) return undefined
    // A silence that ends between the two answers is in both.
    return [...new Map([...standing, ...ended].map((row) => [silenceTable.keyOf(row), row])).values()]
  }, [standing, ended])
  const now = useLastChange(all)
  const rows = useMemo(
    () => all?.toSorted((one, other) => ORDER[stateOf(one, now)] - ORDER[stateOf(other, now)]),
    [all, now],
  )
  const look = query.error === null ? past.state : toQueryState(query, 'silences')
  return {
    state: { ...look, data: rows },
    more: { total: (rows?.length ?? 0) + Math.max(0, (past.total ?? 0) - (ended?.length ?? 0)), onMore: past.onMore },
    now,
  }
}

/** The last moment at which a silence began or ended. Until the next one, their states and thus the rows stay the same. */
function useLastChange(silences: readonly Silence[] = NONE): number {
  const { clock, serverNow } = useScreenClock()
  const moments = useMemo(
    () => silences.flatMap(({ from, until }) => [Date.parse(from), Date.parse(until)]),
    [silences],
  )
  const subscribe = useCallback(
    (onTick: () => void) => {
      const tick = (): void => {
        cancel = clock.schedule(tick, TICK_MS)
        onTick()
      }
      let cancel = clock.schedule(tick, TICK_MS)
      return () => cancel()
    },
    [clock],
  )
  return useSyncExternalStore(subscribe, () => {
    const now = serverNow()
    return moments.reduce((last, moment) => (moment <= now ? Math.max(last, moment) : last), 0)
  })
}

function CallOff({ silence, onClose }: { silence: Silence; onClose: () => void }) {
  const queryClient = useQueryClient()
  const { serverNow } = useScreenClock()
  const callOff = useMutation({
    mutationFn: async (): Promise<string> => {
      const stands = stateOf(silence, serverNow())
      // It began while the dialog was open: what it has hidden must stay on record.
      if (stands === 'active') await changeSilence(silence, { until: 'now()' })
      if (stands === 'coming') await silenceTable.softDelete(silence.id)
      return stands === 'coming' ? 'The silence was called off' : 'The silence ended'
    },
    onSuccess: (done) => {
      showToast(done)
      onClose()
      void silenceTable.invalidate(queryClient)
    },
  })
  return (
    <ConfirmMutation
      title={`Call off the silence of ${resourceOf(silence).name}?`}
      action="Call off silence"
      intent="danger"
      mutation={callOff}
      onCancel={onClose}
      onConfirm={() => callOff.mutate()}
    >
      It never begins, and leaves this list.
    </ConfirmMutation>
  )
}

function OpenSilence({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <OpenedRow query={useQuery(silenceTable.oneQuery(id))} noun="silence" onClose={onClose}>
      {(silence) => <SilenceDialog silence={silence} resource="" onClose={onClose} />}
    </OpenedRow>
  )
}
