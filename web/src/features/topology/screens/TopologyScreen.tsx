import { Tag } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type Component, sortComponents, toComponentHealth } from '@watchroom/shared/topology'
import { useAtom, useAtomValue } from 'jotai'
import { type ReactNode, useMemo } from 'react'

import { Freshness } from '../../../live/Freshness.tsx'
import { DataStates } from '../../../ui/DataStates.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { Breadcrumb } from '../components/Breadcrumb.tsx'
import { ComponentCard, titleOf } from '../components/ComponentCard.tsx'
import { ComponentDetails } from '../components/ComponentDetails.tsx'
import { TopologyToolbar } from '../components/TopologyToolbar.tsx'
import { cardWidthAtom, hiddenShownAtom } from '../preferences.ts'
import { storedQuery } from '../queries.ts'
import { FILTER_KEYS, type TopologySearch, TopologySearchSchema } from '../search.ts'
import { useSorting } from '../useSorting.ts'
import { useTopologyPage } from '../useTopologyPage.ts'

import styles from '../topology.module.css'

interface TopologyScreenProps {
  /** The component whose parts are shown; empty for the components at the top. */
  id: string
  /** What other areas can do with a component: behind one button of its card, and side by side on its own page. */
  renderMenu: (component: Component) => ReactNode
  renderActions: (component: Component) => ReactNode
}

/** `/topology` and `/topology/{id}`: components as cards, live. */
export function TopologyScreen({ id, renderMenu, renderActions }: TopologyScreenProps) {
  const [search, setSearch] = useSearchState(TopologySearchSchema)
  const { topic, top, state } = useTopologyPage(id, search)
  const [sorting, setSorting] = useSorting(search, setSearch)
  const [isHiddenPreferred, preferHidden] = useAtom(hiddenShownAtom)
  const isHiddenShown = search.showHiddenComponents === '' ? isHiddenPreferred : search.showHiddenComponents === 'yes'
  const isMissing = id !== '' && top === null && topic.state === 'live'

  return (
    <>
      <PageHeader
        title={id === '' ? 'Dashboard' : top === null ? 'Component' : titleOf(top)}
        refresh={{ onRefresh: () => topic.refresh(), isLoading: topic.state === 'loading' }}
        controls={top === null ? null : renderActions(top)}
      >
        {top === null ? null : <StatusGlyph status={toComponentHealth(top.health)} />}
        <Freshness view={topic} />
      </PageHeader>
      {isMissing ? (
        <MissingComponent id={id} />
      ) : (
        <div className={styles['page']} data-has-details={top !== null || undefined}>
          <section className={styles['main']}>
            {top === null ? null : <Breadcrumb component={top} refererId={search.refererId} />}
            <TopologyToolbar
              id={id}
              search={search}
              setSearch={setSearch}
              sorting={sorting}
              onSort={setSorting}
              components={state.data ?? []}
              isHiddenShown={isHiddenShown}
              onShowHidden={(isShown) => {
                preferHidden(isShown)
                setSearch({ showHiddenComponents: '' })
              }}
            />
            <DataStates state={state}>
              {(components) => (
                <Cards
                  components={components}
                  search={search}
                  setSearch={setSearch}
                  sorting={sorting}
                  isHiddenShown={isHiddenShown}
                  isOld={state.isOld}
                  parentId={id}
                  renderMenu={renderMenu}
                />
              )}
            </DataStates>
          </section>
          {top === null ? null : <ComponentDetails component={top} />}
        </div>
      )}
    </>
  )
}

interface CardsProps extends Pick<TopologyScreenProps, 'renderMenu'> {
  components: readonly Component[]
  search: TopologySearch
  setSearch: (patch: Partial<TopologySearch>) => void
  sorting: ReturnType<typeof useSorting>[0]
  isHiddenShown: boolean
  isOld: boolean
  parentId: string
}

function Cards({ components, search, setSearch, sorting, isHiddenShown, isOld, parentId, renderMenu }: CardsProps) {
  const width = useAtomValue(cardWidthAtom)
  const { by, order } = sorting
  const shown = useMemo(() => {
    const seen = components.filter((component) => isHiddenShown || component.hidden !== true).map(withoutHidden)
    const fitting = seen.filter(({ health, status }) => [health, status].some((word) => matches(word, search.status)))
    return sortComponents(fitting, by, order)

    function withoutHidden(component: Component): Component {
      if (isHiddenShown || !component.components) return component
      return { ...component, components: component.components.filter(({ hidden }) => hidden !== true) }
    }
  }, [components, isHiddenShown, search.status, by, order])

  if (shown.length === 0) {
    return (
      <EmptyState title="There are no components matching this criteria">
        <span className={styles['chips']}>
          {FILTER_KEYS.filter((key) => search[key] !== '').map((key) => (
            <Tag key={key} minimal onRemove={() => setSearch({ [key]: '' })}>
              {`${key.replace('_id', '')}: ${search[key]}`}
            </Tag>
          ))}
        </span>
      </EmptyState>
    )
  }
  return (
    <ul
      className={styles['cards']}
      data-old={isOld || undefined}
      style={{ gridTemplateColumns: `repeat(auto-fill, minmax(min(${width}px, 100%), 1fr))` }}
    >
      {shown.map((component) => (
        <li key={component.id}>
          <ComponentCard component={component} parentId={parentId} renderMenu={renderMenu} />
        </li>
      ))}
    </ul>
  )
}

const matches = (word: string | null | undefined, wanted: string): boolean => wanted === '' || word === wanted

/** Deleted, or never there. */
function MissingComponent({ id }: { id: string }) {
  const stored = useQuery(storedQuery(id))
  if (stored.isPending) return null
  const deletedAt = stored.data?.deleted_at
  if (!stored.data || !deletedAt)
    return <EmptyState title="Component not found">{`No component has this id: ${id}`}</EmptyState>
  return (
    <EmptyState title={`${stored.data.name} was deleted`}>
      <TimeAgo at={deletedAt} />
    </EmptyState>
  )
}
