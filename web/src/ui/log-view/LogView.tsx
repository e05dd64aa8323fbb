import { Button } from '@blueprintjs/core'
import { ArrowDown } from '@blueprintjs/icons'
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'

import { useLogPreferences } from '../../preferences/logView.ts'
import { useTimeZone } from '../../preferences/timeZone.ts'
import { parseMoment } from '../formatTime.ts'
import { saveFile } from '../saveFile.ts'
import { showErrorToast, showToast } from '../toaster.ts'
import { useLatest } from '../useLatest.ts'
import type { LogLine } from './createLogLines.ts'
import { nextMatch } from './createLogSearch.ts'
import { type LineRange, toRange } from './lineRange.ts'
import { moveMark, toLogKey } from './logKeys.ts'
import { LogRow } from './LogRow.tsx'
import { LogToolbar } from './LogToolbar.tsx'
import { MarkedLines } from './MarkedLines.tsx'
import { useAnnouncedLines } from './useAnnouncedLines.ts'
import { useFollow } from './useFollow.ts'
import { useLogSearch } from './useLogSearch.ts'

import styles from './logView.module.css'

/** Pixels of a line that is not wrapped, as the style sheet has them. */
const LINE_PX = 20
const OVERSCAN = 20

type Rows = Virtualizer<HTMLDivElement, HTMLLIElement>

interface LogViewProps {
  /** For screen readers. */
  label: string
  /** They only grow, in place. */
  lines: readonly LogLine[]
  /** Another number: there are more lines, or the last one has more text. */
  revision: number
  /** Marked lines, of the address. They are scrolled to once they are there. */
  marked: LineRange | null
  onMark: (range: LineRange | null) => void
  /** What can be done with the marked lines, beside copying them. */
  renderMarked?: (range: LineRange) => ReactNode
  /** The whole log as a file. */
  download: { readonly name: string; readonly read: () => Promise<Blob> }
  /** Instead of lines, while there are none. */
  empty: ReactNode
  /** Nothing is going to follow: the beginning is shown. */
  isStill: boolean
}

/** Lines of a program or a service: run output, logs, evidence. */
export function LogView(props: LogViewProps) {
  const { label, lines, revision, marked, onMark } = props
  const count = lines.length
  const scroller = useRef<HTMLDivElement>(null)
  const [{ isWrapped, hasTimes }, setPreferences] = useLogPreferences()
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by the compiler; rows compare their own contents
  const rows: Rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    overscan: OVERSCAN,
    initialRect: { width: 0, height: 600 },
  })
  const isHeld = props.isStill || marked !== null
  const follow = useFollow({ scroller, count, totalPx: rows.getTotalSize(), isStill: isHeld, rows })
  const announced = useAnnouncedLines(lines, follow.isFollowing)
  const goTo = (index: number): void => {
    follow.stop()
    rows.scrollToIndex(index, { align: 'center' })
  }
  const search = useMatches(lines, revision, goTo)
  const hasClock = count > 0 && lines[0]?.at !== null
  const toTime = useLineTime(hasClock && hasTimes)
  useMeasuredAnew(rows, `${isWrapped} ${hasTimes}`)
  useShownMark(rows, marked, count)

  const handleMark = useLatest((index: number, isRange: boolean): void => {
    const line = index + 1
    const isSame = marked?.from === line && marked.to === line
    onMark(isSame ? null : toRange(isRange && marked !== null ? marked.from : line, line))
  })
  const handleKeyDown = (event: KeyboardEvent): void => {
    const key = event.ctrlKey || event.metaKey || event.altKey ? null : toLogKey(event.key)
    // The Escape of a dialog around it is not for the log.
    if (key === null || (key.kind === 'clear' && marked === null)) return
    event.preventDefault()
    event.stopPropagation()
    if (key.kind === 'match') search.move(key.step)
    else if (key.kind === 'follow') follow.toggle()
    else if (key.kind === 'clear') onMark(null)
    else {
      const top = rows.getVirtualItemForOffset(scroller.current?.scrollTop ?? 0)?.index ?? 0
      const next = moveMark({ ...key, marked, top: top + 1, count })
      onMark(next.range)
      goTo(next.at - 1)
    }
  }

  return (
    <section className={styles['log']} aria-label={label}>
      <LogToolbar
        label={label}
        search={search}
        isWrapped={isWrapped}
        onWrap={() => setPreferences({ isWrapped: !isWrapped, hasTimes })}
        hasTimes={hasClock ? hasTimes : null}
        onTimes={() => setPreferences({ isWrapped, hasTimes: !hasTimes })}
        isFollowing={follow.isFollowing}
        onFollow={follow.toggle}
        onDownload={() => void saveLog(props.download)}
      />
      {marked === null || count === 0 ? null : (
        <MarkedLines range={marked} lines={lines} onClear={() => onMark(null)}>
          {props.renderMarked?.(marked)}
        </MarkedLines>
      )}
      {count === 0 ? (
        <div className={styles['empty']}>{props.empty}</div>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it scrolls by keys, and has some of its own
        <div
          ref={scroller}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys reach only what has the focus
          tabIndex={0}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a list cannot be scrolled to its end and stay a list of its rows
          role="group"
          aria-label={`${label}: lines`}
          className={styles['scroller']}
          data-wrapped={isWrapped || undefined}
          onScroll={follow.handleScroll}
          onKeyDown={handleKeyDown}
        >
          <div className={styles['space']} style={{ height: rows.getTotalSize() }}>
            <ol className={styles['rows']} style={toPlace(rows, count)}>
              {rows.getVirtualItems().map(({ index }) => {
                const line = lines[index]
                return line === undefined ? null : (
                  <LogRow
                    key={index}
                    line={line}
                    index={index}
                    count={count}
                    time={toTime(line.at)}
                    query={search.query.toLowerCase()}
                    isMarked={marked !== null && index + 1 >= marked.from && index + 1 <= marked.to}
                    isCurrentMatch={index === search.current}
                    rowRef={isWrapped ? rows.measureElement : null}
                    onMark={handleMark}
                  />
                )
              })}
            </ol>
          </div>
        </div>
      )}
      <div className={styles['end']}>
        {follow.unseen === 0 ? null : (
          <Button
            size="small"
            intent="primary"
            icon={<ArrowDown />}
            text={`${follow.unseen.toLocaleString()} new ${follow.unseen === 1 ? 'line' : 'lines'}`}
            onClick={follow.toggle}
          />
        )}
      </div>
      <output className="wr-visually-hidden">{announced}</output>
    </section>
  )
}

async function saveLog({ name, read }: LogViewProps['download']): Promise<void> {
  try {
    saveFile(name, await read())
    showToast('Downloaded logs')
  } catch {
    showErrorToast('Failed to download logs')
  }
}

/** Where the rows in the document stand, and how wide their numbers are. */
const toPlace = (rows: Rows, count: number): CSSProperties =>
  ({
    transform: `translateY(${rows.getVirtualItems()[0]?.start ?? 0}px)`,
    '--log-digits': `${String(count).length}ch`,
  }) as CSSProperties

/** The text that is looked for, the lines that have it, and the one that was gone to. */
function useMatches(lines: readonly LogLine[], revision: number, goTo: (index: number) => void) {
  const [query, setQuery] = useState('')
  const [current, setCurrent] = useState<number | null>(null)
  const matches = useLogSearch(lines, revision, query)
  return {
    query,
    current,
    matches,
    look: (next: string): void => {
      setQuery(next)
      setCurrent(null)
    },
    move: (step: 1 | -1): void => {
      const next = nextMatch(matches, current ?? (step === 1 ? -1 : lines.length), step)
      if (next === null) return
      setCurrent(next)
      goTo(next)
    },
  }
}

/** Times of lines, to the thousandth: programs print faster than seconds. */
function useLineTime(isShown: boolean): (at: string | null) => string | null {
  const zone = useTimeZone()
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(undefined, {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
      hourCycle: 'h23',
      ...(zone === 'UTC' ? { timeZone: 'UTC' } : {}),
    })
    return (at) => {
      const moment = isShown ? parseMoment(at) : Number.NaN
      return Number.isNaN(moment) ? null : format.format(moment)
    }
  }, [isShown, zone])
}

/** Heights say nothing any more once lines are laid out in another way. */
function useMeasuredAnew(rows: Rows, layout: string): void {
  const measured = useRef(layout)
  useLayoutEffect(() => {
    if (measured.current === layout) return
    measured.current = layout
    rows.measure()
  }, [rows, layout])
}

/** Brings the marked lines of an address into sight, once they are there. */
function useShownMark(rows: Rows, marked: LineRange | null, count: number): void {
  const wanted = useRef(marked?.from ?? null)
  useEffect(() => {
    if (wanted.current === null || count < wanted.current) return
    rows.scrollToIndex(wanted.current - 1, { align: 'center' })
    wanted.current = null
  }, [rows, count])
}
