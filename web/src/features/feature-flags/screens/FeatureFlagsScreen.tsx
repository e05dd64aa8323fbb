import { Button } from '@blueprintjs/core'
import { Flag, Plus } from '@blueprintjs/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { featureFlagsTopic } from '@watchroom/shared/protocol'
import type { FeatureFlag } from '@watchroom/shared/settings'
import { type ReactNode, useEffect, useMemo, useState } from 'react'

import { useSession } from '../../../api/session.tsx'
import type { TopicView } from '../../../live/contract.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { toTopicState } from '../../../live/toTopicState.ts'
import { useOnChange } from '../../../live/useOnChange.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { OpenedRow } from '../../../ui/dialog/OpenedRow.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { toSort } from '../../../ui/table/listSearch.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { showErrorToast } from '../../../ui/toaster.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { AddFlagDialog, EditFlagDialog } from '../components/FlagDialog.tsx'
import { fetchFlags, flagTable, LOCAL_REFUSAL } from '../queries.ts'
import { FlagSearchSchema } from '../search.ts'

const OPTIONS = { fetchRows: fetchFlags }
const keyOf = ({ name }: FeatureFlag): string => name
const toFlag = ({ name }: FeatureFlag): RowLink => ({ to: '.', search: (current) => ({ ...current, name }) })

const COLUMNS: readonly TableColumn<FeatureFlag>[] = [
  { key: 'name', title: 'Name', kind: 'code', isMain: true, isSortable: true, value: ({ name }) => name },
  { key: 'value', title: 'Value', kind: 'code', isSortable: true, value: ({ value }) => value },
  {
    key: 'source',
    title: 'Source',
    kind: 'text',
    isSortable: true,
    value: ({ source }) => (source === 'local' ? 'Local, read-only' : 'Database'),
  },
  { key: 'description', title: 'Description', kind: 'text', value: ({ description }) => description },
]

/** `/settings/feature-flags`: what is switched on and off in this installation. */
export function FeatureFlagsScreen() {
  const topic = useTopic(featureFlagsTopic, {}, OPTIONS)
  const mayWrite = useSession().can('write', 'feature_flags')
  const [search, setSearch] = useSearchState(FlagSearchSchema)
  const query = search.query.trim().toLowerCase()
  const found = useMemo(
    () => topic.rows.filter(({ name }) => query === '' || name.toLowerCase().includes(query)),
    [topic.rows, query],
  )
  const add = mayWrite ? { text: 'Add feature flag', icon: <Plus />, onClick: () => setSearch({ add: true }) } : null
  return (
    <>
      <PageHeader
        title="Feature Flags"
        action={add}
        refresh={{ onRefresh: () => topic.refresh(), isLoading: topic.state === 'loading' }}
      >
        <Freshness view={topic} />
      </PageHeader>
      <ResourceTable
        name="feature-flags"
        label="Feature flags"
        state={toTopicState(topic, 'feature flags')}
        found={found}
        columns={COLUMNS}
        keyOf={keyOf}
        rowLink={toFlag}
        openKey={search.name}
        sort={toSort(search, setSearch)}
        isLive
        empty={{
          icon: <Flag size={28} />,
          text: 'No feature flags yet, so every area is on. A flag turns an area off for everyone.',
          ...(add ? { action: <Button {...add} /> } : {}),
        }}
        filteredEmpty={query === '' ? null : { text: 'No feature flag matches this name.' }}
        toolbar={{
          search: {
            value: search.query,
            placeholder: 'Search feature flags',
            onSearch: (text) => setSearch({ query: text }, { replace: true }),
          },
          reset: query === '' ? null : { text: 'Clear filters', onReset: () => setSearch({ query: '' }) },
        }}
      />
      <FlagDialogs topic={topic} mayWrite={mayWrite} />
    </>
  )
}

function FlagDialogs({ topic, mayWrite }: { topic: TopicView<FeatureFlag>; mayWrite: boolean }): ReactNode {
  const [{ add, name }, setSearch] = useSearchState(FlagSearchSchema)
  const handleClose = (): void => setSearch({ add: false, name: '' })
  const isLocal = topic.rows.some((flag) => flag.name === name && flag.source === 'local')
  useEffect(() => {
    if (!isLocal) return
    showErrorToast(LOCAL_REFUSAL)
    setSearch({ name: '' }, { replace: true })
  }, [isLocal, setSearch])
  // Which names are taken, and which are local, is not known before: the list says what keeps it. A link that goes afterwards
  // takes nothing away that someone is typing.
  const [isKnown, setKnown] = useState(false)
  if (!isKnown && toTopicState(topic, 'feature flags').data !== undefined) setKnown(true)
  if (!isKnown || isLocal) return null
  if (add && mayWrite) return <AddFlagDialog flags={topic.rows} onClose={handleClose} />
  if (name === '') return null
  return <OpenFlag key={name} name={name} rows={topic.rows} mayWrite={mayWrite} onClose={handleClose} />
}

interface OpenFlagProps {
  name: string
  rows: readonly FeatureFlag[]
  mayWrite: boolean
  onClose: () => void
}

function OpenFlag({ name, rows, ...props }: OpenFlagProps) {
  const queryClient = useQueryClient()
  const query = useQuery({ ...flagTable.oneQuery(name), staleTime: 0, gcTime: 0 })
  useOnChange([rows.find((flag) => flag.name === name)?.value], () => void flagTable.invalidate(queryClient))
  return (
    <OpenedRow query={query} noun="feature flag" onClose={props.onClose}>
      {(stored) => <EditFlagDialog stored={stored} {...props} />}
    </OpenedRow>
  )
}
