// The only place that knows uPlot. It draws; the meaning of points and keys is defined elsewhere.
import 'uplot/dist/uPlot.min.css'
import uPlot from 'uplot'

import { toAxisTimes, toUtcSplits } from './axisTime.ts'
import type { ChartCursor } from './chartKeys.ts'
import { type ChartPoint, toPlotData } from './chartPoints.ts'

export interface PlotContent {
  /** Oldest first. */
  readonly points: readonly ChartPoint[]
  /** Ends of the time axis, milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  /** A longer time without a point becomes a gap. */
  readonly gapMs: number
}

export interface PlotOptions {
  readonly width: number
  readonly height: number
  readonly formatValue: (value: number) => string
  /** The pointer is over this moment, in milliseconds since the epoch; null when it left. */
  readonly onPointer: (at: number | null) => void
  /** Someone dragged over a time span. Milliseconds since the epoch. */
  readonly onDrag: (from: number, to: number) => void
}

export interface Plot {
  show(content: PlotContent): void
  /** Puts the cross-hair on a point, and shows a selection from `anchor` to it. */
  mark(cursor: ChartCursor): void
  resize(width: number, height: number): void
  /** Reads the colors again, after the theme has changed. */
  repaint(): void
  /** The zone of the time axis; local until it is set. */
  setZone(zone: 'local' | 'UTC'): void
  destroy(): void
}

/** Fewer points than this are dots that can be told apart. */
const MAX_DOTS = 120
const BAD_SIZE = 4.5
const MIN_LINE_DISTANCE_PX = 10
const MIN_DRAG_PX = 6
const NO_SELECTION = { left: 0, top: 0, width: 0, height: 0 }

/** @throws when the browser has no canvas; `canDraw` tells before that */
export function createPlot(target: HTMLElement, options: PlotOptions): Plot {
  let zone: 'local' | 'UTC' = 'local'
  let content: PlotContent = { points: [], from: 0, to: 1, gapMs: Number.POSITIVE_INFINITY }
  let lastEvent: MouseEvent | undefined
  const color = (name: string): string => getComputedStyle(target).getPropertyValue(`--wr-${name}`).trim()
  const font = `11px ${getComputedStyle(target).fontFamily || 'sans-serif'}`

  const cross = document.createElement('div')
  cross.className = 'wr-chart-cross'
  cross.hidden = true
  const dot = document.createElement('div')
  dot.className = 'wr-chart-dot'
  cross.append(dot)

  const axis: uPlot.Axis = {
    font,
    stroke: () => color('muted'),
    grid: { stroke: () => color('border'), width: 1 },
    ticks: { show: false },
    gap: 6,
  }

  const plot = new uPlot(
    {
      width: options.width,
      height: options.height,
      padding: [8, 20, 0, 0],
      legend: { show: false },
      scales: {
        x: { range: () => [content.from / 1_000, content.to / 1_000] },
        // Zero is in the picture: half as slow must look half as slow.
        y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.15 : 1] },
      },
      axes: [
        {
          ...axis,
          size: 28,
          grid: { show: false },
          values: (_plot, splits, _axis, _space, stepS) => toAxisTimes(splits, stepS, zone),
        },
        {
          ...axis,
          size: 56,
          space: 36,
          values: (_plot, splits) => splits.map((value) => (value === 0 ? '0' : options.formatValue(value))),
        },
      ],
      series: [
        {},
        {
          stroke: () => color('accent'),
          fill: () => withAlpha(color('accent'), 0.12),
          width: 1.5,
          points: { show: true, size: 4, fill: () => color('accent'), filter: (self) => toDots(self.data[1]) },
        },
      ],
      cursor: {
        x: false,
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false, dist: MIN_DRAG_PX },
      },
      hooks: {
        ready: [(self) => self.over.append(cross)],
        draw: [(self) => drawBad(self, content.points, color('unhealthy'))],
        setCursor: [
          (self) => {
            // Also called for new data and sizes, with the previous event.
            const { event, left = -1 } = self.cursor
            if (event === undefined || event === lastEvent) return
            lastEvent = event
            options.onPointer(left < 0 ? null : self.posToVal(left, 'x') * 1_000)
          },
        ],
        setSelect: [
          (self) => {
            const { left, width } = self.select
            if (width < MIN_DRAG_PX) return
            self.setSelect(NO_SELECTION, false)
            options.onDrag(self.posToVal(left, 'x') * 1_000, self.posToVal(left + width, 'x') * 1_000)
          },
        ],
      },
    },
    [[], []],
    target,
  )

  const placeMarks = createMarks(plot)
  // Measuring once is not enough: the dialog around the chart may still have been growing.
  target.addEventListener('mouseenter', () => plot.syncRect())
  let isSelecting = false
  const toLeft = (index: number): number => plot.valToPos((content.points[index]?.at ?? 0) / 1_000, 'x')

  let cursor: ChartCursor = { index: null, anchor: null }
  function mark(): void {
    const { index, anchor } = cursor
    const point = index === null ? undefined : content.points[index]
    cross.hidden = point === undefined
    if (isSelecting && (anchor === null || point === undefined)) plot.setSelect(NO_SELECTION, false)
    isSelecting = anchor !== null && point !== undefined
    if (index === null || point === undefined) return
    const left = toLeft(index)
    cross.style.transform = `translateX(${left}px)`
    cross.dataset['bad'] = String(point.isBad)
    dot.style.transform = `translateY(${plot.valToPos(point.value, 'y')}px)`
    if (anchor === null) return
    const other = toLeft(anchor)
    const height = plot.over.clientHeight
    plot.setSelect({ left: Math.min(left, other), top: 0, width: Math.abs(left - other), height }, false)
  }

  return {
    show: (next) => {
      content = next
      plot.batch(() => plot.setData(toPlotData(next.points, next.gapMs)))
      mark()
    },
    mark: (next) => {
      cursor = next
      mark()
    },
    resize: (width, height) => {
      plot.batch(() => plot.setSize({ width, height }))
      mark()
    },
    repaint: () => plot.redraw(false, true),
    setZone: (next) => {
      zone = next
      placeMarks(next)
      plot.redraw(false, true)
    },
    destroy: () => plot.destroy(),
  }
}

/** Places the marks of the time axis at round times of the zone. */
function createMarks({ axes: [axis] }: uPlot): (zone: 'local' | 'UTC') => void {
  /** In local time. */
  const localSplits = axis?.splits
  return (zone) => {
    if (!axis || !localSplits) return
    axis.splits = zone === 'UTC' ? (_plot, _index, from, to, stepS) => toUtcSplits(from, to, stepS) : localSplits
  }
}

/** Points that get a dot: all while they can be told apart, otherwise only those without a line to them. Null means all. */
function toDots(values: ArrayLike<number | null | undefined> | undefined): number[] | null {
  if (values === undefined || values.length <= MAX_DOTS) return null
  return Array.from(values, (_, index) => index).filter((index) => {
    const [before, here, after] = [values[index - 1], values[index], values[index + 1]]
    return typeof here === 'number' && typeof before !== 'number' && typeof after !== 'number'
  })
}

/** A full-height line and a diamond at the value, so that a failure is visible without color and from a distance. */
function drawBad(plot: uPlot, points: readonly ChartPoint[], color: string): void {
  const { ctx, bbox } = plot
  const scale = uPlot.pxRatio
  ctx.save()
  ctx.beginPath()
  // Half a diamond of extra room on either side: the newest point is at the edge.
  const size = BAD_SIZE * scale
  ctx.rect(bbox.left - size, bbox.top, bbox.width + 2 * size, bbox.height)
  ctx.clip()
  ctx.strokeStyle = color
  ctx.fillStyle = color
  const bad = points.filter(({ isBad }) => isBad)
  // Many lines side by side would hide the curve: then they are only a tint.
  const lineAlpha = bad.length * MIN_LINE_DISTANCE_PX * scale > bbox.width ? 0.12 : 0.3
  for (const { at, value } of bad) {
    const x = plot.valToPos(at / 1_000, 'x', true)
    const y = plot.valToPos(value, 'y', true)
    ctx.globalAlpha = lineAlpha
    ctx.lineWidth = 1.5 * scale
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    ctx.globalAlpha = 1
    ctx.beginPath()
    ctx.moveTo(x, y - size)
    ctx.lineTo(x + size, y)
    ctx.lineTo(x, y + size)
    ctx.lineTo(x - size, y)
    ctx.closePath()
    ctx.fill()
  }
  ctx.restore()
}

/** @param color `#rrggbb`, as the tokens are written */
function withAlpha(color: string, alpha: number): string {
  return `${color}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0')}`
}
