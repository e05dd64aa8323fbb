import { Button } from '@blueprintjs/core'
import { Flag, Plus } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { featureFlagsTopic } from '@watchroom/shared/protocol'
import type { FeatureFlag } from '@watchroom/shared/settings'
import { type ReactNode, useEffect, useMemo } from 'react'

import { featureFlagKey } from '../../../api/queryKeys.ts'
import { errorText } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { Freshness } from '../../../live/Freshness.tsx'
import { toTopicState } from '../../../live/toTopicState.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { toSort } from '../../../ui/table/listSearch.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { showErrorToast } from '../../../ui/toaster.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { FlagDialog } from '../components/FlagDialog.tsx'
import { fetchFlags, readFlag } from '../queries.ts'
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

/** `/settings/feature-flags`: what this installation has switched on and off. */
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
        }}
      />
      <FlagDialogs flags={topic.rows} mayWrite={mayWrite} />
    </>
  )
}

function FlagDialogs({ flags, mayWrite }: { flags: readonly FeatureFlag[]; mayWrite: boolean }): ReactNode {
  const [{ add, name }, setSearch] = useSearchState(FlagSearchSchema)
  const opened = flags.find((flag) => flag.name === name)
  const isLocal = opened?.source === 'local'
  const stored = useQuery({
    queryKey: featureFlagKey(name),
    queryFn: ({ signal }) => readFlag(name, signal),
    enabled: opened?.source === 'db',
    staleTime: 0,
    gcTime: 0,
  })
  const problem = isLocal ? 'Cannot edit local feature flags' : stored.isError ? errorText(stored.error) : null
  useEffect(() => {
    if (problem === null) return
    showErrorToast(problem)
    setSearch({ name: '' }, { replace: true })
  }, [problem, setSearch])
  const handleClose = (): void => setSearch({ add: false, name: '' })
  if (add && mayWrite) return <FlagDialog stored={null} mayWrite onClose={handleClose} />
  if (problem !== null || !opened || !stored.data) return null
  return <FlagDialog key={name} stored={stored.data} mayWrite={mayWrite} onClose={handleClose} />
}
