import { SegmentedControl, Switch } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'

import { useDeletedConfigsHidden } from '../../../preferences/deletedConfigs.ts'
import { useRelationshipView } from '../../../preferences/relationships.ts'
import { countOf } from '../../../ui/countOf.ts'
import { DataStates } from '../../../ui/DataStates.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { toQueryState } from '../../../ui/QueryStates.tsx'
import { ResourceToolbar, type ToolbarFilter, type ToolbarProps } from '../../../ui/table/ResourceToolbar.tsx'
import { parseThreeWay } from '../../../url/threeWay.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { prepareLayout } from '../graph/useLayout.ts'
import { relatedConfigsQuery } from '../queries.ts'
import { toRelationshipFilters } from '../relationshipFilters.ts'
import { matchesTags, NO_FILTERS, RelationshipSearchSchema, switchIncoming } from '../search.ts'
import { useLiveRelationships } from '../useLiveRelationships.ts'
import { RelationshipGraph } from './RelationshipGraph.tsx'
import { RelationshipTable } from './RelationshipTable.tsx'

import styles from '../relationships.module.css'

const VIEWS = [
  { value: 'Table', label: 'Table' },
  { value: 'Graph', label: 'Graph' },
]
const NONE: readonly never[] = []

/** What an item consists of, what it is part of, and what it works with: the tab Relationships of its page. */
export function ConfigRelationships({ configId }: { configId: string }) {
  const [view, setView] = useRelationshipView()
  const { toolbar: controls, state, isFiltered } = useRelationships(configId)
  // Its worker starts while the items are read.
  useEffect(() => (view === 'Graph' ? prepareLayout() : undefined), [view])
  const others = useMemo(() => state.data?.filter(({ id }) => id !== configId), [state.data, configId])
  const toolbar = others === undefined ? controls : { ...controls, count: toTotal(others.length) }
  return (
    <div className={styles['page']}>
      <SegmentedControl
        className={`${styles['views']}`}
        aria-label="View"
        options={VIEWS}
        value={view}
        onValueChange={(next) => setView(next === 'Graph' ? 'Graph' : 'Table')}
      />
      {view === 'Table' ? (
        <RelationshipTable state={{ ...state, data: others }} toolbar={toolbar} isFiltered={isFiltered} />
      ) : (
        <section className={styles['panel']} aria-label="Relationships">
          <ResourceToolbar {...toolbar} />
          <DataStates state={state}>
            {(rows) =>
              others?.length === 0 ? (
                <EmptyState title={isFiltered ? 'Nothing found' : 'No relationships'}>
                  Nothing related to this item matches the directions and filters.
                </EmptyState>
              ) : (
                <RelationshipGraph rows={rows} rootId={configId} />
              )
            }
          </DataStates>
        </section>
      )}
    </div>
  )
}

/** The badge of the tab counts the direct ones alone. */
const toTotal = (count: number): string => `${countOf(count, 'item')}, at any distance`

function useRelationships(configId: string) {
  const [search, setSearch] = useSearchState(RelationshipSearchSchema)
  const [hidden, setHidden] = useDeletedConfigsHidden()
  const ask = { ...search, configId, areDeletedHidden: hidden === 'yes' }
  // What there is to choose from does not depend on what is chosen.
  const { data: all = NONE } = useQuery(relatedConfigsQuery({ ...ask, ...NO_FILTERS }))
  const query = useQuery(relatedConfigsQuery(ask))
  const state = toQueryState(query, 'relationships')
  useLiveRelationships(configId, all)
  const data = useMemo(() => {
    const tags = parseThreeWay(search.tags)
    return state.data?.filter((row) => row.id === configId || matchesTags(row.tags, tags))
  }, [state.data, search.tags, configId])
  const isFiltered = Object.keys(NO_FILTERS).some((key) => search[key as keyof typeof NO_FILTERS] !== '')
  const filters: ToolbarFilter[] = [
    ...toSwitches(search, setSearch),
    ...toRelationshipFilters(search, all, setSearch),
    {
      kind: 'own',
      key: 'deleted',
      title: 'Deleted items',
      value: hidden === 'yes' ? 'hidden' : 'shown',
      control: (
        <Switch
          key="deleted"
          label="Hide Deleted Catalog"
          checked={hidden === 'yes'}
          onChange={({ currentTarget }) => setHidden(currentTarget.checked ? 'yes' : 'no')}
        />
      ),
    },
  ]
  const toolbar: ToolbarProps = {
    filters,
    reset: isFiltered ? { text: 'Clear filters', onReset: () => setSearch(NO_FILTERS) } : null,
  }
  return { toolbar, state: { ...state, data }, isFiltered }
}

type Search = ReturnType<typeof useSearchState<Parameters<typeof toRelationshipFilters>[0]>>

/** Outgoing can be turned off only when Incoming is on (third specification, section 2). */
function toSwitches(search: Search[0], setSearch: Search[1]): ToolbarFilter[] {
  const switches = [
    { key: 'outgoing', title: 'Outgoing', isLocked: !search.incoming, change: (isOn: boolean) => ({ outgoing: isOn }) },
    { key: 'incoming', title: 'Incoming', isLocked: false, change: switchIncoming },
    { key: 'soft', title: 'Soft', isLocked: false, change: (isOn: boolean) => ({ soft: isOn }) },
  ] as const
  return switches.map(({ key, title, isLocked, change }) => ({
    kind: 'own',
    key,
    title,
    value: search[key] ? 'on' : 'off',
    control: (
      <Switch
        key={key}
        label={title}
        title={isLocked ? 'Turn Incoming on first' : undefined}
        checked={search[key]}
        disabled={isLocked}
        onChange={({ currentTarget }) => setSearch(change(currentTarget.checked))}
      />
    ),
  }))
}
