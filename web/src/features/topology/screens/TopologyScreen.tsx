import { Pause, Play } from '@blueprintjs/icons'
import { isUuid } from '@watchroom/shared/kernel'
import { type Burst, type Component, toComponentHealth, type TopologyAnswer } from '@watchroom/shared/topology'
import { useAtomValue, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'

import { Freshness } from '../../../live/Freshness.tsx'
import { isUnproven } from '../../../live/isUnproven.ts'
import { PHONE } from '../../../ui/breakpoints.ts'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { DataStates } from '../../../ui/DataStates.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { useMediaQuery } from '../../../ui/useMediaQuery.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { Announcement } from '../components/Announcement.tsx'
import { Because } from '../components/Because.tsx'
import { Breadcrumb } from '../components/Breadcrumb.tsx'
import { Bursts } from '../components/Bursts.tsx'
import { Cards } from '../components/Cards.tsx'
import { CardsSkeleton } from '../components/CardsSkeleton.tsx'
import { titleOf } from '../components/ComponentCard.tsx'
import { MissingComponent, NoComponent } from '../components/MissingComponent.tsx'
import { TopologyToolbar } from '../components/TopologyToolbar.tsx'
import { cardWidthAtom, hiddenShownAtom } from '../preferences.ts'
import { TopologySearchSchema } from '../search.ts'
import { useHiddenShown, useSorting } from '../useSorting.ts'
import { type TopologyPage, useTopologyPage } from '../useTopologyPage.ts'
import { useTransitions } from '../useTransitions.ts'

import styles from '../topology.module.css'

interface TopologyScreenProps {
  /** The component whose parts are shown; empty for the components at the top. */
  id: string
  /** What other areas can do with a component: behind one button of its card, and side by side on its own page. */
  renderMenu?: (component: Component) => ReactNode
  renderActions?: (component: Component) => ReactNode
  /** In the header of every page. */
  controls?: ReactNode
  /** Between the header and the cards. */
  notice?: ReactNode
  /** Beside the cards of a component; nothing where the cards stand alone. */
  renderPanel?: (component: Component) => ReactNode
  /** What can be done when much became different at once. */
  renderMakeIncident?: (burst: Burst) => ReactNode
}

/** `/topology` and `/topology/{id}`: components as cards, live. */
export function TopologyScreen(props: TopologyScreenProps) {
  const { id } = props
  if (id === '' || isUuid(id)) return <LiveTopology {...props} />
  return (
    <>
      <PageHeader title="Component" />
      <NoComponent id={id} />
    </>
  )
}

function LiveTopology({ id, renderActions, renderMakeIncident, controls, notice, ...parts }: TopologyScreenProps) {
  const [search, setSearch] = useSearchState(TopologySearchSchema)
  const [sorting] = useSorting(search, setSearch)
  const isHiddenShown = useHiddenShown(search)
  const page = useTopologyPage(id, search, { sorting, isHiddenShown })
  const { topic, top, isPaused, waiting } = page
  const isBlind = isUnproven(topic)
  const transitions = useTransitions(id, { rows: topic.rows, isBlind, isHiddenShown })
  const isPhone = useMediaQuery(PHONE)
  // What was recorded is asked for behind the cards, which it would only delay.
  const isWaiting = topic.state === 'loading' && topic.rows.length === 0
  const isMissing = id !== '' && top === null && topic.state === 'live'
  return (
    <>
      <PageHeader
        title={id === '' ? 'Dashboard' : top === null ? 'Component' : titleOf(top)}
        refresh={{ onRefresh: () => topic.refresh(), isLoading: topic.state === 'loading' }}
        controls={
          <>
            {controls}
            <CommandButton
              command={isPaused ? 'Resume' : 'Pause'}
              label={isPaused ? 'Resume (.)' : 'Pause (.)'}
              isIcon
              icon={isPaused ? <Play /> : <Pause />}
              onClick={page.onPause}
            />
            {top === null ? null : renderActions?.(top)}
          </>
        }
      >
        {top === null ? null : <StatusGlyph status={toComponentHealth(top.health)} isWordHidden={isPhone} />}
        {isPaused ? (
          <span>
            {/* The figure is for the eyes: what happens meanwhile is announced calmly, not with each change. */}
            <output aria-label="Updates">Paused</output>
            {waiting === 0 ? null : ` · ${waiting.toLocaleString()} changed`}
          </span>
        ) : (
          <Freshness view={topic} />
        )}
      </PageHeader>
      {notice}
      <Announcement transitions={transitions} />
      {renderMakeIncident && !isWaiting ? (
        <Bursts
          key={id}
          id={id}
          isHiddenShown={isHiddenShown}
          rows={topic.rows}
          transitions={transitions}
          renderMakeIncident={renderMakeIncident}
        />
      ) : null}
      {isMissing ? <MissingComponent id={id} /> : <TopologyView id={id} page={page} {...parts} />}
    </>
  )
}

interface TopologyViewProps extends Pick<TopologyScreenProps, 'id' | 'renderMenu' | 'renderPanel'> {
  page: TopologyPage
  /** Of a page as it was: its ancestors and the words of its filters then. */
  past?: { breadcrumb: ReactNode; answer: TopologyAnswer }
}

/** The cards of a page, whenever it was, with what chooses and orders them, and the panel of its component. */
export function TopologyView({ id, page, past, renderMenu, renderPanel }: TopologyViewProps) {
  const [search, setSearch] = useSearchState(TopologySearchSchema)
  const { top, state } = page
  const [sorting, setSorting] = useSorting(search, setSearch)
  const width = useAtomValue(cardWidthAtom)
  const preferHidden = useSetAtom(hiddenShownAtom)
  const isHiddenShown = useHiddenShown(search)
  const isWaiting = state.data === undefined && state.failure === null && state.refusal === null
  // Cards that are on their way have the width that they will have.
  const pending = renderPanel && id !== '' && isWaiting ? <LoadingSkeleton label="Loading details" /> : null
  const panel = top === null ? pending : renderPanel?.(top)
  return (
    <div className={styles['page']} data-has-panel={panel ? true : undefined}>
      <section className={styles['main']}>
        {past?.breadcrumb ?? (top === null ? null : <Breadcrumb component={top} refererId={search.refererId} />)}
        {top === null ? null : <Because component={top} />}
        <TopologyToolbar
          id={id}
          isWaiting={isWaiting}
          past={past?.answer}
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
        <DataStates state={state} skeleton={<CardsSkeleton width={width} />}>
          {(components) => (
            <Cards
              top={top}
              components={components}
              search={search}
              setSearch={setSearch}
              sorting={sorting}
              isHiddenShown={isHiddenShown}
              isOld={state.isOld}
              more={page.more}
              onMore={page.onMore}
              parentId={id}
              renderMenu={renderMenu}
            />
          )}
        </DataStates>
      </section>
      {panel}
    </div>
  )
}
