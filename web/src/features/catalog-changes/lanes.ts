// What happened when, as lanes of marks. What is close together becomes one mark, so that the picture stays bounded for any number
// of rows.

import { fromWallTime, toWallTime, type Zone } from '@watchroom/shared/time'

export interface LaneWindow {
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
}

/** What happened in one column of a lane. */
export interface LaneMark<Item> {
  readonly column: number
  /** By time; at least one. */
  readonly items: readonly Item[]
  /** Of the first and the last of them. */
  readonly from: number
  readonly to: number
}

export interface Lane<Item> {
  readonly key: string
  readonly title: string
  readonly count: number
  readonly marks: readonly LaneMark<Item>[]
}

/** Columns of a lane: on a desk each is wide enough for a mark of its own. */
export const LANE_COLUMNS = 40
/** Lanes that are drawn: those with the most to show. */
const MAX_LANES = 24

interface LaneOptions<Item> {
  readonly window: LaneWindow
  readonly momentOf: (item: Item) => number
  readonly laneOf: (item: Item) => { readonly key: string; readonly title: string }
}

/** @returns lanes with the fullest first, and how many more there would be */
export function toLanes<Item>(
  items: readonly Item[],
  { window, momentOf, laneOf }: LaneOptions<Item>,
): { lanes: Lane<Item>[]; hidden: number } {
  const groups = new Map<string, { title: string; items: Item[] }>()
  for (const item of items) {
    const { key, title } = laneOf(item)
    const group = groups.get(key)
    if (group) group.items.push(item)
    else groups.set(key, { title, items: [item] })
  }
  const lanes = Array.from(groups, ([key, group]) => ({
    key,
    title: group.title,
    count: group.items.length,
    marks: toMarks(group.items, window, momentOf),
  })).toSorted((a, b) => b.count - a.count || (a.title < b.title ? -1 : 1))
  return { lanes: lanes.slice(0, MAX_LANES), hidden: Math.max(0, lanes.length - MAX_LANES) }
}

function toMarks<Item>(
  items: readonly Item[],
  { from, to }: LaneWindow,
  momentOf: (item: Item) => number,
): LaneMark<Item>[] {
  const columns = new Map<number, Item[]>()
  for (const item of items.toSorted((a, b) => momentOf(a) - momentOf(b))) {
    // What arrives while the picture is shown goes to its end.
    const place = Math.floor(((momentOf(item) - from) / Math.max(1, to - from)) * LANE_COLUMNS)
    const column = Math.max(0, Math.min(LANE_COLUMNS - 1, place))
    columns.set(column, [...(columns.get(column) ?? []), item])
  }
  return Array.from(columns, ([column, found]) => {
    const moments = found.map(momentOf)
    return { column, items: found, from: Math.min(...moments), to: Math.max(...moments) }
  })
}

/** One second: nobody means a shorter range. */
const MIN_WINDOW_MS = 1_000

/** The window around a moment, `factor` times as long; the moment keeps its place in the picture as far as possible. */
export function zoomWindow({ from, to }: LaneWindow, moment: number, factor: number): LaneWindow {
  const length = Math.max(MIN_WINDOW_MS, (to - from) * factor)
  const share = Math.max(0, Math.min(1, (moment - from) / Math.max(1, to - from)))
  const start = Math.round(moment - share * length)
  return { from: start, to: start + Math.round(length) }
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]
/** Tick distances that people are used to. */
const TICK_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 28, 84].map((count) => count * DAY),
]
/** A label centered this close to the edge would be cut off. */
const EDGE = 0.03

/**
 * Round moments within a window, at most as many as wanted unless it is of years.
 *
 * @param zone whose clock they are round on, also after it was changed within the window
 */
export function toTicks({ from, to }: LaneWindow, count: number, zone: Zone): { step: number; ticks: number[] } {
  const step = TICK_STEPS.find((each) => (to - from) / each <= count) ?? 365 * DAY
  const margin = (to - from) * EDGE
  const ticks: number[] = []
  let at = fromWallTime(Math.ceil(toWallTime(from + margin, zone) / step) * step, zone)
  while (at <= to - margin) {
    // A time that the clock shows twice may lie before the window the first time.
    if (at >= from + margin) ticks.push(at)
    at = toRound(at + step, step, zone)
  }
  return { step, ticks }
}

/** The moment itself if the clock is round then, which it may be twice, else the nearest round one. */
function toRound(moment: number, step: number, zone: Zone): number {
  const wall = toWallTime(moment, zone)
  return wall % step === 0 ? moment : fromWallTime(Math.round(wall / step) * step, zone)
}

/** Which mark a key leads to: along the lane, or to the nearest one of the next lane that has any. Null for keys that lead nowhere. */
export function stepMark<Item>(
  lanes: readonly Lane<Item>[],
  at: { readonly lane: number; readonly mark: number },
  key: string,
): { lane: number; mark: number } | null {
  const lane = lanes[at.lane]
  if (lane === undefined) return null
  const last = lane.marks.length - 1
  switch (key) {
    case 'ArrowLeft':
      return { lane: at.lane, mark: Math.max(0, at.mark - 1) }
    case 'ArrowRight':
      return { lane: at.lane, mark: Math.min(last, at.mark + 1) }
    case 'Home':
      return { lane: at.lane, mark: 0 }
    case 'End':
      return { lane: at.lane, mark: last }
    case 'ArrowUp':
    case 'ArrowDown': {
      const next = at.lane + (key === 'ArrowUp' ? -1 : 1)
      const marks = lanes[next]?.marks
      if (marks === undefined) return at
      const column = lane.marks[at.mark]?.column ?? 0
      const nearest = marks.reduce(
        (best, mark, index) =>
          Math.abs(mark.column - column) < Math.abs((marks[best]?.column ?? 0) - column) ? index : best,
        0,
      )
      return { lane: next, mark: nearest }
    }
    default:
      return null
  }
}
