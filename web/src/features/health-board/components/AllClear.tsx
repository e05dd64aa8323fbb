import { Button } from '@blueprintjs/core'
import type { CheckSummary } from '@watchroom/shared/health'
import { parseTimestamp } from '@watchroom/shared/time'

import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'

import styles from '../healthBoard.module.css'

interface AllClearProps {
  /** Checks that the search leaves; all of them pass. */
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
export function AllClear({ passing, rows, onShowPassing }: AllClearProps) {
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
