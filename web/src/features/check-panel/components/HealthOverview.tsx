import { Button } from '@blueprintjs/core'
import { ZoomOut } from '@blueprintjs/icons'
import type { UseQueryResult } from '@tanstack/react-query'
import { formatDuration, resolveTimeRange, type TimeRange, toAbsoluteRange } from '@watchroom/shared/time'
import { type ReactNode, Suspense, useId, useMemo, useState } from 'react'

import { errorText } from '../../../api/request.ts'
import { useTimeZone } from '../../../preferences/timeZone.ts'
import { canDraw } from '../../../ui/chart/canDraw.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { lazyPart } from '../../../ui/lazyPart.tsx'
import { QueryFailure } from '../../../ui/QueryFailure.tsx'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { type GraphPoint, toGapMs } from '../graph.ts'
import { loadTimeChart } from '../parts.ts'
import type { CheckGraphAnswer } from '../queries.ts'
import { GraphTable } from './GraphTable.tsx'

import styles from '../checkPanel.module.css'

const TimeChart = lazyPart(async () => (await loadTimeChart()).TimeChart)

/** In pixels. The space is reserved from the start, so that nothing moves when the answer arrives. */
const HEIGHTS = { beside: 180, tab: 200 } as const

interface HealthOverviewProps {
  graph: UseQueryResult<CheckGraphAnswer>
  range: TimeRange
  onRange: (range: TimeRange) => void
  size: keyof typeof HEIGHTS
}

/** Latency over time, with the failures. Dragging over a span makes it the time range. */
export function HealthOverview({ graph, range, onRange, size }: HealthOverviewProps) {
  const { serverNow } = useScreenClock()
  const zone = useTimeZone()
  const headingId = useId()
  const [isDrawable] = useState(canDraw)
  const [isTable, setTable] = useState(false)
  const { data } = graph

  function handleZoomOut(): void {
    const now = serverNow()
    const { from, to } = resolveTimeRange(range, { now, zone })
    const half = (to - from) / 2
    onRange(toAbsoluteRange(from - half, Math.min(to + half, Math.max(to, now))))
  }

  return (
    <section className={styles['overview']} aria-labelledby={headingId}>
      <header>
        <h3 id={headingId}>Health Overview</h3>
        <span className={styles['legend']} aria-hidden>
          <span data-mark="latency">Latency</span>
          <span data-mark="failed">Failed</span>
        </span>
        {data !== undefined && graph.isError ? (
          <span className={styles['overviewOld']} role="alert">
            May be old: {errorText(graph.error)}
          </span>
        ) : null}
        <div className={styles['overviewTools']}>
          <Button size="small" variant="minimal" icon={<ZoomOut size={14} />} text="Zoom out" onClick={handleZoomOut} />
          {isDrawable ? (
            <Button
              size="small"
              variant="minimal"
              text="Table"
              aria-pressed={isTable}
              active={isTable}
              onClick={() => setTable(!isTable)}
            />
          ) : null}
        </div>
      </header>
      <div className={styles['overviewStage']} data-size={size} data-old={graph.isPlaceholderData || undefined}>
        {data === undefined || data.points.length === 0 ? (
          <NoCurve graph={graph} />
        ) : isTable || !isDrawable ? (
          <GraphTable points={data.points} />
        ) : (
          <Curve answer={data} height={HEIGHTS[size]} onRange={onRange} />
        )}
      </div>
    </section>
  )
}

function NoCurve({ graph }: { graph: UseQueryResult<CheckGraphAnswer> }): ReactNode {
  if (graph.data !== undefined) return <EmptyState>The check has no results in this time range.</EmptyState>
  if (!graph.isError) return <Waiting />
  return <QueryFailure what="the chart" query={graph} />
}

function Waiting() {
  return (
    <output className={styles['overviewWaiting']} aria-busy aria-label="Chart">
      <span className="wr-visually-hidden">Loading chart</span>
    </output>
  )
}

interface CurveProps {
  answer: CheckGraphAnswer
  height: number
  onRange: (range: TimeRange) => void
}

function Curve({ answer, height, onRange }: CurveProps) {
  const { points, from, to } = answer
  const toExact = useExactTime()
  const chartPoints = useMemo(
    () => points.map(({ at, durationMs, failed }) => ({ at, value: durationMs, isBad: failed > 0 })),
    [points],
  )
  const gapMs = useMemo(() => toGapMs(points), [points])
  return (
    <Suspense fallback={<Waiting />}>
      <TimeChart
        points={chartPoints}
        from={from}
        to={to}
        gapMs={gapMs}
        height={height}
        label="Latency over time"
        summary={toGraphSummary(points, toExact)}
        formatValue={formatDuration}
        describe={(index) => describePoint(points[index], toExact)}
        onZoom={(start, end) => onRange(toAbsoluteRange(Math.round(start), Math.round(end)))}
      />
    </Suspense>
  )
}

type ToExact = (moment: number) => string

function toRunCounts({ passed, failed }: Pick<GraphPoint, 'passed' | 'failed'>): string {
  return [passed > 0 ? `${passed} passed` : '', failed > 0 ? `${failed} failed` : ''].filter(Boolean).join(', ')
}

function describePoint(point: GraphPoint | undefined, toExact: ToExact): string {
  return point === undefined ? '' : `${toExact(point.at)}: ${formatDuration(point.durationMs)}, ${toRunCounts(point)}`
}

/** What the chart shows, for people who cannot see it. */
function toGraphSummary(points: readonly GraphPoint[], toExact: ToExact): string {
  const bad = points.filter(({ failed }) => failed > 0)
  const last = bad.at(-1)
  const count = points.length === 1 ? '1 point' : `${points.length} points`
  if (last === undefined) return `${count}, no failures.`
  return `${count}, ${bad.length} with failures, the last at ${toExact(last.at)}.`
}
