import { Button } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import type { TimeRange } from '@watchroom/shared/time'
import { type ReactNode, useEffect, useRef, useState } from 'react'

import { errorText, RequestError } from '../../../api/request.ts'
import { useTimeZone } from '../../../preferences/timeZone.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { SHORT_PAGE_SIZES } from '../../../ui/pages.ts'
import { Pagination } from '../../../ui/Pagination.tsx'
import { StaleNotice } from '../../../ui/StaleNotice.tsx'
import { useHold } from '../../../ui/useHold.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { HistoryFilters } from './HistoryFilters.tsx'
import { HistoryTable } from './HistoryTable.tsx'
import { toRangeId } from './panelRange.ts'
import { PanelSearchSchema } from './panelSearch.ts'
import { checkHistoryQuery } from './queries.ts'
import { type HistoryPage, type ShownHistory, stepHistory } from './stepHistory.ts'
import { useIsAboveView } from './useIsAboveView.ts'

interface HistoryTabProps {
  checkId: string
  range: TimeRange
}

/** The results of a check in the time range, filtered and paged. New ones appear on the first page by themselves. */
export function HistoryTab({ checkId, range }: HistoryTabProps) {
  const { serverNow } = useScreenClock()
  const [search, setSearch] = useSearchState(PanelSearchSchema)
  const zone = useTimeZone()
  const { status, minDuration, pageIndex, pageSize } = search
  const filters = JSON.stringify([toRangeId(range), status, minDuration])
  const until = usePageAnchor(filters, pageIndex)
  const query = useQuery(
    checkHistoryQuery(
      checkId,
      { range, status, minDuration, pageIndex, pageSize, until: until.anchor },
      { now: serverNow, zone },
    ),
  )
  usePageThatExists(query.error, pageIndex, () => setSearch({ pageIndex: 0 }, { replace: true }))

  const hold = useHold()
  const top = useRef<HTMLDivElement>(null)
  const isScrolled = useIsAboveView(top)
  const shown = useShownHistory({
    ask: JSON.stringify([filters, pageIndex, pageSize]),
    page: query.isPlaceholderData ? undefined : query.data,
    isHeld: pageIndex > 0 || hold.isHeld || isScrolled,
  })
  /** How often the filters were cleared: a half-typed duration goes with them. */
  const [clearings, setClearings] = useState(0)
  const isFiltered = status !== 'all' || minDuration !== undefined

  function handlePage(next: number): void {
    until.keep(shown?.page.rows[0]?.time)
    setSearch({ pageIndex: next })
    top.current?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <section className="check-history" aria-label="History">
      <div ref={top} className="check-history-bar">
        <HistoryFilters
          key={clearings}
          status={status}
          minDuration={minDuration}
          onStatus={(next) => setSearch({ status: next, pageIndex: 0 })}
          onMinDuration={(next) => setSearch({ minDuration: next, pageIndex: 0 })}
        />
        {shown ? <span className="wr-muted check-history-total">{toCount(shown.page.total)}</span> : null}
      </div>
      <div className="check-history-waiting" aria-live="polite">
        {pageIndex === 0 && shown !== undefined && shown.waiting > 0 ? (
          <Button
            size="small"
            intent="primary"
            text={shown.waiting === 1 ? '1 new result' : `${shown.waiting} new results`}
            onClick={() => {
              hold.release()
              top.current?.scrollIntoView({ block: 'nearest' })
            }}
          />
        ) : null}
      </div>
      <Results
        shown={shown?.page}
        isOld={query.isPlaceholderData}
        error={query.error}
        isRetrying={query.isFetching}
        onRetry={() => void query.refetch()}
        empty={
          <EmptyState
            action={
              isFiltered ? (
                <Button
                  text="Clear filters"
                  onClick={() => {
                    setSearch({ status: 'all', minDuration: undefined, pageIndex: 0 })
                    setClearings(clearings + 1)
                  }}
                />
              ) : null
            }
          >
            {isFiltered
              ? 'No result of this time range passes the filters.'
              : 'The check has no results in this time range.'}
          </EmptyState>
        }
      >
        {(page) => <HistoryTable rows={page.rows} onTouch={hold.touch} onLeave={hold.release} />}
      </Results>
      {shown && shown.page.total > 0 ? (
        <Pagination
          pageIndex={pageIndex}
          pageSize={pageSize}
          total={shown.page.total}
          pageSizes={SHORT_PAGE_SIZES}
          onPageChange={handlePage}
          onPageSizeChange={(size) => setSearch({ pageSize: size, pageIndex: 0 })}
        />
      ) : null}
    </section>
  )
}

const toCount = (total: number): string => (total === 1 ? '1 result' : `${total.toLocaleString()} results`)

interface ResultsProps {
  shown: HistoryPage | undefined
  isOld: boolean
  error: Error | null
  isRetrying: boolean
  onRetry: () => void
  empty: ReactNode
  children: (page: HistoryPage) => ReactNode
}

function Results({ shown, isOld, error, isRetrying, onRetry, empty, children }: ResultsProps): ReactNode {
  if (shown === undefined) {
    if (error === null) return <LoadingSkeleton rows={6} label="Loading results" />
    return (
      <ErrorState
        title="The results could not be loaded"
        message={errorText(error)}
        onRetry={onRetry}
        isRetrying={isRetrying}
      />
    )
  }
  return (
    <>
      {error === null ? null : (
        <StaleNotice
          className="check-notice"
          what="These results"
          reason={errorText(error)}
          onRetry={onRetry}
          isRetrying={isRetrying}
        />
      )}
      <div data-old={isOld || undefined} className="check-history-list">
        {shown.rows.length === 0 ? empty : children(shown)}
      </div>
    </>
  )
}

/** The page for this answer and this reader. Adjusted while rendering, so that no frame shows rows of two questions. */
function useShownHistory(input: Parameters<typeof stepHistory>[1]): ShownHistory | undefined {
  const [state, setState] = useState(() => ({ input, shown: stepHistory(undefined, input) }))
  const { input: last } = state
  if (last.ask === input.ask && last.page === input.page && last.isHeld === input.isHeld) return state.shown
  const next = { input, shown: stepHistory(state.shown, input) }
  setState(next)
  return next.shown
}

/** The newest result that the reader has seen: pages after the first count from there, whatever is added meanwhile. */
function usePageAnchor(filters: string, pageIndex: number) {
  const [kept, setKept] = useState<{ filters: string; time: string } | null>(null)
  return {
    anchor: pageIndex > 0 && kept?.filters === filters ? kept.time : undefined,
    keep: (newest: string | undefined): void => {
      if (pageIndex === 0 && newest !== undefined) setKept({ filters, time: newest })
    },
  }
}

/** A link may name a page that is not there any more: the database says so, and the first page always is. */
function usePageThatExists(error: Error | null, pageIndex: number, onMissing: () => void): void {
  const isMissing = pageIndex > 0 && error instanceof RequestError && error.status === 416
  const latest = useRef(onMissing)
  useEffect(() => {
    latest.current = onMissing
  })
  useEffect(() => {
    if (isMissing) latest.current()
  }, [isMissing])
}
