import './chart.css'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'

import { useTimeZone } from '../../preferences/timeZone.ts'
import { stepChart } from './chartKeys.ts'
import { type ChartPoint, nearestIndex } from './chartPoints.ts'
import { createPlot, type Plot } from './createPlot.ts'

export interface TimeChartProps {
  /** Oldest first. */
  points: readonly ChartPoint[]
  /** Ends of the time axis, milliseconds since the epoch. */
  from: number
  to: number
  /** A longer time without a point becomes a gap. */
  gapMs: number
  /** Accessible name. */
  label: string
  /** The content of the chart, in a sentence. */
  summary: string
  formatValue: (value: number) => string
  /** A point in words: time, value, judgement. */
  describe: (index: number) => string
  /** Someone selected a time span, by pointer or keyboard. Milliseconds since the epoch. */
  onZoom: (from: number, to: number) => void
  /** Pixels. */
  height: number
}

/** Where the cross-hair and the other end of the selection are. As moments, because indices shift when data arrives. */
interface Marked {
  at: number | null
  anchorAt: number | null
}

const NOTHING: Marked = { at: null, anchorAt: null }

/**
 * Values over time, with a cross-hair for pointer and keyboard. For screen readers it is a slider over the points: arrow keys move,
 * and each point is read out. Check `canDraw` first, and put a table of the same points beside it.
 */
export function TimeChart(props: TimeChartProps) {
  const { points, from, to, gapMs, height } = props
  const target = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | null>(null)
  const [marked, setMarked] = useState(NOTHING)
  const toIndex = (at: number | null): number | null => (at === null ? null : nearestIndex(points, at))
  const cursor = { index: toIndex(marked.at), anchor: toIndex(marked.anchorAt) }
  const hintId = useId()

  const onDrag = useEffectEvent((start: number, end: number) => props.onZoom(start, end))
  const formatValue = useEffectEvent((value: number) => props.formatValue(value))
  const latestHeight = useEffectEvent(() => height)
  const zone = useTimeZone()
  useEffect(() => {
    const element = target.current
    if (element === null) return undefined
    const created = createPlot(element, {
      width: Math.max(1, element.clientWidth),
      height: latestHeight(),
      formatValue: (value) => formatValue(value),
      onPointer: (at) => setMarked({ at, anchorAt: null }),
      onDrag: (start, end) => onDrag(start, end),
    })
    plot.current = created
    const resized = new ResizeObserver(() => {
      if (element.clientWidth > 0) created.resize(element.clientWidth, latestHeight())
    })
    resized.observe(element)
    // The theme is a class of the body.
    const themed = new MutationObserver(() => created.repaint())
    themed.observe(document.body, { attributeFilter: ['class'] })
    return () => {
      resized.disconnect()
      themed.disconnect()
      created.destroy()
      plot.current = null
    }
  }, [])

  useEffect(() => plot.current?.setZone(zone), [zone])
  useEffect(() => plot.current?.show({ points, from, to, gapMs }), [points, from, to, gapMs])
  const { index, anchor } = cursor
  useEffect(() => plot.current?.mark({ index, anchor }), [index, anchor])

  const handleKeyDown = (event: KeyboardEvent): void => {
    const step = stepChart(cursor, event, points.length)
    if (step.kind === 'none') return
    event.preventDefault()
    // Otherwise Escape would close the dialog around the chart.
    event.stopPropagation()
    const toMoment = (index: number | null): number | null => (index === null ? null : (points[index]?.at ?? null))
    if (step.kind === 'move') {
      setMarked({ at: toMoment(step.cursor.index), anchorAt: toMoment(step.cursor.anchor) })
      return
    }
    setMarked(NOTHING)
    const [start, end] = [toMoment(step.from), toMoment(step.to)]
    if (start !== null && end !== null) props.onZoom(start, end)
  }

  const shown = cursor.index
  return (
    <div className="wr-chart">
      <p className="wr-chart-readout" aria-hidden data-bad={shown !== null && points[shown]?.isBad}>
        {shown === null ? null : props.describe(shown)}
      </p>
      <div
        className="wr-chart-plot"
        ref={target}
        style={{ height }}
        tabIndex={0}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input cannot hold a canvas
        role="slider"
        aria-label={props.label}
        aria-describedby={hintId}
        aria-valuemin={1}
        aria-valuemax={Math.max(1, points.length)}
        aria-valuenow={shown === null ? Math.max(1, points.length) : shown + 1}
        aria-valuetext={points.length === 0 ? props.summary : props.describe(shown ?? points.length - 1)}
        onKeyDown={handleKeyDown}
        onBlur={() => setMarked(NOTHING)}
      />
      <p className="wr-visually-hidden" id={hintId}>
        {props.summary} Arrow keys move between points, Shift+arrows select, Enter zooms in.
      </p>
    </div>
  )
}
