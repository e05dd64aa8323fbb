import { Button } from '@blueprintjs/core'
import { Pulse } from '@blueprintjs/icons'
import type { CheckSummary } from '@watchroom/shared/health'
import { parseTimestamp } from '@watchroom/shared/time'

import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import type { Board } from '../board/arrangeBoard.ts'
import type { HealthView } from '../useHealthView.ts'

import styles from '../healthBoard.module.css'

interface EmptyBoardProps {
  view: HealthView
  board: Board
  /** Regardless of the filters. */
  hasChecks: boolean
  /** Where a check is added; null for those who may not. */
  newCheckPath: string | null
}

/** Nothing to show: no checks at all, none that match, or none that fail. Each case offers its own action. */
export function EmptyBoard({ view, board, hasChecks, newCheckPath }: EmptyBoardProps) {
  if (!hasChecks) {
    return (
      <EmptyState
        icon={<Pulse size={28} />}
        title="No checks yet"
        action={newCheckPath === null ? null : <LinkButton to={newCheckPath} text="Add check" kind="primary" />}
      >
        Checks are defined by canaries and appear here as soon as one exists.
      </EmptyState>
    )
  }
  if (board.matching.length > 0) {
    return (
      <AllClear
        passing={board.matching.length}
        rows={board.matching.map(({ row }) => row)}
        onShowPassing={() => view.actions.setHidePassing(false)}
      />
    )
  }
  const { query, labels } = view.board
  if (query !== '' && labels.size === 0) {
    return (
      <EmptyState
        title={`No check matches “${query}”`}
        action={<Button text="Clear search" onClick={() => view.actions.setQuery('')} />}
      >
        Search covers name, description, group and endpoint.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No check matches the filters"
      action={<Button text="Clear all filters" onClick={view.actions.clearFilters} />}
    >
      Active filters are shown above the list. Remove them there.
    </EmptyState>
  )
}

interface AllClearProps {
  /** Checks that match the search; all of them pass. */
  passing: number
  rows: readonly CheckSummary[]
  onShowPassing: () => void
}

function toLastFailure(rows: readonly CheckSummary[]): number | null {
  let last: number | null = null
  for (const row of rows) {
    const failedAt = parseTimestamp(row.uptime.last_fail)
    if (failedAt !== null && (last === null || failedAt > last)) last = failedAt
  }
  return last
}

/** Nothing fails and passing checks are hidden: good news must not look like an empty list. */
function AllClear({ passing, rows, onShowPassing }: AllClearProps) {
  const lastFailureAt = toLastFailure(rows)
  return (
    <div className={`wr-state ${styles['allClear']}`}>
      <StatusGlyph status="healthy" size={56} isWordHidden word="All clear" />
      <p className="wr-state-title">
        {passing} of {passing} passing
        {lastFailureAt === null ? null : (
          <>
            {' · last failure '}
            <TimeAgo at={lastFailureAt} />
          </>
        )}
      </p>
      <p className="wr-state-text">Passing checks are hidden.</p>
      <div className="wr-state-actions">
        <Button text="Show passing" onClick={onShowPassing} />
      </div>
    </div>
  )
}
