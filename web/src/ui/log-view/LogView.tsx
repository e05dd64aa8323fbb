import { Button } from '@blueprintjs/core'
import { ArrowDown } from '@blueprintjs/icons'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'

import { useLogPreferences } from '../../preferences/logView.ts'
import { PHONE } from '../breakpoints.ts'
import { countOf } from '../countOf.ts'
import { saveFile } from '../saveFile.ts'
import { showErrorToast, showToast } from '../toaster.ts'
import { useLatest } from '../useLatest.ts'
import { useMediaQuery } from '../useMediaQuery.ts'
import type { LogLine } from './createLogLines.ts'
import { forgetSizes } from './forgetSizes.ts'
import { type LineRange, toRange } from './lineRange.ts'
import { LogHead } from './LogHead.tsx'
import { moveMark, toLogKey } from './logKeys.ts'
import { LogRows, type RowsOfLog, toWidths } from './LogRows.tsx'
import { LogToolbar } from './LogToolbar.tsx'
import { MarkedLines } from './MarkedLines.tsx'
import { type MoreLinesState, NewerLines, OlderLines } from './MoreLines.tsx'
import { useAnnouncedLines } from './useAnnouncedLines.ts'
import { isAtEnd, useFollow } from './useFollow.ts'
import { useLineTime } from './useLineTime.ts'
import { useLogColumns } from './useLogColumns.ts'
import { useMatches } from './useMatches.ts'

import styles from './logView.module.css'

/** A line that is not wrapped, as the style sheet has it, and how many are drawn beyond the window. */
const NUMBERED = { rowPx: 24, overscan: 20 }
/** Second specification, section 2. */
const COLUMNS = { rowPx: 62, overscan: 10 }
/** Lines beyond the window while the end is followed: those that come drive them out before anyone could scroll to them. */
const FOLLOWING_OVERSCAN = 2
/** More lines are fetched before the first or the last one is in the window. */
const NEAR_END_PX = 400

/** What lines of services have beyond what a program printed. */
export interface LogColumns {
  /** Place of the line that was first at the beginning: others may come before it, and old ones leave. */
  readonly origin: number
  /** Looked for somewhere else, in small letters: marked in every line, and nothing else is looked for here. */
  readonly words: readonly string[]
  readonly older?: MoreLinesState
  /** Of a part of a log. Absent: the last line is the last. */
  readonly newer?: MoreLinesState
  /** Lines that come. Absent: none do. */
  readonly tail?: {
    readonly isPaused: boolean
    /** Lines that wait until it goes on. */
    readonly held: number
    readonly onPause: (isPaused: boolean) => void
    readonly onFollowing: (isFollowing: boolean) => void
  }
  /** The day stands beside the time always: the lines are kept from some other day. */
  readonly hasDay?: boolean
}

/** What was saved, and what there is to say of it. */
export interface SavedLog {
  readonly file: Blob
  readonly note?: string
}

interface LogViewProps {
  /** For screen readers. */
  label: string
  /** They only grow, in place, unless they are in columns. */
  lines: readonly LogLine[]
  /** Another number: the lines changed. */
  revision: number
  /** Marked lines, of the address. They are scrolled to once they are there. */
  marked?: LineRange | null
  /** Absent: lines cannot be marked. */
  onMark?: (range: LineRange | null) => void
  /** What can be done with the marked lines, beside copying them. */
  renderMarked?: (range: LineRange) => ReactNode
  /** Address of the marked lines, where the one of the page does not lead back to them. */
  linkOf?: (range: LineRange) => string
  /** The whole log as a file. Absent: the lines stand alone, without tools. */
  download?: { readonly name: string; readonly read: () => Promise<SavedLog> }
  /** Instead of lines, while there are none. */
  empty: ReactNode
  /** Nothing is going to follow: the beginning is shown. */
  isStill: boolean
  /** No more lines come than there are: following is not offered. */
  hasEnded?: boolean
  /** Absent: what a program printed, numbered. */
  columns?: LogColumns
}

/** Lines of a program or a service: run output, logs, evidence. */
export function LogView(props: LogViewProps) {
  const { label, lines, revision, marked = null, columns, onMark, download } = props
  const tail = columns?.tail
  const origin = columns?.origin ?? 0
  const layout = columns === undefined ? 'numbered' : 'columns'
  const count = lines.length
  const scroller = useRef<HTMLDivElement>(null)
  const [preferences, setPreferences] = useLogPreferences()
  const { isWrapped } = preferences
  const [sizes, setSizes] = useLogColumns()
  const isPhone = useMediaQuery(PHONE)
  // Among other things a log has little room.
  const isStacked = columns !== undefined && (isPhone || download === undefined)
  const isHeld = props.isStill || marked !== null
  const isFollowing = useRef(!isHeld)
  const isGrowing = columns === undefined ? !props.isStill && props.hasEnded !== true : tail !== undefined
  const rows = useRows({ scroller, lines, revision, layout, isFollowing, isGrowing })
  const hasMore = columns?.newer !== undefined
  const follow = useFollow({ scroller, count, origin, totalPx: rows.getTotalSize(), isStill: isHeld, hasMore, rows })
  useLayoutEffect(() => {
    isFollowing.current = follow.isFollowing
  })
  useTold(tail?.onFollowing, follow.isFollowing)
  const announced = useAnnouncedLines(lines, follow.isFollowing, origin)
  const goTo = (index: number): void => {
    follow.stop()
    rows.scrollToIndex(index, { align: 'center' })
  }
  const isSought = download !== undefined && tail === undefined
  const search = useMatches({
    lines,
    revision,
    words: columns?.words,
    isSought: columns === undefined || isSought,
    goTo,
  })
  const hasClock = count > 0 && lines.some(({ at }) => at !== null)
  const isTimed = columns === undefined ? preferences.hasTimes : preferences.hasTimeColumn || download === undefined
  const toTime = useLineTime(lines, columns?.hasDay === true)
  useForgottenSizes(rows, lines, revision)
  useMeasuredAnew(rows, `${isWrapped} ${isTimed} ${isStacked} ${sizes.time} ${sizes.labels}`)
  useShownMark(rows, marked, count)

  const handleMark = useLatest((index: number, isRange: boolean): void => {
    const line = index + 1
    const isSame = marked?.from === line && marked.to === line
    onMark?.(isSame ? null : toRange(isRange && marked !== null ? marked.from : line, line))
  })
  const handleFollow = (): void => {
    tail?.onPause(false)
    if (!follow.isFollowing || !tail?.isPaused) follow.toggle()
  }
  const handleScroll = (): void => {
    follow.handleScroll()
    if (scroller.current !== null && columns !== undefined) loadNearEnd(scroller.current, columns)
  }
  const handleKeyDown = (event: KeyboardEvent): void => {
    const key = event.ctrlKey || event.metaKey || event.altKey ? null : toLogKey(event.key)
    const isMarking = key?.kind === 'mark' || key?.kind === 'clear'
    // The Escape of a dialog around it is not for the log.
    if (key === null || (key.kind === 'clear' && marked === null) || (isMarking && onMark === undefined)) return
    event.preventDefault()
    event.stopPropagation()
    if (key.kind === 'match') search.move(key.step)
    else if (key.kind === 'follow') handleFollow()
    else if (key.kind === 'clear') onMark?.(null)
    else {
      const top = rows.getVirtualItemForOffset(scroller.current?.scrollTop ?? 0)?.index ?? 0
      const next = moveMark({ ...key, marked, top: top + 1, count })
      onMark?.(next.range)
      goTo(next.at - 1)
    }
  }
  const unseen = hasMore ? 0 : follow.unseen + (tail?.held ?? 0)

  return (
    <section className={styles['log']} aria-label={label}>
      {download === undefined ? null : (
        <LogToolbar
          label={label}
          search={columns === undefined ? search : { ...search, look: null }}
          isWrapped={isWrapped}
          onWrap={() => setPreferences({ ...preferences, isWrapped: !isWrapped })}
          hasTimes={hasClock ? isTimed : null}
          onTimes={() =>
            setPreferences({ ...preferences, [columns === undefined ? 'hasTimes' : 'hasTimeColumn']: !isTimed })
          }
          pause={tail ? { isPaused: tail.isPaused, onPause: tail.onPause } : null}
          isFollowing={follow.isFollowing}
          onFollow={props.isStill || props.hasEnded === true ? null : handleFollow}
          onDownload={() => void saveLog(download)}
        />
      )}
      {marked === null || count === 0 || onMark === undefined ? null : (
        <MarkedLines
          range={marked}
          lines={lines}
          isNumbered={columns === undefined}
          link={props.linkOf?.(marked)}
          onClear={() => onMark(null)}
        >
          {props.renderMarked?.(marked)}
        </MarkedLines>
      )}
      {columns?.older && count > 0 ? <OlderLines older={columns.older} /> : null}
      {count === 0 ? (
        <div className={styles['empty']}>{props.empty}</div>
      ) : (
        <>
          {columns === undefined || isStacked ? null : (
            <div style={toWidths(sizes)}>
              <LogHead sizes={sizes} onSizes={setSizes} hasTimes={hasClock && isTimed} />
            </div>
          )}
          <LogRows
            label={label}
            lines={lines}
            rows={rows}
            scroller={scroller}
            layout={layout}
            sizes={sizes}
            isWrapped={isWrapped}
            isStacked={isStacked}
            words={search.words}
            toTime={hasClock && isTimed ? toTime : null}
            marked={marked}
            currentMatch={search.current}
            onMark={onMark === undefined ? null : handleMark}
            onScroll={handleScroll}
            onKeyDown={handleKeyDown}
          />
        </>
      )}
      {columns?.newer && count > 0 ? <NewerLines newer={columns.newer} /> : null}
      <div className={styles['end']}>
        {unseen === 0 ? null : (
          <Button
            size="small"
            intent="primary"
            icon={<ArrowDown />}
            text={countOf(unseen, 'new line')}
            onClick={handleFollow}
          />
        )}
      </div>
      <output className="wr-visually-hidden">{announced}</output>
    </section>
  )
}

function loadNearEnd({ scrollTop, scrollHeight, clientHeight }: HTMLElement, { older, newer }: LogColumns): void {
  // In a log shorter than its window neither end is a sign of a wish.
  if (scrollHeight <= clientHeight + NEAR_END_PX) return
  if (scrollTop < NEAR_END_PX && older?.state === 'more') older.onLoad()
  if (scrollHeight - clientHeight - scrollTop < NEAR_END_PX && newer?.state === 'more') newer.onLoad()
}

async function saveLog({ name, read }: NonNullable<LogViewProps['download']>): Promise<void> {
  try {
    const { file, note } = await read()
    saveFile(name, file)
    showToast(note === undefined ? 'Downloaded logs' : `Downloaded logs: ${note}`)
  } catch {
    showErrorToast('Failed to download logs')
  }
}

interface RowsOptions {
  scroller: RefObject<HTMLDivElement | null>
  lines: readonly LogLine[]
  revision: number
  layout: 'numbered' | 'columns'
  isFollowing: RefObject<boolean>
  /** More lines come. */
  isGrowing: boolean
}

function useRows({ scroller, lines, revision, layout, isFollowing, isGrowing }: RowsOptions): RowsOfLog {
  const { rowPx, overscan } = layout === 'columns' ? COLUMNS : NUMBERED
  const typicalPx = useRef(rowPx)
  // With another function every row is placed anew, which takes a while for 200,000 of them: only where lines changed places.
  const arranged = layout === 'columns' ? revision : 0
  // oxlint-disable-next-line react/exhaustive-deps -- lines change in place, and the revision says so
  const getItemKey = useCallback((index: number) => lines[index]?.id ?? index, [lines, arranged])
  const rows: RowsOfLog = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => typicalPx.current,
    getItemKey,
    // What someone reads stays where it is when older lines come before it. While the end is followed, nothing else scrolls.
    anchorTo: layout === 'columns' && !isFollowing.current ? 'end' : 'start',
    overscan: isGrowing && isFollowing.current ? FOLLOWING_OVERSCAN : overscan,
    initialRect: { width: 0, height: 600 },
  })
  if (layout === 'columns') {
    rows.shouldAdjustScrollPositionOnItemSizeChange = ({ start }, _delta, { scrollOffset }) =>
      !isFollowing.current && start < (scrollOffset ?? 0)
  }
  const drawn = useRef(revision)
  if (drawn.current !== revision) {
    drawn.current = revision
    // Lines that come are drawn where the window is about to be. Else those in sight would be drawn once more first, and the new ones when
    // the browser tells that it has scrolled.
    const box = rows.scrollElement
    if (isFollowing.current && box !== null && isAtEnd(box)) {
      rows.scrollOffset = Math.max(0, rows.getTotalSize() - box.clientHeight)
    }
  }
  useLayoutEffect(() => {
    // Lines that come are placed by the height of those before: one drawing for each. Nothing above a reader changes its height.
    if (layout === 'columns' && isFollowing.current) typicalPx.current = toTypical(rows) ?? typicalPx.current
  })
  return rows
}

/** The middle of the heights that are known of the lines in the document; null while none is. */
function toTypical(rows: RowsOfLog): number | null {
  const known = rows.getVirtualItems().map(({ key }) => rows.itemSizeCache.get(key) ?? 0)
  const heights = known.filter((px) => px > 0).toSorted((one, other) => one - other)
  return heights[Math.floor(heights.length / 2)] ?? null
}

/** Tells whoever fills the log whether its reader is at the end. */
function useTold(tell: ((isFollowing: boolean) => void) | undefined, isFollowing: boolean): void {
  useEffect(() => tell?.(isFollowing), [tell, isFollowing])
}

function useForgottenSizes({ itemSizeCache: sizes }: RowsOfLog, lines: readonly LogLine[], revision: number): void {
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- lines change in place, and the revision says so
  useEffect(() => forgetSizes(sizes, lines), [sizes, lines, revision])
}

/** Heights say nothing any more once lines are laid out in another way. */
function useMeasuredAnew(rows: RowsOfLog, layout: string): void {
  const measured = useRef(layout)
  useLayoutEffect(() => {
    if (measured.current === layout) return
    measured.current = layout
    rows.measure()
  }, [rows, layout])
}

/** Brings the marked lines of an address into sight, once they are there. */
function useShownMark(rows: RowsOfLog, marked: LineRange | null, count: number): void {
  const wanted = useRef(marked?.from ?? null)
  useEffect(() => {
    if (wanted.current === null || count < wanted.current) return
    rows.scrollToIndex(wanted.current - 1, { align: 'center' })
    wanted.current = null
  }, [rows, count])
}
