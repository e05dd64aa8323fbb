import { Button } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import type { CheckStatus } from '@watchroom/shared/health'
import type { TimeRange } from '@watchroom/shared/time'
import { useRef, useState } from 'react'

import { useLeavePastEnd } from '../../../api/useTablePage.ts'
import { useTimeZone } from '../../../preferences/timeZone.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { countOf } from '../../../ui/countOf.ts'
import { toQueryState } from '../../../ui/QueryStates.tsx'
import { toPaging } from '../../../ui/table/listSearch.ts'
import { SHORT_PAGE_SIZES } from '../../../ui/table/pages.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import { useHold } from '../../../ui/useHold.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { toRangeId } from '../panelRange.ts'
import { checkHistoryQuery } from '../queries.ts'
import { PanelSearchSchema } from '../search.ts'
import { type ShownHistory, stepHistory } from '../stepHistory.ts'
import { useIsAboveView } from '../useIsAboveView.ts'
import { HISTORY_COLUMNS } from './historyColumns.tsx'
import { HistoryFilters } from './HistoryFilters.tsx'

import styles from '../checkPanel.module.css'

interface HistoryTabProps {
  checkId: string
  range: TimeRange
}

const keyOf = ({ time }: CheckStatus): string => time

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
  useLeavePastEnd(query.error, () => setSearch({ pageIndex: 0 }, { replace: true }))

  const hold = useHold()
  const top = useRef<HTMLDivElement>(null)
  const isScrolled = useIsAboveView(top)
  const shown = useShownHistory({
    ask: JSON.stringify([filters, pageIndex, pageSize]),
    page: query.isPlaceholderData ? undefined : query.data,
    isHeld: pageIndex > 0 || hold.isHeld || isScrolled,
  })
  /** How often the filters were cleared, to clear a half-typed duration with them. */
  const [clearings, setClearings] = useState(0)
  const state = toQueryState(query, 'results')
  const isFiltered = status !== 'all' || minDuration !== undefined

  function handlePage(next: number): void {
    until.keep(shown?.page.rows[0]?.time)
    setSearch({ pageIndex: next })
    top.current?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <section className={styles['history']} aria-label="History">
      <div ref={top} className={styles['historyBar']}>
        <HistoryFilters
          key={clearings}
          status={status}
          minDuration={minDuration}
          onStatus={(next) => setSearch({ status: next, pageIndex: 0 })}
          onMinDuration={(next) => setSearch({ minDuration: next, pageIndex: 0 })}
        />
        {shown ? (
          <span className={`wr-muted ${styles['historyTotal']}`}>{countOf(shown.page.total, 'result')}</span>
        ) : null}
      </div>
      <div className={styles['historyWaiting']} aria-live="polite">
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
      <ResourceTable
        name="check-history"
        label="Results"
        place="part"
        state={{ ...state, data: shown?.page.rows }}
        columns={HISTORY_COLUMNS}
        keyOf={keyOf}
        hold={hold}
        paging={{
          ...toPaging(search, setSearch, { sizes: SHORT_PAGE_SIZES, defaultSize: SHORT_PAGE_SIZES[0] }),
          total: shown?.page.total ?? 0,
          onChange: ({ pageIndex: next, pageSize: size }) =>
            size === undefined ? handlePage(next) : setSearch({ pageIndex: next, pageSize: size }),
        }}
        empty={{ text: 'The check has no results in this time range.' }}
        filteredEmpty={
          isFiltered
            ? {
                text: 'No result in this time range matches the filters.',
                action: (
                  <Button
                    text="Clear filters"
                    onClick={() => {
                      setSearch({ status: 'all', minDuration: undefined, pageIndex: 0 })
                      setClearings(clearings + 1)
                    }}
                  />
                ),
              }
            : null
        }
        fold="facts"
      />
    </section>
  )
}

/** The page for this answer and this reader. Adjusted while rendering, so that no frame mixes rows of two requests. */
function useShownHistory(input: Parameters<typeof stepHistory>[1]): ShownHistory | undefined {
  const [state, setState] = useState(() => ({ input, shown: stepHistory(undefined, input) }))
  const { input: last } = state
  if (last.ask === input.ask && last.page === input.page && last.isHeld === input.isHeld) return state.shown
  const next = { input, shown: stepHistory(state.shown, input) }
  setState(next)
  return next.shown
}

/** The newest result that the reader has seen: later pages count from there, whatever is added meanwhile. */
function usePageAnchor(filters: string, pageIndex: number) {
  const [kept, setKept] = useState<{ filters: string; time: string } | null>(null)
  return {
    anchor: pageIndex > 0 && kept?.filters === filters ? kept.time : undefined,
    keep: (newest: string | undefined): void => {
      if (pageIndex === 0 && newest !== undefined) setKept({ filters, time: newest })
    },
  }
}
