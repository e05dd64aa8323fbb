import { Button } from '@blueprintjs/core'
import { Pulse } from '@blueprintjs/icons'
import { type CheckSummary, toLabelKeys } from '@watchroom/shared/health'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'

import type { TopicView } from '../../../live/contract.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { useServerNow } from '../../../ui/clock.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { useHotkey } from '../../../ui/hotkeys.ts'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useHold } from '../../../ui/useHold.ts'
import type { BoardUnit } from '../board/arrangeBoard.ts'
import { type BoardLine, type ExpandedGroups, toBoardLines } from '../board/boardLines.ts'
import { useBoard } from '../useBoard.ts'
import { useFailureBadge } from '../useFailureBadge.ts'
import { useHealthView } from '../useHealthView.ts'
import { AllClear } from './AllClear.tsx'
import { BoardNowContext } from './boardColumns.tsx'
import { BoardGrid, type BoardGridHandle } from './BoardGrid.tsx'
import { BoardToolbar } from './BoardToolbar.tsx'
import { HealthCounts } from './HealthCounts.tsx'

const CheckPanel = lazy(async () => ({ default: (await import('../panel/CheckPanel.tsx')).CheckPanel }))

const NONE_EXPANDED: ExpandedGroups = new Map()

/** The health page for rows that come from somewhere: the live topic, or a test. */
export function HealthBoard({ topic }: { topic: TopicView<CheckSummary> }) {
  const view = useHealthView()
  const hold = useHold()
  const { rows } = topic
  const { board, shown } = useBoard({ rows, view: view.board, isHeld: hold.isHeld })
  const now = useServerNow()
  useFailureBadge(board.counts.unhealthy)

  const { lines, areAllExpanded, toggle, expandAll } = useLines(shown.units, view.board.query !== '')
  const labelKeys = useLabelKeys(rows)

  const grid = useRef<BoardGridHandle>(null)
  useHotkey('j', () => grid.current?.focusActive())
  useHotkey('k', () => grid.current?.focusActive())
  const { checkId } = view
  const lastOpen = useRef(checkId)
  useEffect(() => {
    // Also when Back closed the panel: the row is where the person was.
    if (checkId === undefined && lastOpen.current !== undefined) {
      grid.current?.focusLine(toVisibleLine(shown.units, lines, lastOpen.current))
    }
    lastOpen.current = checkId
  }, [checkId, shown.units, lines])

  const failing = board.counts.unhealthy
  const isOld = topic.state === 'offline' && topic.via !== 'polling'
  return (
    <section className="health" data-old={isOld || undefined}>
      <PageHeader
        title="Health"
        {...(failing > 0 ? { tabTitle: `(${failing}) Health` } : {})}
        refresh={{ onRefresh: () => topic.refresh(), isLoading: topic.state === 'loading' }}
        controls={<Freshness view={topic} />}
      >
        {rows.length > 0 ? <HealthCounts counts={board.counts} isOld={isOld} /> : null}
      </PageHeader>
      <BoardToolbar
        view={view.board}
        labelKeys={labelKeys}
        areAllExpanded={areAllExpanded}
        waiting={shown.waiting}
        onQuery={view.setQuery}
        onHidePassing={view.setHidePassing}
        onGroupBy={view.setGroupBy}
        onSort={view.setSort}
        onExpandAll={expandAll}
        onShowWaiting={hold.release}
      />
      <div className="health-stage">
        <Contents topic={topic} view={view} matching={board.matching} isEmpty={lines.length === 0}>
          <BoardNowContext value={now}>
            <BoardGrid
              ref={grid}
              lines={lines}
              isTree={view.board.groupBy !== 'no-group'}
              sortBy={view.board.sortBy}
              isDescending={view.board.isDescending}
              openCheckId={checkId}
              onSort={view.setSort}
              onOpen={view.openCheck}
              onToggle={toggle}
              onTouch={hold.touch}
              onLeave={hold.release}
            />
          </BoardNowContext>
        </Contents>
      </div>
      {checkId === undefined ? null : (
        <Suspense fallback={null}>
          <CheckPanel
            checkId={checkId}
            check={rows.find((row) => row.id === checkId)}
            isBoardLoading={topic.state === 'loading'}
            onClose={view.closeCheck}
          />
        </Suspense>
      )}
    </section>
  )
}

/** The check's own line, or that of the closed group it stands in. */
function toVisibleLine(units: readonly BoardUnit[], lines: readonly BoardLine[], checkId: string): string {
  if (lines.some(({ id }) => id === checkId)) return checkId
  const group = units.find((unit) => unit.kind === 'group' && unit.members.some(({ id }) => id === checkId))
  return group?.id ?? checkId
}

interface ContentsProps {
  topic: TopicView<CheckSummary>
  view: ReturnType<typeof useHealthView>
  /** Checks that the search leaves. */
  matching: number
  isEmpty: boolean
  children: ReactNode
}

/** Loading, failed, empty, nothing found, all clear: each has its own look; else the list. */
function Contents({ topic, view, matching, isEmpty, children }: ContentsProps): ReactNode {
  const { rows, state, error } = topic
  if (state === 'denied') {
    return <ErrorState title="Unauthorized" message="You do not have permission to access this page" />
  }
  if (rows.length === 0) {
    if (state === 'loading') return <LoadingSkeleton rows={12} label="Loading checks" />
    if (state === 'failed' || state === 'offline') {
      return (
        <ErrorState
          title="The checks could not be loaded"
          message={error?.message ?? 'There is no connection to the server.'}
          onRetry={() => topic.refresh()}
        />
      )
    }
    return (
      <EmptyState icon={<Pulse size={28} />} title="No checks yet">
        Checks are defined by canaries. As soon as one exists, its checks appear here by themselves.
      </EmptyState>
    )
  }
  if (!isEmpty) return children
  const { query } = view.board
  if (matching === 0) {
    return (
      <EmptyState
        title={`No check matches “${query}”`}
        action={<Button text="Clear search" onClick={() => view.setQuery('')} />}
      >
        The search looks at name, description, group and endpoint.
      </EmptyState>
    )
  }
  return <AllClear passing={matching} rows={rows} onShowPassing={() => view.setHidePassing(false)} />
}

function useLines(units: readonly BoardUnit[], isExpandedByDefault: boolean) {
  const [expanded, setExpanded] = useState(NONE_EXPANDED)
  const lines = useMemo(
    () => toBoardLines(units, expanded, isExpandedByDefault),
    [units, expanded, isExpandedByDefault],
  )
  const groups = useMemo(() => units.filter((unit) => unit.kind === 'group').map(({ id }) => id), [units])
  const areAllExpanded = groups.length === 0 ? null : groups.every((id) => expanded.get(id) ?? isExpandedByDefault)

  const toggle = useCallback((groupId: string, isExpanded: boolean) => {
    setExpanded((current) => new Map(current).set(groupId, isExpanded))
  }, [])
  const expandAll = useCallback(
    (isExpanded: boolean) => setExpanded(new Map(groups.map((id) => [id, isExpanded]))),
    [groups],
  )
  return { lines, areAllExpanded, toggle, expandAll }
}

/** Keeps its identity while the keys are the same, so that the toolbar does not follow every change of a row. */
function useLabelKeys(rows: readonly CheckSummary[]): readonly string[] {
  const joined = useMemo(() => toLabelKeys(rows).join('\n'), [rows])
  return useMemo(() => (joined === '' ? [] : joined.split('\n')), [joined])
}
