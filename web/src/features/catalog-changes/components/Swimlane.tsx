import { SegmentedControl } from '@blueprintjs/core'
import { ZoomIn, ZoomOut } from '@blueprintjs/icons'
import { useNavigate } from '@tanstack/react-router'
import type { ConfigChange } from '@watchroom/shared/catalog'
import { toAbsoluteRange } from '@watchroom/shared/time'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'

import { useTimeZone } from '../../../preferences/timeZone.ts'
import { FOLDED } from '../../../ui/breakpoints.ts'
import { toAxisTimes } from '../../../ui/chart/axisTime.ts'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { parseMoment } from '../../../ui/formatTime.ts'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { useMediaQuery } from '../../../ui/useMediaQuery.ts'
import { type LaneEvent, useLaneEvents } from '../laneQueries.ts'
import {
  type Lane,
  type LaneMark,
  LANE_COLUMNS,
  type LaneWindow,
  stepMark,
  toLanes,
  toTicks,
  zoomWindow,
} from '../lanes.ts'
import type { Changes } from '../useChanges.ts'
import { useLaneZoom } from '../useLaneZoom.ts'

import styles from '../swimlane.module.css'

/** A change, or what else happened. */
type Item = { readonly change: ConfigChange } | { readonly event: LaneEvent }

/** As many labels as there is room for. */
const MAX_TICKS = { folded: 4, wide: 8 }
const NONE: readonly never[] = []

const momentOf = (item: Item): number => parseMoment('change' in item ? item.change.created_at : item.event.at)
const textOf = (item: Item): string =>
  'change' in item
    ? [item.change.name, item.change.summary || item.change.change_type].filter(Boolean).join(': ')
    : item.event.text

/** When each thing changed, beside incidents and checks: the table below as a picture. Zooming sets the range. */
export function Swimlane({ changes }: { changes: Changes }) {
  const { search, setSearch, setRange, state, total = 0, window } = changes
  const navigate = useNavigate()
  const rows = state.data ?? NONE
  const { lanes, hidden } = useLanes(rows, search.lanes, window)
  const onZoom = ({ from, to }: LaneWindow): void => setRange(toAbsoluteRange(from, to))
  const middle = (window.from + window.to) / 2

  function open({ items, from, to }: LaneMark<Item>): void {
    const [item, ...more] = items
    if (item === undefined) return
    if (more.length > 0 && to > from) onZoom(zoomWindow({ from, to }, (from + to) / 2, 1.2))
    else if ('change' in item) setSearch({ change: item.change.id })
    else void navigate({ to: item.event.path })
  }
  return (
    <section className={styles['swimlane']} aria-label="Swimlane of changes">
      <div className={styles['tools']}>
        <SegmentedControl
          aria-label="Lanes"
          size="small"
          value={search.lanes}
          onValueChange={(value) => setSearch({ lanes: value === 'item' ? 'item' : 'type' })}
          options={[
            { value: 'type', label: 'By type' },
            { value: 'item', label: 'By item' },
          ]}
        />
        <CommandButton
          isIcon
          icon={<ZoomIn />}
          command="Zoom in"
          onClick={() => onZoom(zoomWindow(window, middle, 0.5))}
        />
        <CommandButton
          isIcon
          icon={<ZoomOut />}
          command="Zoom out"
          onClick={() => onZoom(zoomWindow(window, middle, 2))}
        />
        <span className="wr-muted">{toNote(rows.length, total, hidden)}</span>
      </div>
      <Lanes lanes={lanes} window={window} onOpen={open} onZoom={onZoom} />
    </section>
  )
}

function toNote(shown: number, total: number, hiddenLanes: number): string {
  const ofAll = shown < total ? `${shown.toLocaleString()} of ${total.toLocaleString()} changes, from this page` : ''
  const more = hiddenLanes > 0 ? `${hiddenLanes.toLocaleString()} lanes with fewer changes are hidden` : ''
  return [ofAll, more].filter(Boolean).join(' · ')
}

function useLanes(rows: readonly ConfigChange[], by: 'type' | 'item', window: LaneWindow) {
  const { incidents, transitions } = useLaneEvents(window)
  return useMemo(() => {
    const { lanes, hidden } = toLanes<Item>(
      rows.map((change) => ({ change })),
      {
        window,
        momentOf,
        laneOf: (item) => ('change' in item ? toLane(item.change, by) : { key: '', title: '' }),
      },
    )
    const ofEvents = (key: string, title: string, events: readonly LaneEvent[]): Lane<Item>[] =>
      toLanes<Item>(
        events.map((event) => ({ event })),
        { window, momentOf, laneOf: () => ({ key, title }) },
      ).lanes
    return {
      lanes: [
        ...ofEvents('incidents', 'Incidents', incidents),
        ...ofEvents('checks', 'Health of checks', transitions),
        ...lanes,
      ],
      hidden,
    }
  }, [rows, by, window, incidents, transitions])
}

const toLane = ({ config_id: id, name, type }: ConfigChange, by: 'type' | 'item') =>
  by === 'item' ? { key: id, title: name || id } : { key: type ?? '', title: type?.replaceAll('::', ' ') || 'No type' }

interface LanesProps {
  lanes: readonly Lane<Item>[]
  window: LaneWindow
  onOpen: (mark: LaneMark<Item>) => void
  onZoom: (window: LaneWindow) => void
}

/** The marks: one is in the tab order, and arrow keys lead to the others. */
function Lanes({ lanes, window, onOpen, onZoom }: LanesProps) {
  const box = useRef<HTMLDivElement>(null)
  const zone = useTimeZone()
  const isFolded = useMediaQuery(FOLDED)
  const [place, setPlace] = useState({ lane: 0, mark: 0 })
  const isThere = lanes[place.lane]?.marks[place.mark] !== undefined
  const active = isThere ? place : { lane: 0, mark: 0 }
  const selection = useLaneZoom(box, window, onZoom)
  const { step, ticks } = toTicks(window, isFolded ? MAX_TICKS.folded : MAX_TICKS.wide, zone)
  const words = toAxisTimes(
    ticks.map((tick) => tick / 1_000),
    step / 1_000,
    zone,
  )

  function handleKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const mark = lanes[active.lane]?.marks[active.mark]
    const next = stepMark(lanes, active, event.key)
    if (next !== null) {
      setPlace(next)
      box.current?.querySelector<HTMLElement>(`[data-mark="${next.lane} ${next.mark}"]`)?.focus()
    } else if ((event.key === '+' || event.key === '-') && mark !== undefined) {
      onZoom(zoomWindow(window, (mark.from + mark.to) / 2, event.key === '+' ? 0.5 : 2))
    } else return
    event.preventDefault()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys and pointers of the marks inside
    <div ref={box} className={styles['lanes']} onKeyDown={handleKeyDown} onPointerDown={selection.onPointerDown}>
      {lanes.map((lane, laneAt) => (
        <div key={lane.key} className={styles['lane']} data-lane={lane.key}>
          <span className={styles['title']} title={lane.title}>
            {lane.title}
          </span>
          <div className={styles['track']}>
            {lane.marks.map((mark, markAt) => (
              <Mark
                key={mark.column}
                mark={mark}
                title={lane.title}
                place={`${laneAt} ${markAt}`}
                isActive={laneAt === active.lane && markAt === active.mark}
                onFocus={() => setPlace({ lane: laneAt, mark: markAt })}
                onOpen={() => onOpen(mark)}
              />
            ))}
          </div>
        </div>
      ))}
      <div className={styles['lane']} aria-hidden>
        <span className={styles['title']} />
        <div className={styles['track']} data-axis>
          {words.map((word, at) => (
            <span
              key={ticks[at]}
              style={{ left: `${(((ticks[at] ?? 0) - window.from) / (window.to - window.from)) * 100}%` }}
            >
              {word}
            </span>
          ))}
        </div>
      </div>
      {selection.shown === null ? null : (
        <div className={styles['selection']} style={{ left: selection.shown.left, width: selection.shown.width }} />
      )}
    </div>
  )
}

interface MarkProps {
  mark: LaneMark<Item>
  /** Of the lane. */
  title: string
  place: string
  isActive: boolean
  onFocus: () => void
  onOpen: () => void
}

function Mark({ mark: { column, items, from, to }, title, place, isActive, onFocus, onOpen }: MarkProps) {
  const toExact = useExactTime()
  const when = items.length > 1 && to > from ? `${toExact(from)} to ${toExact(to)}` : toExact(from)
  const [first] = items
  const what = items.length === 1 && first ? textOf(first) : `${items.length.toLocaleString()} at a time`
  return (
    <button
      type="button"
      className={styles['mark']}
      data-mark={place}
      data-size={items.length === 1 ? 1 : items.length < 10 ? 2 : 3}
      tabIndex={isActive ? 0 : -1}
      aria-label={`${title}: ${what}, ${when}`}
      title={`${what}\n${when}`}
      style={{ left: `${((column + 0.5) / LANE_COLUMNS) * 100}%` }}
      onFocus={onFocus}
      onClick={onOpen}
    />
  )
}
