import { Button } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { errorText } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { Freshness } from '../../../live/Freshness.tsx'
import { useServerNow } from '../../../ui/clock.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { toQueryState } from '../../../ui/QueryStates.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
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
const ASK = { order: { by: 'until', direction: 'desc' }, limit: 200 } as const
/** One that was ended is past at once. */
const TICK_MS = 1_000
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
  { key: 'state', title: 'State', kind: 'text', value: (row) => stateOf(row, now) },
  { key: 'from', title: 'From', kind: 'time', value: ({ from }) => from },
  { key: 'until', title: 'Until', kind: 'time', value: ({ until }) => until },
  { key: 'recursive', title: 'Recursive', kind: 'text', value: ({ recursive }) => (recursive ? 'yes' : 'no') },
  { key: 'description', title: 'Description', kind: 'text', value: ({ description }) => description },
  { key: 'created_by', title: 'Created by', kind: 'person', value: ({ created_by: author }) => author },
]

/** `/settings/notifications/silence`: what nobody is told of, now, soon and before. For those who may silence. */
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
  const now = useServerNow(TICK_MS)
  const queryClient = useQueryClient()
  const [search, setSearch] = useSearchState(SilenceSearchSchema)
  const live = useLiveSilences()
  const query = useQuery(silenceTable.listQuery(ASK))
  const columns = useMemo(() => toColumns(now), [now])
  const resource = toResourceKey(search)
  const rows = query.data?.rows
  const sorted = useMemo(
    () => rows?.toSorted((one, other) => ORDER[stateOf(one, now)] - ORDER[stateOf(other, now)]),
    [rows, now],
  )
  const end = async (silence: Silence): Promise<void> => {
    try {
      await changeSilence(silence, { until: 'now()' })
      showToast('The silence ended')
    } catch (error) {
      showErrorToast(errorText(error))
    }
    await silenceTable.invalidate(queryClient)
  }
  const add = { text: 'Silence', icon: <Plus />, onClick: () => setSearch({ add: true }) }
  return (
    <>
      <PageHeader title="Silences" action={add}>
        <Freshness view={live} />
      </PageHeader>
      <ResourceTable
        name="silences"
        label="Silences"
        state={{ ...toQueryState(query, 'silences'), data: sorted }}
        isLive
        columns={columns}
        keyOf={silenceTable.keyOf}
        rowLink={toSilence}
        openKey={search.id}
        rowActions={(row) =>
          stateOf(row, now) === 'active' ? [{ text: 'End now', onSelect: () => void end(row) }] : []
        }
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
    </>
  )
}

function OpenSilence({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useQuery(silenceTable.oneQuery(id))
  return data ? <SilenceDialog silence={data} resource="" onClose={onClose} /> : null
}
