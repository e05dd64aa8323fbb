import { Classes } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type CheckSummary, type LabelGroup, toLabelGroups } from '@watchroom/shared/health'
import { useAtom } from 'jotai'
import {
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'

import { agentsQuery, type NamedAgent } from '../../../api/agents.ts'
import { useDisabledAreas } from '../../../api/featureFlags.tsx'
import { useSession } from '../../../api/session.tsx'
import type { TopicView } from '../../../live/contract.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { isUnproven } from '../../../live/isUnproven.ts'
import type { OpenCheck } from '../../../live/openCheck.ts'
import { toTopicState } from '../../../live/toTopicState.ts'
import { usePause } from '../../../live/usePause.ts'
import { PHONE, SMALL, WIDE } from '../../../ui/breakpoints.ts'
import { useScreenClock, useServerNow } from '../../../ui/clock.tsx'
import { useCommand } from '../../../ui/commands.ts'
import { DataStates } from '../../../ui/DataStates.tsx'
import { useHotkey } from '../../../ui/hotkeys.ts'
import { lazyPart } from '../../../ui/lazyPart.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useFailureBadge } from '../../../ui/useFailureBadge.ts'
import { useHold } from '../../../ui/useHold.ts'
import { useMediaQuery } from '../../../ui/useMediaQuery.ts'
import type { Board, BoardUnit, BoardView } from '../board/arrangeBoard.ts'
import {
  type BoardLine,
  type ExpandedGroups,
  isOpened,
  type OpenedGroups,
  toBoardLines,
  toGroupIds,
  toVisibleLine,
} from '../board/boardLines.ts'
import { createResultStrips } from '../board/createResultStrips.ts'
import { type OpenFailing, openFailing } from '../board/openFailing.ts'
import {
  loadBoardCards,
  loadEmptyBoard,
  loadFilterDrawer,
  loadFilterPanel,
  loadPivotBoard,
  loadRefreshMenu,
  loadRefreshRate,
} from '../parts.ts'
import { fetchLastResults } from '../queries.ts'
import { filterPanelAtom } from '../settings.ts'
import { useBoard } from '../useBoard.ts'
import { type HealthView, useHealthView } from '../useHealthView.ts'
import { AppliedFilters, toAppliedFilters } from './AppliedFilters.tsx'
import { BoardNowContext } from './boardColumns.tsx'
import { BoardGrid, type BoardGridHandle, type BoardGridProps } from './BoardGrid.tsx'
import { BoardTabs, toTabId, toTabItems } from './BoardTabs.tsx'
import { BoardToolbar } from './BoardToolbar.tsx'
import { HealthCounts } from './HealthCounts.tsx'
import { ResultStripsContext } from './LastResults.tsx'
import { SortField, ViewFields } from './ViewFields.tsx'

import styles from '../healthBoard.module.css'

const BoardCards = lazyPart(async () => (await loadBoardCards()).BoardCards)
const RefreshMenu = lazyPart(async () => (await loadRefreshMenu()).RefreshMenu)
const EmptyBoard = lazyPart(async () => (await loadEmptyBoard()).EmptyBoard)
const PivotBoard = lazyPart(async () => (await loadPivotBoard()).PivotBoard)
const FilterPanel = lazyPart(async () => (await loadFilterPanel()).FilterPanel)
const FilterDrawer = lazyPart(async () => (await loadFilterDrawer()).FilterDrawer)
const RefreshRate = lazyPart(async () => (await loadRefreshRate()).RefreshRate)

const NEW_CHECK_PATH: string = '/settings/canaries/new'
const NONE_EXPANDED: ExpandedGroups = new Map()
const NO_NAMES: ReadonlyMap<string, string> = new Map()
const ignore = (): void => undefined
const showNothing = (): ReactNode => null

export type RenderPanel = (open: OpenCheck) => ReactNode

interface HealthBoardProps {
  topic: TopicView<CheckSummary>
  /** Called with the polling interval to use while nothing is pushed; null means never. */
  onRefreshRate?: (refreshMs: number | null) => void
  /** Someone reaches for the list, by pointer, touch or keyboard, and may open a check. */
  onReach?: () => void
  renderPanel?: RenderPanel
  /** More controls of the page. */
  children?: ReactNode
}

/** The health page for given rows: from the live topic, or a test. */
export function HealthBoard({
  topic: live,
  onRefreshRate = ignore,
  onReach = ignore,
  renderPanel = showNothing,
  children,
}: HealthBoardProps) {
  const view = useHealthView()
  const { actions, checkId } = view
  const hold = useHold()
  const { can } = useSession()
  const mayAdd = !useDisabledAreas().has('settings.health') && can('write', 'canaries')
  const { topic, ...pause } = usePause(live)
  const { rows, refresh } = topic
  const { board, shown } = useBoard({ rows, view: view.board, isHeld: hold.isHeld })
  const strips = useResultStrips(topic)
  const names = useAgentNames(view)
  useFailureBadge(board.counts.unhealthy)

  const isSearching = view.board.query !== ''
  const failingGroups = useFailingGroups(shown.units, view.board, hold.isHeld)
  const opened = isSearching || view.layout === 'card' ? 'all' : failingGroups
  const { lines, areAllExpanded, toggle, expandAll } = useLines(shown.units, opened)
  const labels = useLabels(rows)
  const labelKeys = useMemo(() => labels.map(({ key }) => key), [labels])
  const filters = useMemo(() => toAppliedFilters(view.board, actions), [view.board, actions])
  const tabNames = view.board.tabBy === 'agent_id' ? names : NO_NAMES
  const tabItems = useMemo(() => toTabItems(board.tabs, tabNames), [board.tabs, tabNames])
  const panel = useFilterPanel()
  const filtersId = useId()
  const stageId = useId()

  const list = useListFocus(checkId, lines)
  const isPhone = useMediaQuery(PHONE)
  const isPushed = topic.state !== 'offline'
  const controls = (
    <>
      <Suspense fallback={null}>
        <RefreshRate Menu={RefreshMenu} {...pause} isPushed={isPushed} onRate={onRefreshRate} onRangeChange={refresh} />
      </Suspense>
      {children}
      {mayAdd ? <AddCheck /> : null}
    </>
  )
  const failing = board.counts.unhealthy
  const isOld = isUnproven(topic)
  const filterPanel = (
    <Suspense fallback={null}>
      <FilterPanel view={view.board} labels={labels} actions={actions}>
        {panel.isSmall ? (
          <div className={styles['filterView']}>
            <ViewFields view={view.board} labelKeys={labelKeys} actions={actions} />
            <SortField view={view.board} actions={actions} />
          </div>
        ) : null}
      </FilterPanel>
    </Suspense>
  )
  return (
    <section className={styles['health']} data-old={isOld || undefined}>
      <PageHeader
        title="Health"
        {...(failing > 0 ? { tabTitle: `(${failing}) Health` } : {})}
        refresh={{ onRefresh: () => refresh(), isLoading: topic.state === 'loading' }}
        controls={
          <>
            {pause.isPaused ? <output>Paused</output> : <Freshness view={topic} />}
            {isPhone ? null : controls}
          </>
        }
      >
        {rows.length > 0 ? <HealthCounts counts={board.counts} isOld={isOld} /> : null}
      </PageHeader>
      <BoardToolbar
        view={view}
        labelKeys={labelKeys}
        filterCount={filters.length}
        areFiltersOpen={panel.isOpen}
        filtersId={filtersId}
        areAllExpanded={areAllExpanded}
        waiting={shown.waiting}
        onToggleFilters={panel.toggle}
        onExpandAll={expandAll}
        onShowWaiting={hold.release}
      >
        {isPhone ? controls : null}
      </BoardToolbar>
      <AppliedFilters filters={filters} onClear={actions.clearFilters} />
      {rows.length > 0 ? (
        <BoardTabs items={tabItems} chosen={board.tab} panelId={stageId} onChoose={actions.setTab} />
      ) : null}
      <div className={styles['main']}>
        {panel.isOpen && !panel.isSmall ? (
          <aside className={styles['filters']} id={filtersId} aria-label="Filters">
            {filterPanel}
          </aside>
        ) : null}
        <div
          className={styles['stage']}
          id={stageId}
          onPointerEnter={onReach}
          onFocus={onReach}
          {...(rows.length > 0 ? { role: 'tabpanel', 'aria-labelledby': toTabId(stageId, board.tab) } : {})}
        >
          <Contents topic={topic} view={view} board={board} isEmpty={lines.length === 0} mayAdd={mayAdd}>
            <Now>
              <ResultStripsContext value={strips}>
                <BoardList
                  view={view}
                  board={board}
                  names={names}
                  list={{
                    ref: list,
                    lines,
                    isTree: view.board.groupBy !== 'no-group',
                    sortBy: view.board.sortBy,
                    isDescending: view.board.isDescending,
                    openCheckId: checkId,
                    onSort: actions.setSort,
                    onOpen: actions.openCheck,
                    onToggle: toggle,
                    onTouch: hold.touch,
                    onLeave: hold.release,
                    onVisible: strips.setVisible,
                  }}
                />
              </ResultStripsContext>
            </Now>
          </Contents>
        </div>
      </div>
      {panel.isOpen && panel.isSmall ? (
        <Suspense fallback={null}>
          <FilterDrawer id={filtersId} onClose={panel.toggle}>
            {filterPanel}
          </FilterDrawer>
        </Suspense>
      ) : null}
      {checkId === undefined
        ? null
        : renderPanel({
            checkId,
            check: rows.find((row) => row.id === checkId),
            isBoardLoading: topic.state === 'loading',
            isOld,
            onClose: actions.closeCheck,
          })}
    </section>
  )
}

function AddCheck() {
  const navigate = useNavigate()
  useCommand({ title: 'Add check', icon: <Plus />, onRun: () => void navigate({ to: NEW_CHECK_PATH }) })
  return (
    <Link
      to={NEW_CHECK_PATH}
      className={`${Classes.BUTTON} ${Classes.INTENT_PRIMARY} ${styles['addCheck']}`}
      aria-label="Add check"
      aria-keyshortcuts="c"
      title="Add check"
    >
      <Plus />
      <span className={Classes.BUTTON_TEXT}>Add check</span>
    </Link>
  )
}

/** The server's time by the minute. Kept low in the tree, so that nothing else re-renders with it. */
function Now({ children }: { children: ReactNode }) {
  return <BoardNowContext value={useServerNow()}>{children}</BoardNowContext>
}

interface BoardListProps {
  view: HealthView
  board: Board
  names: ReadonlyMap<string, string>
  list: Omit<BoardGridProps, 'pivot'>
}

/** The list in the layout that the person chose. */
function BoardList({ view, board, names, list }: BoardListProps): ReactNode {
  if (view.layout === 'table' && view.pivot === null) return <BoardGrid {...list} />
  return (
    <Suspense fallback={<LoadingSkeleton rows={12} label="Loading checks" />}>
      {view.layout === 'card' || view.pivot === null ? (
        <BoardCards {...list} />
      ) : (
        <PivotBoard {...list} pivot={view.pivot} checks={board.matching} names={names} />
      )}
    </Suspense>
  )
}

interface ContentsProps {
  topic: TopicView<CheckSummary>
  view: HealthView
  board: Board
  isEmpty: boolean
  mayAdd: boolean
  children: ReactNode
}

/** Loading, failed, empty, nothing found, all clear: each has its own state; otherwise the list. */
function Contents({ topic, view, board, isEmpty, mayAdd, children }: ContentsProps): ReactNode {
  return (
    <DataStates state={toTopicState(topic, 'checks')} skeleton={<LoadingSkeleton rows={12} label="Loading checks" />}>
      {(rows) =>
        isEmpty ? (
          <Suspense fallback={null}>
            <EmptyBoard
              view={view}
              board={board}
              hasChecks={rows.length > 0}
              newCheckPath={mayAdd ? NEW_CHECK_PATH : null}
            />
          </Suspense>
        ) : (
          children
        )
      }
    </DataStates>
  )
}

const NONE_OPEN: ReadonlySet<string> = new Set()

/**
 * Groups that stand open because of what fails in them; none while passing checks are shown, too. While someone points at
 * the list none opens or closes under the pointer.
 */
function useFailingGroups(units: readonly BoardUnit[], view: BoardView, isHeld: boolean): ReadonlySet<string> {
  const [state, setState] = useState<OpenFailing & { view: BoardView }>(() => ({ ...openFailing(units), view }))
  const isSameView = state.view === view
  if (isSameView && (state.units === units || isHeld)) return view.hidePassing ? state.ids : NONE_OPEN
  const next = { ...openFailing(units, isSameView ? state : undefined), view }
  setState(next)
  return view.hidePassing ? next.ids : NONE_OPEN
}

function useLines(units: readonly BoardUnit[], opened: OpenedGroups) {
  const [expanded, setExpanded] = useState(NONE_EXPANDED)
  const lines = useMemo(() => toBoardLines(units, expanded, opened), [units, expanded, opened])
  const groups = useMemo(() => toGroupIds(units), [units])
  const areAllExpanded = groups.length === 0 ? null : groups.every((id) => expanded.get(id) ?? isOpened(opened, id))
  const latestGroups = useRef(groups)
  useEffect(() => {
    latestGroups.current = groups
  })

  const toggle = useCallback((groupId: string, isExpanded: boolean) => {
    setExpanded((current) => new Map(current).set(groupId, isExpanded))
  }, [])
  const expandAll = useCallback(
    (isExpanded: boolean) => setExpanded(new Map(latestGroups.current.map((id) => [id, isExpanded]))),
    [],
  )
  return { lines, areAllExpanded, toggle, expandAll }
}

/**
 * Label keys and values in use. Rows change several times a second and their labels hardly ever, so nothing is counted
 * anew, and nothing that shows labels is drawn anew, before one of them does.
 */
function useLabels(rows: readonly CheckSummary[]): readonly LabelGroup[] {
  const [known, setKnown] = useState(() => ({ rows, groups: toLabelGroups(rows) }))
  const areSame = rows.length === known.rows.length && rows.every((row, at) => row.labels === known.rows[at]?.labels)
  if (areSame) return known.groups
  const groups = toLabelGroups(rows)
  setKnown({ rows, groups })
  return groups
}

function useFilterPanel() {
  const isSmall = useMediaQuery(SMALL)
  const isWide = useMediaQuery(WIDE)
  const [chosen, setChosen] = useAtom(filterPanelAtom)
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const isOpen = isSmall ? isDrawerOpen : (chosen ?? isWide)
  const toggle = useCallback(() => {
    if (isSmall) setDrawerOpen(!isOpen)
    else setChosen(!isOpen)
  }, [isSmall, isOpen, setChosen])
  return { isSmall, isOpen, toggle }
}

function useResultStrips({ rows, state }: TopicView<CheckSummary>) {
  const { clock } = useScreenClock()
  const [strips] = useState(() => createResultStrips({ load: fetchLastResults, clock }))
  useEffect(() => () => strips.close(), [strips])
  useEffect(() => strips.follow(rows), [strips, rows])
  const isPushed = state === 'live' || state === 'delayed'
  useEffect(() => strips.setPushed(isPushed), [strips, isPushed])
  return strips
}

/** Names of agents by id, requested only if the board shows agents. */
function useAgentNames({ board, pivot }: HealthView): ReadonlyMap<string, string> {
  const isWanted = board.tabBy === 'agent_id' || pivot?.by === 'agent_id'
  const { data } = useQuery({ ...agentsQuery, enabled: isWanted, select: toNames })
  return data ?? NO_NAMES
}

const toNames = (agents: readonly NamedAgent[]): ReadonlyMap<string, string> =>
  new Map(agents.flatMap(({ id, name }) => (name ? [[id, name]] : [])))

/** The list and its keys. When the panel of a check closes, the focus returns to the row of that check. */
function useListFocus(checkId: string | undefined, lines: readonly BoardLine[]): RefObject<BoardGridHandle | null> {
  const list = useRef<BoardGridHandle>(null)
  useHotkey('j', () => list.current?.focusActive())
  useHotkey('k', () => list.current?.focusActive())
  const lastOpen = useRef(checkId)
  useEffect(() => {
    // Also when Back closed the panel.
    if (checkId === undefined && lastOpen.current !== undefined) {
      list.current?.focusLine(toVisibleLine(lines, lastOpen.current) ?? lastOpen.current)
    }
    lastOpen.current = checkId
  }, [checkId, lines])
  return list
}
